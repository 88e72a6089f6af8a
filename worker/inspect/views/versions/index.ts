//! The view `#versions`: the versions in KV, what differs between two of them, and the commands that change what is served.
//! The page itself changes nothing.

import type { Version } from "../../../src/catalog/listing.ts";
import type { Pointer } from "../../../src/catalog/pointer.ts";
import type { Stopped } from "../../../src/catalog/stopped.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { fill } from "../../parts/loading.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, sizeText, timeText } from "../../parts/text.ts";
import { commandsCard } from "./commands.ts";
import { compareCard } from "./compare.ts";

/** The answer of `GET /inspect/api/versions`. */
export interface Versions {
  /** The version that the pointer names; null without a catalog. */
  served: string | null;
  /** Whether KV holds a plain document in place of a pointer. */
  plain: boolean;
  /** What is wrong with the pointer. */
  problem: string | null;
  previous: string | null;
  second: Pointer["second"] | null;
  stopped: Stopped | null;
  /** The catalog of the isolate that answers, as `GET /healthz` shows it. */
  serving: { version: string | null; age: number | null; failure: string | null; warning: string | null };
  versions: Omit<Version, "keys">[];
}

/** Shows the view. */
export function mount(root: HTMLElement): () => void {
  const place = h("div", { class: "cards" });
  root.append(
    h("h1", {}, "Versions"),
    h("p", { class: "soft lead" }, "Each push makes a version. One is served, and a second one can take a share."),
    place,
  );
  let endCompare = () => {};
  const end = fill(place, async (signal) => {
    const versions = await ask<Versions>("/inspect/api/versions", { signal });
    const compare = compareCard(versions);
    endCompare = compare.end;
    return [...notes(versions), listCard(versions), compare.card, commandsCard(versions)];
  });
  return () => {
    end();
    endCompare();
  };
}

/** What needs the operator's attention: a stop, or a catalog that cannot be used. */
function notes({ problem, plain, stopped, serving, served }: Versions): Child[] {
  const wrong = [problem, serving.failure, serving.warning].filter((text) => text !== null);
  if (plain) wrong.push("A plain document is served, which each isolate compiles. Push it to give it a version.");
  if (served !== null && serving.version !== null && serving.version !== served) {
    wrong.push(
      `The bidder that answers you still serves ${serving.version}. It looks for another version every 30 seconds.`,
    );
  }
  return [stopped && stoppedNote(stopped), ...wrong.map((text) => h("p", { class: "note" }, text))];
}

function stoppedNote({ all, cids = [], since, note }: Stopped): HTMLElement {
  const what = [...(all ? ["everything"] : []), ...(cids.length > 0 ? [cids.join(", ")] : [])].join(
    ", and apart from that ",
  );
  const when = since ? `, since ${timeText(since)}` : "";
  return h("p", { class: "error" }, h("strong", {}, "Stopped: "), `${what}${when}${note ? ` – ${note}` : ""}`);
}

function listCard(all: Versions): HTMLElement {
  const columns: Column<Omit<Version, "keys">>[] = [
    { title: "Version", of: ({ version }) => h("code", {}, version) },
    { title: "Role", of: (version) => h("span", { class: "chips" }, ...roles(version, all)) },
    { title: "Pushed", of: ({ pushed }) => (pushed ? timeText(pushed) : "its push was interrupted") },
    {
      title: "Campaigns",
      isNumber: true,
      of: ({ campaigns }) => (campaigns === undefined ? "–" : grouped(campaigns)),
    },
    { title: "Size", isNumber: true, of: ({ bytes }) => (bytes === undefined ? "–" : sizeText(bytes)) },
    { title: "Note", of: ({ note, served }) => h("span", { class: "says wide" }, served?.note ?? note ?? "") },
  ];
  return h(
    "section",
    { class: "card" },
    all.versions.length === 0
      ? h("p", { class: "empty" }, "No catalog was pushed yet.")
      : table("Versions in KV, the newest push first", columns, all.versions, "npx edgebid catalog list"),
  );
}

function roles({ version, pushed, served, beside }: Omit<Version, "keys">, { previous }: Versions): Child[] {
  // A version that is served since its push has the time in its own column.
  const since = served && pushed && timeText(served.since) === timeText(pushed) ? "" : " since ";
  return [
    served && h("span", { class: "chip good says" }, `served${since && since + timeText(served.since)}`),
    beside && h("span", { class: "chip warn says" }, `second: ${beside.mode} ${beside.share} %`),
    version === previous && h("span", { class: "chip" }, "previous"),
  ];
}
