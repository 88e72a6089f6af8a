//! The view `#versions`: the versions in KV, the differences between two of them, and the commands that change the
//! served version. The page itself changes nothing.

import type { Stopped } from "../../../../shared/catalog/stopped.ts";
import { resumeHint } from "../../../../shared/compare/text.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { card, chip } from "../../parts/blocks.ts";
import { commands, where } from "../../parts/command.ts";
import { fill } from "../../parts/loading.ts";
import { type Column, table } from "../../parts/table.ts";
import { bytesText, timeText } from "../../parts/text.ts";
import type { Listing, Versions } from "../../parts/versions.ts";
import { compareCard } from "./compare.ts";

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const area = h("div.stack");
  root.append(
    h("h1", "Versions"),
    h("p.soft", "Each push makes a version. One is served, and a second one can take a share."),
    area,
  );
  void fill(area, left, async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    return [notes(versions), listCard(versions), compareCard(versions, left), commandsCard(versions)];
  });
}

/** What needs the operator's attention: a stop, or a catalog that cannot be used. */
function notes({ problem, plain, stopped, serving, served }: Versions): Child {
  const isBehind = served !== null && serving.version !== null && serving.version !== served;
  const wrong = [
    problem,
    serving.failure,
    serving.warning,
    plain && "A plain document is served, which each isolate compiles. Push it to give it a version.",
    isBehind &&
      `The bidder that answers you still serves ${serving.version}. It looks for another version every 30 seconds.`,
  ];
  return [stopped && stoppedNote(stopped), wrong.map((one) => one && h("p.note", one))];
}

function stoppedNote({ all, cids = [], since, note }: Stopped): HTMLElement {
  const what = [all && "everything", cids.join(", ")].filter(Boolean).join(", and apart from that ");
  return h("p.error", h("strong", "Stopped: "), what, since && `, since ${timeText(since)}`, note && ` – ${note}`);
}

function listCard(all: Versions): HTMLElement {
  const columns: Column<Listing>[] = [
    { title: "Version", of: ({ version }) => h("code", version) },
    { title: "Role", of: (version) => h("span.chips", roles(version, all)) },
    { title: "Pushed", of: ({ pushed }) => (pushed ? timeText(pushed) : "its push was interrupted") },
    { title: "Campaigns", isNumber: true, value: ({ campaigns = "" }) => campaigns },
    { title: "Size", isNumber: true, value: ({ bytes = "" }) => bytes, of: ({ bytes }) => bytes && bytesText(bytes) },
    { title: "Note", of: ({ note, served }) => h("span.says.wide", served?.note ?? note ?? "") },
  ];
  if (all.versions.length === 0) return h("p.card.empty", "No catalog was pushed yet.");
  const versions = table("Versions in KV, the newest push first", columns);
  return h("section.card", versions.show(all.versions));
}

function roles({ version, pushed, served, beside }: Listing, { previous, left }: Versions): Child {
  // If a version has been served since its push, another column shows that time.
  const since = served && pushed && timeText(served.since) === timeText(pushed) ? "" : " since ";
  return [
    served && chip(`served${since && since + timeText(served.since)}`, "good.says"),
    beside && chip(`second: ${beside.mode} ${beside.share} %`, "warn.says"),
    version === previous && chip("previous"),
    version === left && chip("rolled back", "warn"),
  ];
}

/** The commands that change the served version, with the names of this bidder's versions, to copy into a terminal. */
function commandsCard({ kv: local, served, previous, second, stopped }: Versions): HTMLElement {
  const kv = where(local);
  const replay = `npx edgebid replay requests.ndjson --catalog ${served} --catalog my-catalog.json ${kv}`;
  return card("Change what is served", [
    h("p.soft", "This page is read-only. These commands change the catalog, in a terminal in the folder of edgebid."),
    commands([
      [`npx edgebid catalog diff my-catalog.json ${kv}`, "Look what a push would change."],
      served !== null && [replay, "Look which of your requests a push would decide in another way."],
      [`npx edgebid catalog push my-catalog.json ${kv} --note "why"`, "Push a catalog: a file or a folder."],
      previous !== null && [`npx edgebid catalog rollback ${previous} ${kv}`, "Serve the version before again."],
      second && [`npx edgebid catalog promote ${kv}`, "Make the second version the only one."],
      [`npx edgebid stop acme-spring ${kv} --note "why"`, "Stop campaigns at once, without a push."],
      [`npx edgebid stop --all ${kv} --note "why"`, "Stop everything: no request gets a bid."],
      stopped && [resumeHint(stopped, kv), "Resume what is stopped."],
    ]),
  ]);
}
