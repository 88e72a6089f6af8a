//! Adds up what one catalog decided. Amounts are sums of integers.

import type { Bid, Decision } from "./contender.ts";

/** What one campaign bid in one currency. */
export interface Row {
  cid: string;
  cur: string;
  bids: number;
  /** The sum of the prices of single impressions, in billionths of `cur`. */
  spend: bigint;
}

export interface Totals {
  /** Requests with a bid. */
  requests: number;
  /** Bids, besides those of tests. */
  bids: number;
  /** Bids in auctions that are tests. They have no spend. */
  test: number;
  /** Bids that are in no campaign's numbers, because the module could not tell them. */
  untold: number;
  /** Decisions that reached their limit of work. */
  cut_off: number;
  /** Requests without a bid, by outcome. */
  outcomes: Map<string, number>;
  /** By currency and campaign. */
  rows: Map<string, Row>;
}

export function noTotals(): Totals {
  return { requests: 0, bids: 0, test: 0, untold: 0, cut_off: 0, outcomes: new Map(), rows: new Map() };
}

export function addDecision(totals: Totals, { outcome, bids, untold, isCutOff }: Decision): void {
  if (outcome === "bid") totals.requests++;
  else totals.outcomes.set(outcome, (totals.outcomes.get(outcome) ?? 0) + 1);
  totals.untold += untold;
  if (isCutOff) totals.cut_off++;
  for (const bid of bids) addBid(totals, bid);
}

function addBid(totals: Totals, { cid, cur, test, price_micros = 0 }: Bid): void {
  if (test) {
    totals.test++;
    return;
  }
  totals.bids++;
  const key = cur + cid;
  let row = totals.rows.get(key);
  if (!row) {
    row = { cid, cur, bids: 0, spend: 0n };
    totals.rows.set(key, row);
  }
  row.bids++;
  // Millionths for a thousand impressions are billionths for one.
  row.spend += BigInt(price_micros);
}
