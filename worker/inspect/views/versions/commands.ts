//! The commands that change what is served, to copy into a terminal.

import { card, code, text } from "../../parts/blocks.ts";
import { commands, quoted, where } from "../../parts/command.ts";
import type { Versions } from "../../parts/versions.ts";

/** The card of the commands, with the names of this bidder's versions. */
export function commandsCard({ versions, served, previous, second, stopped }: Versions): HTMLElement {
  const kv = where();
  const { all, cids = [] } = stopped ?? {};
  const target = previous ?? versions.find(({ version }) => version !== served)?.version;
  const replay = `npx edgebid replay requests.ndjson --catalog ${served} --catalog my-catalog.json ${kv}`;
  const resume = `npx edgebid resume ${all ? "--all" : cids.map(quoted).join(" ")} ${kv}`;
  return card("Change what is served", [
    text("soft", "This page is read-only. These commands change the catalog, in a terminal in the folder of edgebid."),
    commands([
      [`npx edgebid catalog diff my-catalog.json ${kv}`, "Look what a push would change."],
      served !== null && [replay, "Look which of your requests a push would decide in another way."],
      [`npx edgebid catalog push my-catalog.json ${kv} --note "why"`, "Push a catalog: a file or a folder."],
      target !== undefined && [`npx edgebid catalog rollback ${target} ${kv}`, "Serve an earlier version again."],
      second && [`npx edgebid catalog promote ${kv}`, "Make the second version the only one."],
      [`npx edgebid stop acme-spring ${kv} --note "why"`, "Stop campaigns at once, without a push."],
      [`npx edgebid stop --all ${kv} --note "why"`, "Stop everything: no request gets a bid."],
      stopped && [resume, "Resume what is stopped."],
    ]),
    kv === "--local" &&
      text("soft", "If npm start runs with ", code("--persist-to FOLDER"), ", add the same option to each command."),
  ]);
}
