//! Adds up what one catalog decided. Amounts are sums of integers, and can be written as JSON and read again.

import type { Bid, Decision } from "./contender.ts";

/** What one campaign bid in one currency. */
export interface Row {
  cid: string;
  cur: string;
  bids: number;
  /** The sum of the prices of single impressions, in billionths of `cur`. */
  spend: bigint;
}

/** {@link Totals} as JSON: amounts are texts. */
export interface Saved {
  requests: number;
  bids: number;
  test: number;
  untold: number;
  cut_off: number;
  outcomes: Record<string, number>;
  rows: [cid: string, cur: string, bids: number, spend: string][];
}

export class Totals {
  /** Requests with a bid. */
  requests = 0;
  /** Bids, besides those of tests. */
  bids = 0;
  /** Bids in auctions that are tests. They have no spend. */
  test = 0;
  /** Bids that are in no campaign's numbers, because the module could not tell them. */
  untold = 0;
  /** Decisions that reached their limit of work. */
  cut_off = 0;
  /** Requests without a bid, by outcome. */
  readonly outcomes = new Map<string, number>();
  /** By campaign, then by currency. */
  readonly #campaigns = new Map<string, Map<string, Row>>();

  static of({ outcomes, rows, ...numbers }: Saved): Totals {
    const totals = Object.assign(new Totals(), numbers);
    for (const [outcome, count] of Object.entries(outcomes)) totals.outcomes.set(outcome, count);
    for (const [cid, cur, bids, spend] of rows) Object.assign(totals.#row(cid, cur), { bids, spend: BigInt(spend) });
    return totals;
  }

  add({ outcome, bids, untold, isCutOff }: Decision): void {
    if (outcome === "bid") this.requests++;
    else this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.untold += untold;
    if (isCutOff) this.cut_off++;
    for (const bid of bids) this.#bid(bid);
  }

  #bid({ cid, cur, test, price_micros = 0 }: Bid): void {
    if (test) {
      this.test++;
      return;
    }
    this.bids++;
    const row = this.#row(cid, cur);
    row.bids++;
    // Millionths for a thousand impressions are billionths for one.
    row.spend += BigInt(price_micros);
  }

  #row(cid: string, cur: string): Row {
    let campaign = this.#campaigns.get(cid);
    if (!campaign) {
      campaign = new Map();
      this.#campaigns.set(cid, campaign);
    }
    let row = campaign.get(cur);
    if (!row) {
      row = { cid, cur, bids: 0, spend: 0n };
      campaign.set(cur, row);
    }
    return row;
  }

  /** A row for each campaign and currency. */
  rows(): Row[] {
    return [...this.#campaigns.values()].flatMap((campaign) => [...campaign.values()]);
  }

  saved(): Saved {
    const { requests, bids, test, untold, cut_off } = this;
    const rows = this.rows().map(({ cid, cur, bids, spend }): Saved["rows"][number] => [cid, cur, bids, String(spend)]);
    return { requests, bids, test, untold, cut_off, outcomes: Object.fromEntries(this.outcomes), rows };
  }
}
