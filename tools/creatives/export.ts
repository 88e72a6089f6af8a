//! `edgebid creatives export`: what an SSP wants to see before it approves creatives. The module makes a bid with each of
//! them, so that the markup is what the SSP would get; our own macros have the values of one sample request. The SSP's
//! macros stay, because it fills them. Sends nothing.

import { EXIT, Failure } from "../../build/failure.mjs";
import { compiledAside } from "../../cli/catalog/compiling.ts";
import { printLine } from "../../cli/catalog/print.ts";
import { sourceOf } from "../../cli/catalog/source.ts";
import { bytesOf } from "../../cli/catalog/store.ts";
import { ownCatalog } from "../../cli/defaults.ts";
import { parsedJson } from "../../cli/input.ts";
import { compiler, module } from "../../cli/module.ts";
import { compile } from "../../shared/catalog/compile.ts";
import { byId, type Entry, objectsIn, withTemplate } from "../../shared/compare/entry.ts";
import { csvRow, csvText } from "../../shared/formats/format.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import { impFor } from "./sample-imp.ts";

export interface ExportOptions {
  ssp: string;
  catalog?: string;
  all?: boolean;
  csv?: boolean;
}

/** The columns: what the SSP has decided so far, and attributes of the bid. */
const COLUMNS = [
  ...["crid", "state", "adid", "seat", "adomain", "bundle", "cat", "cattax", "attr", "apis", "language", "mtype"],
  ...["w", "h", "wratio", "hratio", "dur", "protocol", "iurl", "adm"],
];
/** The attributes of campaigns that are in their bids, or decide their price. */
const OF_CAMPAIGN = ["seat", "adomain", "bundle", "cat", "cattax", "max_cpm", "cur"];
/** Attributes of an SSP's record that prevent bids to it, or limit its deals. */
const NOT_OF_SSP = ["needs_approval", "credentials", "deals", "test"];
const REQUEST = {
  at: 1,
  site: { domain: "news.example", page: "https://news.example/article", publisher: { id: "pub-1" } },
  device: { os: "Android", geo: { country: "USA" } },
};

/** Prints the creatives on which the SSP has not decided yet; with `all`, all that campaigns may show there. */
export async function exportCreatives({ ssp, catalog = ownCatalog(), all, csv }: ExportOptions): Promise<void> {
  const source = sourceOf(catalog);
  // The locations of mistakes are those in the person's files.
  await compiledAside(source);
  const { creatives, outcomes } = samplesOf(parsedJson<Entry>(source.document) ?? {}, ssp, all);
  if (csv)
    process.stdout.write(
      [COLUMNS, ...creatives.map((row) => COLUMNS.map((name) => cellOf(row[name])))].map(csvRow).join(""),
    );
  else printLine(JSON.stringify({ ssp, creatives }, null, 2));
  for (const [crid, outcome] of outcomes) process.stderr.write(`edgebid: ${crid} is left out: no bid (${outcome})\n`);
  if (outcomes.length > 0) process.exitCode = EXIT.found;
}

/**
 * The creatives of an SSP with what it sees of them, and why others got no bid. Throws {@link Failure} for an unknown SSP.
 */
export function samplesOf(
  document: Entry,
  ssp: string,
  all = false,
): { creatives: Entry[]; outcomes: [crid: unknown, outcome: string][] } {
  const record = byId(document["ssps"], "id").get(ssp);
  if (record === undefined) {
    const known = [...byId(document["ssps"], "id").keys()].join(", ");
    throw new Failure(`the catalog has no SSP ${ssp}; expected one of ${known}`);
  }
  const decided = new Map(
    objectsIn(document["approvals"]).flatMap((one) => (one["ssp"] === ssp ? [[one["crid"], one["state"]]] : [])),
  );
  const shown = shownAt(document, ssp);
  const creatives = objectsIn(document["creatives"]).filter(
    ({ crid }) => shown.has(crid) && (all || !decided.has(crid)),
  );
  const { bids, outcomes } = bidsOf(creatives, shown, record, document["rates"]);
  const stateOf = (crid: unknown) => ({ state: decided.get(crid) ?? "unknown" });
  const rows = creatives.flatMap(({ crid }) => {
    const bid = bids.get(crid);
    return bid ? [picked({ ...bid, ...stateOf(crid) }, COLUMNS)] : [];
  });
  return { creatives: rows, outcomes };
}

/** The first campaign that may show a creative at an SSP, by the creative's id. */
function shownAt(document: Entry, ssp: string): Map<unknown, Entry> {
  const templates = byId(document["templates"], "id");
  const all = objectsIn(document["campaigns"]).map((own) => withTemplate(own, templates));
  const there = all.filter(({ ssps }) => !Array.isArray(ssps) || ssps.length === 0 || ssps.includes(ssp));
  const pairs = there.flatMap((campaign) =>
    (campaign["creatives"] as (string | Entry)[]).map((one) => [typeof one === "string" ? one : one["crid"], campaign]),
  );
  return new Map(pairs.reverse() as [unknown, Entry][]);
}

/**
 * A bid with each creative, by its id; and why the others got none. Each has a campaign and a deal of its own in a small
 * catalog, so that no other creative can win.
 */
function bidsOf(creatives: Entry[], shown: Map<unknown, Entry>, record: Entry, rates: unknown) {
  const deals = new Map(creatives.map(({ crid }, at) => [crid, `deal-${at + 1}`]));
  const campaigns = creatives.map(({ crid }) => {
    const campaign = shown.get(crid) ?? {};
    const only = { cid: deals.get(crid), deals: [deals.get(crid)], open: false, creatives: [crid] };
    return { ...picked(campaign, OF_CAMPAIGN), ...only };
  });
  const ssp = Object.fromEntries(Object.entries(record).filter(([name]) => !NOT_OF_SSP.includes(name)));
  const plain = creatives.map(({ caps: _, ...creative }) => creative);
  const small = { format: 1, ...(rates ? { rates } : {}), ssps: [ssp], creatives: plain, campaigns };
  const bidder = new Bidder(compile(bytesOf(JSON.stringify(small)), compiler).snapshot, module);
  const bids = new Map<unknown, Entry>();
  const outcomes: [unknown, string][] = [];
  for (const creative of creatives) {
    const { crid } = creative;
    const pmp = { private_auction: 1, deals: [{ id: deals.get(crid) }] };
    const request = { ...REQUEST, id: "sample", imp: [{ id: "1", tagid: "top", pmp, ...impFor(creative) }] };
    const { body, count } = bidder.decide({
      body: bytesOf(JSON.stringify(request)),
      ssp: 0,
      now: Date.now(),
      seed: [0, 1],
    });
    const { seatbid = [] } = body ? (parsedJson<{ seatbid?: { seat: string; bid: Entry[] }[] }>(body) ?? {}) : {};
    const [
      {
        seat,
        bid: [bid],
      } = { seat: "", bid: [] },
    ] = seatbid;
    if (bid) bids.set(crid, { ...bid, seat });
    else outcomes.push([crid, count]);
  }
  return { bids, outcomes };
}

/** The attributes with these names, in their order. */
function picked(entry: Entry, names: readonly string[]): Entry {
  return Object.fromEntries(names.flatMap((name) => (name in entry ? [[name, entry[name]]] : [])));
}

/** Lists with spaces between their values. */
function cellOf(value: unknown): string {
  return csvText(Array.isArray(value) ? value.join(" ") : String(value ?? ""));
}
