//! Runs requests through a shape and through the catalog: how many pass, and whether a bid would be lost. The requests
//! are a recording, as `edgebid replay` reads it, or generated.

import { EXIT, Failure } from "../failure.mjs";
import { isObject, parsedJson } from "../input.ts";
import type { ReplayedCatalog } from "../replay/catalog.ts";
import { inputsOf, piecesOf } from "../replay/inputs.ts";
import { requestIn } from "../replay/lines.ts";
import { MAX_LINE_BYTES } from "../replay/run.ts";
import { generate } from "../traffic/generate.ts";
import { type Filter, type Texts, textsOfJson, textsOfMap } from "./evaluator.ts";
import { Places } from "./places.ts";

/** A request of the SSP. `place`: its file and line. */
export interface Request {
  place: string;
  body: Uint8Array;
}

/** What the requests of an SSP show about a shape. */
export interface Counts {
  requests: number;
  passed: number;
  /** Requests with a bid. */
  bids: number;
  /** The first places of requests that are filtered although the catalog bids. */
  lost: string[];
  /** Lines that are no bid requests, and lines of other SSPs. */
  bad: number;
  others: number;
}

/** The domains and apps of the requests of an SSP. */
export async function placesIn(paths: string[], ssp: string): Promise<Places> {
  const places = new Places();
  if (paths.includes("-")) throw new Failure("a shape reads its recording twice, so it cannot be standard input");
  for (const input of paths.length > 0 ? inputsOf(paths) : []) {
    for await (const { lines } of piecesOf(input, MAX_LINE_BYTES)) {
      for (const { bytes } of lines) {
        const sent = bytes === null ? "" : requestIn(bytes);
        if (typeof sent === "string" || (sent.ssp ?? ssp) !== ssp) continue;
        const request = parsedJson<object>(sent.body);
        if (isObject(request)) places.see(request);
      }
    }
  }
  return places;
}

/** Generated requests, if there is no recording. */
const GENERATED = 10_000;
const FIRST = 5;

/**
 * Counts the requests of an SSP. Throws {@link Failure} with line numbers if a recording is cut off, empty, or has no
 * request of the SSP.
 */
export async function counted(
  paths: string[],
  ssp: string,
  { catalog, filter, now, see }: { catalog: ReplayedCatalog; filter: Filter; now: number; see: (texts: Texts) => void },
): Promise<Counts> {
  const counts: Counts = { requests: 0, passed: 0, bids: 0, lost: [], bad: 0, others: 0 };
  const refused: string[] = [];
  const take = ({ place, body }: Request) => {
    const { outcome } = catalog.decide({ body, ssp, now }, counts.requests);
    if (outcome === "bad-request") return false;
    counts.requests++;
    if (counts.requests % 10_000 === 0) catalog.forget();
    const json = new TextDecoder().decode(body);
    const seen = [textsOfJson(json), textsOfMap(json)] as const;
    see(seen[1]);
    const isFiltered = seen.some(filter);
    counts.passed += Number(!isFiltered);
    counts.bids += Number(outcome === "bid");
    if (isFiltered && outcome === "bid") counts.lost.push(place);
    return true;
  };
  if (paths.length === 0) {
    const requests = generate(1);
    for (let at = 1; at <= GENERATED; at++)
      take({ place: `generated:${at}`, body: new TextEncoder().encode(requests.next().value) });
    return counts;
  }
  for (const input of inputsOf(paths)) {
    let last = { line: 0, isBad: false };
    for await (const { lines, problem } of piecesOf(input, MAX_LINE_BYTES)) {
      if (problem !== undefined) throw cutOff(`${input.name}:${last.line + 1}`, problem);
      for (const { number, bytes } of lines) {
        const sent = bytes === null ? "too long" : requestIn(bytes);
        const place = `${input.name}:${number}`;
        last = { line: number, isBad: false };
        if (typeof sent !== "string" && (sent.ssp ?? ssp) !== ssp) {
          if (counts.others++ < FIRST) refused.push(`${place} is of ${sent.ssp}`);
        } else if (typeof sent === "string" || !take({ place, body: sent.body })) {
          last.isBad = true;
          if (counts.bad++ < FIRST) refused.push(`${place} is no bid request`);
        }
      }
    }
    if (last.isBad) throw cutOff(`${input.name}:${last.line}`, "the last line is no bid request");
  }
  if (counts.requests === 0)
    throw new Failure(
      `the recording has no request of ${ssp}${refused.map((line) => `; ${line}`).join("")}; no shape is written`,
      EXIT.found,
    );
  return counts;
}

function cutOff(place: string, why: string): Failure {
  return new Failure(`${place}: the recording is cut off (${why}); no shape is written`, EXIT.found);
}
