//! Adds up the lines of a tail for the command line and the inspector.

import type { Second } from "./seconds.ts";

/** The figures are the mean of this many seconds, so that they do not jump. */
export const WINDOW = 5;
/** Seconds that the curve of requests shows. */
export const CURVE = 60;

/** Sums of some seconds. */
export interface Sums {
  ms: number;
  requests: number;
  bids: number;
  lost: number;
  /** Reasons for no bid with their counts, the most frequent first. */
  none: [reason: string, count: number][];
}

export class Figures {
  readonly #last: Second[] = [];
  readonly #all = { ms: 0, requests: 0, bids: 0, lost: 0, none: {} as Record<string, number> };

  add(second: Second): void {
    this.#last.push(second);
    if (this.#last.length > CURVE) this.#last.shift();
    addTo(this.#all, second);
  }

  /** Since the start. */
  get all(): Sums {
    return sumsOf(this.#all);
  }

  /** Of the last {@link WINDOW} seconds. */
  get now(): Sums {
    const sums = { ms: 0, requests: 0, bids: 0, lost: 0, none: {} };
    for (const second of this.#last.slice(-WINDOW)) addTo(sums, second);
    return sumsOf(sums);
  }

  /** Requests and bids a second of each of the last {@link CURVE} seconds. */
  get curve(): { requests: number; bids: number }[] {
    return this.#last.map(({ requests, bids, ms }) => ({
      requests: perSecond(requests, ms),
      bids: perSecond(bids, ms),
    }));
  }
}

/** A number of `ms` milliseconds as a number a second. */
export function perSecond(times: number, ms: number): number {
  return ms > 0 ? (times * 1000) / ms : 0;
}

type Adding = Omit<Sums, "none"> & { none: Record<string, number> };

function addTo(sums: Adding, { ms, requests, bids, lost, none }: Second): void {
  sums.ms += ms;
  sums.requests += requests;
  sums.bids += bids;
  sums.lost += lost;
  for (const [reason, count] of Object.entries(none)) sums.none[reason] = (sums.none[reason] ?? 0) + count;
}

function sumsOf({ none, ...sums }: Adding): Sums {
  return { ...sums, none: Object.entries(none).sort(([a, one], [b, two]) => two - one || a.localeCompare(b)) };
}
