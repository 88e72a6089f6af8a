//! `edgebid supply paths`: what each way of the supply sends, and what is won and paid there. The requests come from a
//! recording, and what became of their bids from the events that the collector got: neither the tokens of notices nor the
//! ledger know the way. So the counts are of the recorded requests, each times what it stands for.

import { EXIT, Failure } from "../../build/failure.mjs";
import { print } from "../../cli/catalog/print.ts";
import { step } from "../../cli/catalog/progress.ts";
import { sourceOf } from "../../cli/catalog/source.ts";
import { ownCatalog } from "../../cli/defaults.ts";
import { isObject, parsedJson } from "../../cli/input.ts";
import { amounts, number, shown, table, text } from "../../cli/money/table.ts";
import { objectsIn } from "../../shared/compare/entry.ts";
import { firstOf } from "../../shared/compare/text.ts";
import { decimal } from "../../shared/report/decimal.ts";
import { linesIn, requestsIn } from "./recording.ts";
import { type Document, type Relation, relations } from "./relation.ts";

export interface PathsOptions {
  events: string[];
  catalog?: string;
  json?: boolean;
}

/** One way: an SSP, the systems that are paid in the order of the chain, and what the files say about it. */
interface Path {
  ssp: string;
  systems: string[];
  /** Whether the request names all of them. */
  whole: boolean;
  relation: Relation;
  requests: number;
  /** Requests with a bid. */
  bids: number;
  wins: number;
  billed: number;
  /** By currency, in billionths. */
  spend: Map<string, bigint>;
}

/** A recorded request with a bid: its way, and for how many requests it stands. */
interface Sent {
  path: Path;
  weight: number;
}

/** An event, as far as it is read here. */
interface Event {
  type?: string;
  id?: string;
  ssp?: string;
  request?: string;
  price_micros?: number;
  cur?: string;
  test?: boolean;
}

/** The most ways that are printed. */
const NAMED = 40;

export async function showPaths(recordings: string[], options: PathsOptions): Promise<void> {
  const { events, catalog = ownCatalog(), json } = options;
  if (events.includes("-")) throw new Failure("the events are read twice, so they cannot be standard input");
  const document = parsedJson<Document>(sourceOf(catalog).document) ?? {};
  const { paths, sent } = await step("reading the recording", () => recorded(recordings, document));
  if (paths.length === 0) throw new Failure("the recording has no requests", EXIT.found);
  const others = events.length > 0 ? await step("reading the events", () => addEvents(events, sent)) : null;
  paths.sort((a, b) => b.requests - a.requests);
  const lines = [
    ...table(columnsFor(others !== null, document), paths.slice(0, NAMED)),
    ...(paths.length > NAMED ? [`and ${paths.length - NAMED} more; --json has all of them`] : []),
    ...unreadText(paths, document),
    ...(document.supply ? [] : ["the catalog has no supply, so no relation is known: npx edgebid supply compile"]),
    ...(others ? [`${others} bids of the events are of requests that the recording does not have`] : []),
  ];
  const exact = ({ spend }: Path) => Object.fromEntries([...spend].map(([cur, nanos]) => [cur, decimal(nanos)]));
  print(json, { paths: paths.map((path) => ({ ...path, spend: exact(path) })), others }, lines.join("\n"));
}

/** The ways of the requests in recordings, and those requests that got a bid, by SSP and id. */
async function recorded(recordings: string[], document: Document): Promise<{ paths: Path[]; sent: Map<string, Sent> }> {
  const relationOf = relations(document);
  const paths = new Map<string, Path>();
  const sent = new Map<string, Sent>();
  for await (const { request, ssp = "", outcome, oneIn: weight = 1 } of requestsIn(recordings)) {
    const domain = document.ssps?.find(({ id }) => id === ssp)?.domain;
    const way = { ssp, ...chainOf(request, ssp, domain), relation: relationOf(ssp, request) };
    const key = JSON.stringify(way);
    const path = paths.get(key) ?? { ...way, requests: 0, bids: 0, wins: 0, billed: 0, spend: new Map() };
    paths.set(key, path);
    path.requests += weight;
    if (outcome !== "bid") continue;
    path.bids += weight;
    sent.set(keyOf({ ssp, request: String(request["id"]) }), { path, weight });
  }
  return { paths: [...paths.values()], sent };
}

/** Names the systems of chains for which the files were not read, those of most requests first. */
function unreadText(paths: Path[], { supply }: Document): string[] {
  const read = new Set(supply?.systems.map(({ domain }) => domain));
  const unread = new Set(
    paths.flatMap(({ systems }) => systems.filter((system) => system.includes(".") && !read.has(system))),
  );
  if (!supply || unread.size === 0) return [];
  const named = firstOf([...unread].map(shown));
  return [`the files were not read for ${named}: npx edgebid supply fetch and compile read them with --system DOMAIN`];
}

/** The systems that are paid; without a chain, the SSP is the only one. */
function chainOf(
  { source }: Record<string, unknown>,
  ssp: string,
  domain: string | undefined,
): Pick<Path, "systems" | "whole"> {
  const { schain, ext } = isObject(source) ? source : {};
  const chain = schain ?? (isObject(ext) ? ext["schain"] : undefined);
  const nodes = objectsIn(isObject(chain) && chain["nodes"]);
  const paid = nodes.filter(({ hp }) => hp !== 0).map(({ asi }) => (typeof asi === "string" ? asi.toLowerCase() : ""));
  if (paid.length === 0) return { systems: [(domain ?? ssp).toLowerCase()], whole: true };
  // A whole chain ends at the SSP, as `is_whole` of the module has it.
  const isSender = !domain || `.${nodes.at(-1)?.["asi"]}`.toLowerCase().endsWith(`.${domain.toLowerCase()}`);
  return { systems: paid, whole: isObject(chain) && chain["complete"] === 1 && isSender };
}

/** Adds what became of the bids. Returns how many bids are of other requests. An event may be there twice. */
async function addEvents(files: string[], sent: Map<string, Sent>): Promise<number> {
  const bids = new Map<string, Sent>();
  const others = new Set<string>();
  for await (const event of eventsIn(files)) {
    if (event.type !== "bid" || event.id === undefined || event.test) continue;
    const own = sent.get(keyOf(event));
    if (own) bids.set(event.id, own);
    else others.add(event.id);
  }
  const seen = new Set<string>();
  for await (const { type, id = "", price_micros: micros = 0, cur = "", test } of eventsIn(files)) {
    const own = bids.get(id);
    const key = `${type} ${id}`;
    if (!own || test || seen.has(key) || (type !== "win" && type !== "bill")) continue;
    seen.add(key);
    const { path, weight } = own;
    path[type === "win" ? "wins" : "billed"] += weight;
    // Millionths for a thousand impressions are billionths for one.
    if (type === "bill") path.spend.set(cur, (path.spend.get(cur) ?? 0n) + BigInt(Math.round(micros * weight) || 0));
  }
  return others.size;
}

async function* eventsIn(files: string[]): AsyncGenerator<Event, void, void> {
  for await (const { bytes } of linesIn(files)) {
    const event = parsedJson(bytes);
    if (isObject(event)) yield event;
  }
}

function keyOf({ ssp, request }: Event): string {
  return JSON.stringify([ssp, request]);
}

function columnsFor(hasEvents: boolean, { ssps = [] }: Document) {
  const chain = ({ systems, whole }: Path) =>
    [...(whole ? [] : ["?"]), ...systems.map((system) => shown(system) || "–")].join(" > ");
  const spent = ({ spend }: Path) => [...spend].map(([cur, nanos]) => `${amounts([nanos])} ${shown(cur)}`);
  return [
    ...(ssps.length > 1 ? [text<Path>("ssp", ({ ssp }) => shown(ssp) || "–")] : []),
    text<Path>("path", chain),
    number<Path>("hops", ({ systems }) => systems.length),
    text<Path>("relation", ({ relation }) => relation),
    number<Path>("requests", ({ requests }) => requests),
    number<Path>("with a bid", ({ bids }) => bids),
    ...(hasEvents
      ? [
          number<Path>("wins", ({ wins }) => wins),
          number<Path>("billed", ({ billed }) => billed),
          number<Path>("spend", (path) => spent(path).join(", ") || "–"),
        ]
      : []),
  ];
}
