//! The rows of a report: the ledger's totals, put together by group and currency, with rates and averages.
//!
//! Money is decimal text from integers. `report.proto` is the same schema for other programs.

import type { Attribute, Counts } from "../formats/format.ts";
import { DIMENSIONS, type Dimension, type Total } from "../ledger/rows.ts";
import { decimal, NANOS, rounded } from "./decimal.ts";

/** One row. It has only those of the first four attributes that the query names in `by`. */
export interface Row {
  /** `YYYY-MM-DD`, in the time zone of the campaign. */
  day?: string;
  campaign?: string;
  ssp?: string;
  creative?: string;
  /** The campaign's currency. Empty if a refused notice names no campaign. */
  cur: string;
  bids: number;
  /** Notices of a win. */
  wins: number;
  /** Notices of a loss, by the loss reason of OpenRTB. */
  losses: Counts;
  /** Billed impressions. */
  billed: number;
  /** The billed impressions that cost the price of the bid, because their notice had no price. */
  assumed: number;
  /** The price of all billed impressions in `cur`: a decimal of at most nine places. */
  spend: string;
  /** The same in US dollars. */
  spend_usd: string;
  /** Wins per bid, with four places. If the SSP sends no notices of wins: billed impressions per bid. Empty without bids. */
  win_rate: string;
  /** The average CPM in `cur`, with four places. Empty if nothing was billed. */
  price: string;
  /** Notices that booked nothing, by why. */
  refused: Counts;
  /** Notices whose price is not what was bid or booked, by how. */
  differs: Counts;
}

/** All attributes. New attributes go to the end. */
const ATTRIBUTES: readonly Attribute<Row>[] = [
  { name: "day", kind: "text", field: 1 },
  { name: "campaign", kind: "text", field: 2 },
  { name: "ssp", kind: "text", field: 3 },
  { name: "creative", kind: "text", field: 4 },
  { name: "cur", kind: "text", field: 5 },
  { name: "bids", kind: "integer", field: 6 },
  { name: "wins", kind: "integer", field: 7 },
  { name: "losses", kind: "counts", field: 8 },
  { name: "billed", kind: "integer", field: 9 },
  { name: "assumed", kind: "integer", field: 10 },
  { name: "spend", kind: "text", field: 11 },
  { name: "spend_usd", kind: "text", field: 12 },
  { name: "win_rate", kind: "text", field: 13 },
  { name: "price", kind: "text", field: 14 },
  { name: "refused", kind: "counts", field: 15 },
  { name: "differs", kind: "counts", field: 16 },
];

/** The attributes of the rows of a query. */
export function attributesOf(by: readonly Dimension[]): readonly Attribute<Row>[] {
  const left = DIMENSIONS.filter((name) => !by.includes(name));
  return ATTRIBUTES.filter(({ name }) => !left.some((one) => one === name));
}

/** The sums of one row. */
interface Sums extends Pick<Total, Dimension | "cur"> {
  bids: number;
  wins: number;
  losses: Map<string, number>;
  billed: number;
  assumed: number;
  nanos: bigint;
  usdNanos: bigint;
  refused: Map<string, number>;
  differs: Map<string, number>;
}

/**
 * The rows in order: by day, then by spend in US dollars, the largest first, then by name. Each row is made when it is
 * read.
 */
export function* rowsOf(totals: Iterable<Total>, by: readonly Dimension[]): Generator<Row> {
  for (const sums of summed(totals).sort(compare)) yield row(sums, by);
}

function summed(totals: Iterable<Total>): Sums[] {
  const groups = new Map<string, Sums>();
  for (const total of totals) {
    const { day, campaign, ssp, creative, cur } = total;
    const key = JSON.stringify([day, campaign, ssp, creative, cur]);
    const sums = groups.get(key) ?? {
      ...{ day, campaign, ssp, creative, cur, bids: 0, wins: 0, billed: 0, assumed: 0, nanos: 0n, usdNanos: 0n },
      losses: new Map(),
      refused: new Map(),
      differs: new Map(),
    };
    groups.set(key, sums);
    add(sums, total);
  }
  return [...groups.values()];
}

function add(sums: Sums, { kind, detail, count, nanos, usdNanos }: Total): void {
  const addTo = (counts: Map<string, number>) => counts.set(detail, (counts.get(detail) ?? 0) + count);
  if (kind === "bid") sums.bids += count;
  else if (kind === "win") sums.wins += count;
  else if (kind === "loss") addTo(sums.losses);
  else if (kind === "refused") addTo(sums.refused);
  else if (kind === "differs") addTo(sums.differs);
  else {
    sums.billed += count;
    if (detail === "assumed") sums.assumed += count;
    sums.nanos += nanos;
    sums.usdNanos += usdNanos;
  }
}

function compare(a: Sums, b: Sums): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  if (a.usdNanos !== b.usdNanos) return a.usdNanos > b.usdNanos ? -1 : 1;
  for (const name of ["campaign", "ssp", "creative", "cur"] as const) {
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1;
  }
  return 0;
}

function row(sums: Sums, by: readonly Dimension[]): Row {
  const { cur, bids, wins, losses, billed, assumed, nanos, usdNanos, refused, differs } = sums;
  return {
    ...Object.fromEntries(DIMENSIONS.filter((name) => by.includes(name)).map((name) => [name, sums[name]])),
    ...{ cur, bids, wins },
    losses: Object.fromEntries(losses),
    ...{ billed, assumed },
    spend: decimal(nanos),
    spend_usd: decimal(usdNanos),
    win_rate: winRate(bids, wins, billed),
    price: averagePrice(nanos, billed),
    refused: Object.fromEntries(refused),
    differs: Object.fromEntries(differs),
  };
}

/** Wins per bid, or billed impressions per bid if there are no notices of wins; empty without bids. */
export function winRate(bids: number, wins: number, billed: number): string {
  return bids === 0 ? "" : rounded(BigInt(wins || billed), BigInt(bids), 4);
}

/** The average CPM of billed impressions that cost `nanos` in all; empty if there are none. */
export function averagePrice(nanos: bigint, billed: number): string {
  return billed === 0 ? "" : rounded(nanos * 1000n, BigInt(billed) * NANOS, 4);
}
