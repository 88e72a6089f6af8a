//! The decisions of one catalog, added up over the requests of a replay. Amounts are sums of integers.

import type { Decision } from "./catalog.ts";

/**
 * The bids of one campaign in one currency. `spend`: the sum of the prices of single impressions, in billionths of
 * `cur`.
 */
export interface Row {
  cid: string;
  cur: string;
  bids: number;
  spend: bigint;
}

/** The decisions of one catalog. */
export interface Totals {
  requests_with_bids: number;
  /** Bids, without those of tests. */
  bids: number;
  /** Bids in auctions that are tests. They have no spend. */
  test_bids: number;
  /** Bids that are in no campaign's numbers, because their events were too long. */
  untold_bids: number;
  /** Decisions that reached their limit of work. */
  cut_off: number;
  /** Requests without a bid, by outcome. */
  no_bids: Map<string, number>;
  /** By currency and campaign. */
  rows: Map<string, Row>;
}

export function noTotals(): Totals {
  return {
    ...{ requests_with_bids: 0, bids: 0, test_bids: 0, untold_bids: 0, cut_off: 0 },
    ...{ no_bids: new Map(), rows: new Map() },
  };
}

export function addDecision(totals: Totals, { outcome, bids, untold, isCutOff }: Decision): void {
  if (outcome === "bid") totals.requests_with_bids++;
  else totals.no_bids.set(outcome, (totals.no_bids.get(outcome) ?? 0) + 1);
  totals.untold_bids += untold;
  if (isCutOff) totals.cut_off++;
  for (const { cid, cur, test, price_micros = 0 } of bids) {
    if (test) {
      totals.test_bids++;
      continue;
    }
    totals.bids++;
    const row = totals.rows.get(cur + cid) ?? { cid, cur, bids: 0, spend: 0n };
    totals.rows.set(cur + cid, row);
    row.bids++;
    // Millionths for a thousand impressions are billionths for one.
    row.spend += BigInt(price_micros);
  }
}
