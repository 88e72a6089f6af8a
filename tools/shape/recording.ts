//! Runs requests through a shape and through the catalog: how many pass, and whether a bid would be lost. The requests
//! are a recording, as `edgebid replay` reads it, or generated.

import { EXIT, Failure } from "../../build/failure.mjs";
import { isObject, parsedJson } from "../../cli/input.ts";
import type { ReplayedCatalog } from "../../cli/replay/catalog.ts";
import { inputsOf, piecesOf } from "../../cli/replay/inputs.ts";
import { requestIn } from "../../cli/replay/lines.ts";
import { MAX_LINE_BYTES } from "../../cli/replay/run.ts";
import { generate } from "../traffic/generate.ts";
import { type Filter, type Texts, textsOfJson, textsOfMap } from "./evaluator.ts";
import { Inventory } from "./inventory.ts";

/** What the requests of an SSP show about a shape. */
export interface Counts {
  requests: number;
  passed: number;
  /** Requests with a bid. */
  bids: number;
  /** The locations of the first requests that are filtered although the catalog bids. */
  lost: string[];
  /** Lines that are no bid requests, and lines of other SSPs. */
  bad: number;
  others: number;
}

/** Generated requests, if there is no recording. */
const GENERATED = 10_000;
/** The most lines that a message names. */
const FIRST = 5;

/** The domains and apps of the requests of an SSP. */
export async function inventoryIn(paths: string[], ssp: string): Promise<Inventory> {
  const inventory = new Inventory();
  if (paths.includes("-")) throw new Failure("a shape reads its recording twice, so it cannot be standard input");
  await read(paths, ssp, (body) => {
    const request = parsedJson(body);
    if (isObject(request)) inventory.see(request);
    return true;
  });
  return inventory;
}

/**
 * Counts the requests of an SSP; `see` gets each. Throws {@link Failure} with line numbers if a recording is cut off,
 * empty, or has no request of the SSP.
 */
export async function counted(
  paths: string[],
  ssp: string,
  { catalog, filter, now, see }: { catalog: ReplayedCatalog; filter: Filter; now: number; see: (texts: Texts) => void },
): Promise<Counts> {
  const counts: Counts = { requests: 0, passed: 0, bids: 0, lost: [], bad: 0, others: 0 };
  const take = (body: Uint8Array, location: string) => {
    const { outcome } = catalog.decide({ body, ssp, now }, counts.requests);
    if (outcome === "bad-request") return false;
    if (++counts.requests % 10_000 === 0) catalog.forget();
    const json = new TextDecoder().decode(body);
    const seen = [textsOfJson(json), textsOfMap(json)] as const;
    see(seen[1]);
    const isFiltered = seen.some(filter);
    counts.passed += Number(!isFiltered);
    counts.bids += Number(outcome === "bid");
    if (isFiltered && outcome === "bid") counts.lost.push(location);
    return true;
  };
  if (paths.length === 0) {
    const requests = generate(1);
    for (let at = 1; at <= GENERATED; at++) take(new TextEncoder().encode(requests.next().value), `generated:${at}`);
    return counts;
  }
  const refused: string[] = [];
  await read(paths, ssp, take, (location, other) => {
    counts[other === undefined ? "bad" : "others"]++;
    if (refused.length < FIRST)
      refused.push(`; ${location} is ${other === undefined ? "no bid request" : `of ${other}`}`);
  });
  if (counts.requests > 0) return counts;
  throw new Failure(`the recording has no request of ${ssp}${refused.join("")}; no shape is written`, EXIT.found);
}

/**
 * Reads the lines of an SSP. `take` says whether a body is a bid request. `refuse` gets the other lines, with the SSP of
 * those of another one.
 */
async function read(
  paths: string[],
  ssp: string,
  take: (body: Uint8Array, location: string) => boolean,
  refuse: (location: string, other?: string) => void = () => {},
): Promise<void> {
  for (const input of paths.length > 0 ? inputsOf(paths) : []) {
    const cutOff = (line: number, why: string) =>
      new Failure(`${input.name}:${line}: the recording is cut off (${why}); no shape is written`, EXIT.found);
    let [last, isBad] = [0, false];
    for await (const { lines, problem } of piecesOf(input, MAX_LINE_BYTES)) {
      if (problem !== undefined) throw cutOff(last + 1, problem);
      for (const { number, bytes } of lines) {
        const location = `${input.name}:${number}`;
        const sent = bytes === null ? "too long" : requestIn(bytes);
        const other = typeof sent === "string" || sent.ssp === ssp ? undefined : sent.ssp;
        [last, isBad] = [number, other === undefined && (typeof sent === "string" || !take(sent.body, location))];
        if (isBad || other !== undefined) refuse(location, other);
      }
    }
    if (isBad) throw cutOff(last, "the last line is no bid request");
  }
}
