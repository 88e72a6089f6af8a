//! The requests to send and the responses to expect.
//!
//! The expected response is the answer of the module in this process, now and at several times during the next two
//! hours. These requests are left out: one whose status changes in that time; one whose `tmax` is over after a wait of
//! 100 ms, because a loaded server rightly does not bid on it; and one that reaches the limit on work, because no other
//! target has such a limit.

import { LATE_MS } from "../../shared/limits.ts";
import { Bidder } from "../../shared/wasm/bidder.ts";
import type { Peer } from "../decide/peer.ts";
import { mix } from "../requests/mix.ts";

/** A text to send, and the expected response of each bidder. */
export interface Case {
  text: string;
  expected: Expected[];
}

export interface Expected {
  status: 200 | 204;
  /** The beginning of the expected response; empty if it has no body. */
  begin: string;
  /** Size of the response. */
  bytes: number;
}

/** Requests by purpose. One of the catalogs decides which requests get a bid. */
export interface Requests {
  /** Requests that get a bid. */
  bids: Case[];
  noBids: Case[];
  /** Requests in the proportion of production: nine of ten get no bid. If the user gives texts, all of them. */
  production: Case[];
}

const STEP_MS = 15 * 60_000;
const STEPS = 8;
export const NO_BIDS_A_BID = 9;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/**
 * `by`: index of the catalog that separates bids from no-bids. `own`: texts to send instead of the mix. The expected
 * responses are in the order of the catalogs; the one of the peer is the last.
 */
export function requests(
  catalogs: Uint8Array[],
  wasm: WebAssembly.Module,
  by: number,
  peer: Peer,
  own: string[] = [],
): Requests {
  const bidders = catalogs.map((catalog) => new Bidder(catalog, wasm));
  const all = (own.length > 0 ? own : mix()).flatMap((text) => stableCases(text, bidders, peer));
  const bids = all.filter(({ expected }) => expected[by]?.status === 200);
  const noBids = all.filter(({ expected }) => expected[by]?.status === 204);
  return { bids, noBids, production: own.length > 0 ? all : production(bids, noBids) };
}

/** The case of a text. None if its status is 400 or changes with time or a wait, or if it reaches the limit on work. */
function stableCases(text: string, bidders: Bidder[], peer: Peer): Case[] {
  const now = Date.now();
  const times = Array.from({ length: STEPS }, (_, step) => now + step * STEP_MS);
  const body = ENCODER.encode(text);
  const expected = bidders.map((bidder) => {
    const outcomes = times.map((time) => bidder.decide({ body, ssp: 0, now: time }));
    outcomes.push(bidder.decide({ body, ssp: 0, now, waited: LATE_MS }));
    const first = outcomes[0];
    if (!first || first.status === 400 || outcomes.some(({ status, gaveUp }) => gaveUp || status !== first.status))
      return null;
    // `bidid` is random.
    return expectedOf(first.body && DECODER.decode(first.body), `"bidid"`);
  });
  return expected.every((one) => one !== null)
    ? [{ text, expected: [...expected, expectedOf(peer(text), `"cur"`)] }]
    : [];
}

/** The beginning of a response ends after the request's id, which makes it unique. */
function expectedOf(response: string | null, end: string): Expected {
  if (response === null) return { status: 204, begin: "", bytes: 0 };
  return { status: 200, begin: response.slice(0, response.indexOf(end)), bytes: Buffer.byteLength(response) };
}

/** All no-bids, and a bid at every tenth position. The bids are taken evenly from the whole list of bids. */
function production(bids: Case[], noBids: Case[]): Case[] {
  const count = Math.floor(noBids.length / NO_BIDS_A_BID);
  const slots = Array.from({ length: count }, (_, slot) => slot);
  return slots.flatMap((slot) => [
    ...noBids.slice(slot * NO_BIDS_A_BID, (slot + 1) * NO_BIDS_A_BID),
    ...bids.slice(Math.floor((slot * bids.length) / count)).slice(0, 1),
  ]);
}
