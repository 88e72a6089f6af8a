//! What an isolate did since the last line of a tail: the changes of its counters, sorted into bids, reasons for no bid
//! and everything else.

import { UNAUTHORIZED } from "../telemetry/counters.ts";

/** One line of `GET /tail`. Names that did not change are left out. */
export interface Second {
  /** The end of this time in milliseconds since the epoch. */
  at: number;
  /** The length of this time in milliseconds, usually about 1000. */
  ms: number;
  /** Answered requests. */
  requests: number;
  /** Requests with a bid. */
  bids: number;
  /** Requests without a bid, by reason: a no-bid reason, or another failure. */
  none: Record<string, number>;
  /** Further counters, such as `late`. */
  other: Record<string, number>;
  /** Requests that should have been sent, but were too long or too many. */
  lost: number;
}

/** Counters of requests that end without a decision. */
const UNDECIDED = [
  "bad-request",
  "unknown-ssp",
  "refused-body",
  "slow-body",
  "waited",
  "bodies-full",
  "aborted",
  "no-catalog",
  "trap",
  "unsound",
  "failure",
  "unknown",
];

/** Makes the lines of one tail. */
export class Seconds {
  #counts: Record<string, number>;
  #at: number;

  /** The first line begins now, with these counters. */
  constructor(counts: Record<string, number>, now: number) {
    this.#counts = counts;
    this.#at = now;
  }

  /** Milliseconds since the last line. */
  since(now: number): number {
    return now - this.#at;
  }

  /** The next line. `reasons` are the no-bid reasons of the catalog. */
  next(counts: Record<string, number>, reasons: readonly string[], lost: number, now: number): Second {
    const second: Second = { at: now, ms: this.since(now), requests: 0, bids: 0, none: {}, other: {}, lost };
    for (const [name, count] of Object.entries(counts)) {
      const added = count - (this.#counts[name] ?? 0);
      if (added === 0) continue;
      if (name === "bid") second.bids = added;
      else if (reasons.includes(name) || UNDECIDED.includes(name) || name.startsWith(UNAUTHORIZED))
        second.none[name] = added;
      else second.other[name] = added;
    }
    second.requests = Object.values(second.none).reduce((sum, count) => sum + count, second.bids);
    this.#counts = counts;
    this.#at = now;
    return second;
  }
}
