//! The commands that change what is served, to copy into a terminal.

import { h } from "../../dom.ts";
import { command, quoted, where } from "../../parts/command.ts";
import type { Versions } from "./index.ts";

/** The card of the commands, with the names of this bidder's versions. */
export function commandsCard({ versions, served, previous, second, stopped }: Versions): HTMLElement {
  const kv = where();
  const { all, cids = [] } = stopped ?? {};
  const target = previous ?? versions.find(({ version }) => version !== served)?.version;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Change what is served"),
    h(
      "p",
      { class: "soft" },
      "This page is read-only. These commands change the catalog, in a terminal in the folder of edgebid.",
    ),
    h(
      "div",
      { class: "commands" },
      command(`npx edgebid catalog diff my-catalog.json ${kv}`, "Look what a push would change."),
      served === null
        ? null
        : command(
            `npx edgebid replay requests.ndjson --catalog ${served} --catalog my-catalog.json ${kv}`,
            "Look which of your requests a push would decide in another way.",
          ),
      command(`npx edgebid catalog push my-catalog.json ${kv} --note "why"`, "Push a catalog: a file or a folder."),
      target === undefined
        ? null
        : command(`npx edgebid catalog rollback ${target} ${kv}`, "Serve an earlier version again."),
      second ? command(`npx edgebid catalog promote ${kv}`, "Make the second version the only one.") : null,
      command(`npx edgebid stop acme-spring ${kv} --note "why"`, "Stop campaigns at once, without a push."),
      command(`npx edgebid stop --all ${kv} --note "why"`, "Stop everything: no request gets a bid."),
      stopped
        ? command(`npx edgebid resume ${all ? "--all" : cids.map(quoted).join(" ")} ${kv}`, "Resume what is stopped.")
        : null,
    ),
    kv === "--local"
      ? h(
          "p",
          { class: "soft" },
          "If npm start runs with ",
          h("code", {}, "--persist-to FOLDER"),
          ", add the same option to each command.",
        )
      : null,
  );
}
