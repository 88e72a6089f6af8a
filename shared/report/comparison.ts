//! What a split has shown: how far the second version's win rate and CPM are from the first's, and how sure that is.
//!
//! Hours differ far more than versions do. So the interval is that of a jackknife which leaves out one hour of both
//! versions at a time: what both have in common in an hour cancels out.

import { DAY_MS } from "../time/days.ts";
import { NANOS, nanosOf } from "./decimal.ts";
import { marginOf } from "./jackknife.ts";
import type { Row } from "./rows.ts";

/** A rate of both versions. */
export interface Comparison {
  what: "win rate" | "CPM";
  /** Wins per bid, or US dollars per thousand billed impressions. */
  first: number;
  second: number;
  /** The second rate as a part of the first, less 1: 0.05 is five per cent more. */
  difference: number;
  /** Null if the hours are too few. */
  interval: Interval | null;
}

/** The 95 % interval of the difference. */
interface Interval {
  low: number;
  high: number;
  /** The days until it probably excludes 0 if the difference stays; 0: it does now; Infinity: there is no difference. */
  moreDays: number;
}

/** The fewest hours, in which both versions have bid, for an interval. */
export const LEAST_HOURS = 12;

/** Fixed prices of both versions may differ by the rounding of floats, in every hour alike. */
const ROUNDING = 1e-9;

/** Sums of one version. */
interface Sums {
  bids: number;
  wins: number;
  billed: number;
  /** In US dollars. A float is enough for an estimate. */
  spend: number;
}

/** Both versions in one hour, or in a day whose hours the ledger no longer has. */
interface Block {
  /** When it starts, in milliseconds since the epoch. */
  start: number;
  first: Sums;
  second: Sums;
}

/** The versions of a split. */
const SPLIT = ["first", "second"] as const;

/** The comparisons on rows by day, hour and version; none if the rows do not have both of these versions. */
export function comparisonsOf(rows: readonly Row[], [one, other]: readonly [string, string] = SPLIT): Comparison[] {
  const groups = Map.groupBy(rows, ({ day = "", hour }) => hour || day);
  const blocks = [...groups].map(([time, of]): Block => {
    return { start: Date.parse(time), first: sumsOf(of, one), second: sumsOf(of, other) };
  });
  // Hours before and after the split have neither.
  const inSplit = blocks.filter(({ first, second }) => first.bids + second.bids > 0);
  const hasWins = inSplit.some(({ first, second }) => first.wins + second.wins > 0);
  return [
    compared(
      "win rate",
      inSplit,
      ({ wins, billed }) => (hasWins ? wins : billed),
      ({ bids }) => bids,
    ),
    compared(
      "CPM",
      inSplit,
      ({ spend }) => spend * 1000,
      ({ billed }) => billed,
    ),
  ].filter((comparison) => comparison !== null);
}

function sumsOf(rows: readonly Row[], version: string): Sums {
  const sum = (of: (row: Row) => number) =>
    rows.reduce((sum, row) => ((row.version ?? "") === version ? sum + of(row) : sum), 0);
  return {
    ...{ bids: sum(({ bids }) => bids), wins: sum(({ wins }) => wins), billed: sum(({ billed }) => billed) },
    spend: sum(({ spend_usd }) => Number(nanosOf(spend_usd) ?? 0n) / Number(NANOS)),
  };
}

/** Compares the rate `above / below` of both versions; null if one has none. */
function compared(
  what: Comparison["what"],
  blocks: readonly Block[],
  above: (sums: Sums) => number,
  below: (sums: Sums) => number,
): Comparison | null {
  const terms = blocks.map(({ first, second }) => [above(first), below(first), above(second), below(second)] as const);
  const sums = [0, 1, 2, 3].map((at) => terms.reduce((sum, term) => sum + (term[at] ?? 0), 0));
  const logOf = ([a = 0, b = 0, c = 0, d = 0]: number[]) => Math.log(c / d) - Math.log(a / b);
  const [a = 0, b = 0, c = 0, d = 0] = sums;
  const whole = logOf(sums);
  if (!Number.isFinite(whole)) return null;
  const without = terms.map((term) => logOf(sums.map((sum, at) => sum - (term[at] ?? 0))));
  const both = blocks.filter(({ first, second }) => first.bids > 0 && second.bids > 0).length;
  const isEnough = both >= LEAST_HOURS && without.every(Number.isFinite);
  const interval = isEnough ? intervalOf(whole, without, blocks) : null;
  return { what, first: a / b, second: c / d, difference: Math.expm1(whole), interval };
}

/** `whole`: the logarithm of the ratio. `without`: the same without each of the blocks. */
function intervalOf(whole: number, without: number[], blocks: readonly Block[]): Interval {
  const margin = marginOf(without);
  // The margin shrinks with the square root of the time.
  const starts = blocks.map(({ start }) => start);
  const days = (Math.max(...starts) - Math.min(...starts)) / DAY_MS;
  const isEqual = Math.abs(whole) < ROUNDING;
  const moreDays = isEqual ? Number.POSITIVE_INFINITY : Math.max(0, days * ((margin / whole) ** 2 - 1));
  return { low: Math.expm1(whole - margin), high: Math.expm1(whole + margin), moreDays };
}

/** Above this, more days are not worth a number. */
const MOST_DAYS = 60;

/** A comparison as a sentence. `other`: what differs from the rest. */
export function comparisonText({ what, difference, interval }: Comparison, other = "in the second version"): string {
  if (interval === null) {
    return `${what}: too early to tell; an interval needs ${LEAST_HOURS} hours in which both have bid, and wins and bills of both`;
  }
  const { low, high, moreDays } = interval;
  const found = `${what}: ${percent(difference)} ${other} (95 % interval ${percent(low)} to ${percent(high)})`;
  if (moreDays === 0) return found;
  const days = Math.ceil(moreDays);
  const more = days > MOST_DAYS ? `more than ${MOST_DAYS} days` : `about ${days} more day${days === 1 ? "" : "s"}`;
  return `${found}: no difference is shown yet; if it stays, ${more} would show it`;
}

function percent(part: number): string {
  return `${part < 0 ? "−" : "+"}${Math.abs(part * 100).toFixed(1)} %`;
}
