//! The rows of a report: the ledger's totals by group and currency, with rates and averages.
//!
//! Money is decimal text from integers. `report.proto` is the same schema for other programs.

import type { Attribute, Counts, RecordOf } from "../formats/format.ts";
import { DIMENSIONS, type Dimension, type Total } from "../ledger/rows.ts";
import type { Group } from "../ledger/sums.ts";
import { decimal, NANOS, rounded } from "./decimal.ts";

/** All attributes. New dimensions have the next number, and other new attributes go to the end. */
const ATTRIBUTES = [
  /** `YYYY-MM-DD`, in the time zone of the campaign. */
  { name: "day", kind: "text", field: 1 },
  /** `YYYY-MM-DDTHH:00Z`, the hour of UTC; empty if the ledger no longer has the hours of the day. */
  { name: "hour", kind: "text", field: 17 },
  { name: "campaign", kind: "text", field: 2 },
  { name: "ssp", kind: "text", field: 3 },
  { name: "creative", kind: "text", field: 4 },
  /**
   * In a split, `first` or `second`: the catalog version that decided. `unshaded` for bids that show what is paid
   * without learned shading. Otherwise empty.
   */
  { name: "version", kind: "text", field: 18 },
  /** The campaign's currency. Empty if a refused notice names no campaign. */
  { name: "cur", kind: "text", field: 5 },
  { name: "bids", kind: "integer", field: 6 },
  /** Notices of a win. */
  { name: "wins", kind: "integer", field: 7 },
  /** Notices of a loss, by the loss reason of OpenRTB. */
  { name: "losses", kind: "counts", field: 8 },
  /** Billed impressions. */
  { name: "billed", kind: "integer", field: 9 },
  /** The billed impressions that were booked with the price of the bid, because their notice had no price. */
  { name: "assumed", kind: "integer", field: 10 },
  /** The price of all billed impressions in `cur`: a decimal of at most nine decimals. */
  { name: "spend", kind: "text", field: 11 },
  /** The same in US dollars. */
  { name: "spend_usd", kind: "text", field: 12 },
  /**
   * Wins per bid, with four decimals. If the SSP sends no notices of wins: billed impressions per bid. Empty without
   * bids.
   */
  { name: "win_rate", kind: "text", field: 13 },
  /** The average CPM in `cur`, with four decimals. Empty if nothing was billed. */
  { name: "price", kind: "text", field: 14 },
  /** Notices that booked nothing, by reason. */
  { name: "refused", kind: "counts", field: 15 },
  /** Notices whose price differs from the bid or the booking, by kind of difference. */
  { name: "differs", kind: "counts", field: 16 },
] as const satisfies readonly Attribute[];

type All = RecordOf<typeof ATTRIBUTES>;

/** One row. Of the dimensions, it has only those that the query names in `by`. */
export type Row = Pick<All, Dimension> & Required<Omit<All, Dimension>>;

/** The attributes of the rows of a query. */
export function attributesOf(by: readonly Dimension[]): readonly Attribute<keyof Row>[] {
  const left = DIMENSIONS.filter((name) => !by.includes(name));
  return ATTRIBUTES.filter(({ name }) => !left.some((one) => one === name));
}

/**
 * The rows in order: by day and hour, then by spend in US dollars, the largest first, then by name. Each row is made when
 * it is read.
 */
export function* rowsOf(groups: readonly Group[], by: readonly Dimension[]): Generator<Row> {
  for (const group of groups.toSorted(compare)) yield row(group, by);
}

function compare(one: Group, two: Group): number {
  for (const time of ["day", "hour"] as const) if (one[time] !== two[time]) return one[time] < two[time] ? -1 : 1;
  if (one.usdNanos !== two.usdNanos) return one.usdNanos > two.usdNanos ? -1 : 1;
  const name = (["campaign", "ssp", "creative", "version", "cur"] as const).find((name) => one[name] !== two[name]);
  return name === undefined ? 0 : one[name] < two[name] ? -1 : 1;
}

function row({ counts, nanos, usdNanos, ...group }: Group, by: readonly Dimension[]): Row {
  const of = (kind: Total["kind"]): Counts => {
    const own = Object.entries(counts).filter(([name]) => name.startsWith(`${kind} `));
    return Object.fromEntries(own.map(([name, count]) => [name.slice(kind.length + 1), count]).sort());
  };
  const count = (kind: Total["kind"]) => Object.values(of(kind)).reduce((sum, count) => sum + count, 0);
  const [bids, wins, billed] = [count("bid"), count("win"), count("bill")];
  return {
    ...Object.fromEntries(DIMENSIONS.filter((name) => by.includes(name)).map((name) => [name, group[name]])),
    ...{ cur: group.cur, bids, wins },
    losses: of("loss"),
    ...{ billed, assumed: counts["bill assumed"] ?? 0 },
    spend: decimal(nanos),
    spend_usd: decimal(usdNanos),
    win_rate: winRate(bids, wins, billed),
    price: averagePrice(nanos, billed),
    refused: of("refused"),
    differs: of("differs"),
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
