//! What is sent, and what has to come back.
//!
//! What is expected of each request is what the very same module says in this process, at the time
//! now and in steps over the next hours. Requests whose status changes with the hour are left out, and so are
//! decisions that are cut off: the twin has no bound on its work.

import { gzipSync } from "node:zlib";
import { Bidder } from "../../worker/src/bidder.ts";
import { mix } from "../requests/mix.ts";

/** A text to send and what has to come back, with each of the catalogs in their order. */
export interface Case {
  text: string;
  expected: Expected[];
}

export interface Expected {
  status: 200 | 204;
  /** What the response has to begin with; empty without one. */
  begin: string;
  /** Of the response. */
  bytes: number;
}

/** Requests by what they are for; which is which is decided with one of the catalogs. */
export interface Requests {
  /** Those that get a bid. */
  bids: Case[];
  noBids: Case[];
  /** As in production: nine of ten get none; with texts of somebody's own, all of those. */
  production: Case[];
  /** Of about 3.8 KB. */
  large: Case[];
}

const STEP_MS = 15 * 60_000;
const STEPS = 8;
const NO_BIDS_A_BID = 9;
/** Characters: the bodies of 3.8 KB and hardly any other. */
const LARGE = [3400, 4300] as const;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** `by`: the place of the catalog that tells bids from no-bids; `own`: texts to send in place of the mix. */
export function requests(catalogs: Uint8Array[], wasm: WebAssembly.Module, by: number, own: string[] = []): Requests {
  const bidders = catalogs.map((catalog) => new Bidder(catalog, wasm));
  const all = (own.length > 0 ? own : mix()).flatMap((text) => stableCases(text, bidders));
  const bids = all.filter(({ expected }) => expected[by]?.status === 200);
  const noBids = all.filter(({ expected }) => expected[by]?.status === 204);
  const large = all.filter(({ text }) => text.length >= LARGE[0] && text.length <= LARGE[1]);
  return { bids, noBids, production: own.length > 0 ? all : production(bids, noBids), large };
}

/** None when the answer is not the same for hours, is cut off, or says that the request is bad. */
function stableCases(text: string, bidders: Bidder[]): Case[] {
  const now = Date.now();
  const times = Array.from({ length: STEPS }, (_, step) => now + step * STEP_MS);
  const body = ENCODER.encode(text);
  const expected = bidders.map((bidder) => {
    const outcomes = times.map((time) => bidder.decide(body, 0, time, 0, 0));
    const first = outcomes[0];
    if (!first || first.status === 400 || outcomes.some(({ status, gaveUp }) => gaveUp || status !== first.status))
      return null;
    const response = first.body === null ? "" : DECODER.decode(first.body);
    // The id of the request, which no other response begins with.
    const begin = response.slice(0, response.indexOf(`"cur"`));
    return { status: first.status, begin, bytes: first.body?.byteLength ?? 0 };
  });
  return expected.every((one) => one !== null) ? [{ text, expected }] : [];
}

/** All of the no-bids, and a bid in every tenth place, from as far apart as there are. */
function production(bids: Case[], noBids: Case[]): Case[] {
  const count = Math.floor(noBids.length / NO_BIDS_A_BID);
  const slots = Array.from({ length: count }, (_, slot) => slot);
  return slots.flatMap((slot) => [
    ...noBids.slice(slot * NO_BIDS_A_BID, (slot + 1) * NO_BIDS_A_BID),
    ...bids.slice(Math.floor((slot * bids.length) / count)).slice(0, 1),
  ]);
}

/** Which side compresses its bodies. */
export interface Gzip {
  request: boolean;
  response: boolean;
}

/** A file for the generator: each text to a path, and what has to come back. See `load/src/requests.rs`. */
export function prepared(
  cases: readonly Case[],
  path: string,
  expect: (one: Case) => Pick<Expected, "status" | "begin">,
  gzip: Gzip,
): Uint8Array {
  return Buffer.concat(
    cases.map((one) => {
      const body = gzip.request ? gzipSync(one.text) : Buffer.from(one.text);
      const head = [
        `POST ${path} HTTP/1.1`,
        "Host: bidder.example",
        "Content-Type: application/json",
        ...(gzip.request ? ["Content-Encoding: gzip"] : []),
        ...(gzip.response ? ["Accept-Encoding: gzip"] : []),
        "X-OpenRTB-Version: 2.6",
        `Content-Length: ${body.byteLength}`,
      ];
      const whole = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
      const { status, begin } = expect(one);
      const encoding = gzip.response && begin !== "" ? "gzip" : "identity";
      return Buffer.concat([Buffer.from(`${status} ${encoding} ${whole.byteLength} ${begin}\n`), whole]);
    }),
  );
}
