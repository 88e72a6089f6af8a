//! The view `#versions`: the versions in KV, what differs between two of them, and the commands that change what is served.
//! The page itself changes nothing.

import type { Stopped } from "../../../src/catalog/stopped.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { chip, code, says, text } from "../../parts/blocks.ts";
import { fill } from "../../parts/loading.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, sizeText, timeText } from "../../parts/text.ts";
import type { Listing, Versions } from "../../parts/versions.ts";
import { commandsCard } from "./commands.ts";
import { compareCard } from "./compare.ts";

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const place = h("div", { class: "cards" });
  root.append(
    h("h1", {}, "Versions"),
    text("soft", "Each push makes a version. One is served, and a second one can take a share."),
    place,
  );
  fill(place, left, async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    return [...notes(versions), listCard(versions), compareCard(versions, left), commandsCard(versions)];
  });
}

/** What needs the operator's attention: a stop, or a catalog that cannot be used. */
function notes({ problem, plain, stopped, serving, served }: Versions): Child[] {
  const isBehind = served !== null && serving.version !== null && serving.version !== served;
  const wrong = [
    problem,
    serving.failure,
    serving.warning,
    plain && "A plain document is served, which each isolate compiles. Push it to give it a version.",
    isBehind &&
      `The bidder that answers you still serves ${serving.version}. It looks for another version every 30 seconds.`,
  ];
  return [stopped && stoppedNote(stopped), ...wrong.map((one) => one && text("note", one))];
}

function stoppedNote({ all, cids = [], since, note }: Stopped): HTMLElement {
  const what = [all && "everything", cids.join(", ")].filter(Boolean).join(", and apart from that ");
  const when = since ? `, since ${timeText(since)}` : "";
  return text("error", h("strong", {}, "Stopped: "), `${what}${when}${note ? ` – ${note}` : ""}`);
}

function listCard(all: Versions): HTMLElement {
  const columns: Column<Listing>[] = [
    { title: "Version", of: ({ version }) => code(version) },
    { title: "Role", of: (version) => h("span", { class: "chips" }, ...roles(version, all)) },
    { title: "Pushed", of: ({ pushed }) => (pushed ? timeText(pushed) : "its push was interrupted") },
    { title: "Campaigns", isNumber: true, of: ({ campaigns }) => (campaigns === undefined ? "–" : grouped(campaigns)) },
    { title: "Size", isNumber: true, of: ({ bytes }) => (bytes === undefined ? "–" : sizeText(bytes)) },
    { title: "Note", of: ({ note, served }) => says(served?.note ?? note ?? "", "wide") },
  ];
  const none = text("empty", "No catalog was pushed yet.");
  const caption = "Versions in KV, the newest push first";
  const shown = all.versions.length === 0 ? none : table(caption, columns, all.versions, "npx edgebid catalog list");
  return h("section", { class: "card" }, shown);
}

function roles({ version, pushed, served, beside }: Listing, { previous }: Versions): Child[] {
  // A version that is served since its push has the time in its own column.
  const since = served && pushed && timeText(served.since) === timeText(pushed) ? "" : " since ";
  return [
    served && chip(`served${since && since + timeText(served.since)}`, "good says"),
    beside && chip(`second: ${beside.mode} ${beside.share} %`, "warn says"),
    version === previous && chip("previous"),
  ];
}
