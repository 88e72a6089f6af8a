//! Adds up rows of a report, and shows rates and shares, for the commands and the inspector.

import type { Counts } from "../formats/format.ts";
import { decimal, nanosOf, rounded } from "./decimal.ts";
import { averagePrice, type Row, winRate } from "./rows.ts";

/** An amount in billionths; 0 without one. */
export function amountOf(amount: string | undefined): bigint {
  return nanosOf(amount ?? "") ?? 0n;
}

/** The sum of rows of one currency. With `spend_usd`, of rows of any currency, in US dollars. */
export function totalOf(rows: readonly Row[], amount: "spend" | "spend_usd" = "spend"): Row {
  const sum = (name: "bids" | "wins" | "billed" | "assumed") => rows.reduce((sum, row) => sum + row[name], 0);
  const money = (name: "spend" | "spend_usd") => rows.reduce((sum, row) => sum + amountOf(row[name]), 0n);
  const counts = (name: "losses" | "refused" | "differs") => sumsOf(rows.map((row) => row[name]));
  const [bids, wins, billed, spend] = [sum("bids"), sum("wins"), sum("billed"), money(amount)];
  return {
    ...{ cur: amount === "spend" ? (rows[0]?.cur ?? "") : "USD", bids, wins, billed, assumed: sum("assumed") },
    ...{ losses: counts("losses"), refused: counts("refused"), differs: counts("differs") },
    ...{ spend: decimal(spend), spend_usd: decimal(money("spend_usd")) },
    ...{ win_rate: winRate(bids, wins, billed), price: averagePrice(spend, billed) },
  };
}

/** The sums of several counts, name by name. */
export function sumsOf(all: Counts[]): Counts {
  // A name may be that of a member of every object, such as "constructor".
  const sums = new Map<string, number>();
  for (const [name, count] of all.flatMap(Object.entries<number>)) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}

/** The counts with their names, the largest first. */
export function largestFirst(counts: Counts): [name: string, count: number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}

/** A rate with four decimals, such as `0.1250`, as `12.50 %`; empty without one. */
export function rateText(rate: string): string {
  const nanos = nanosOf(rate);
  return nanos === null ? "" : `${rounded(nanos, 10_000_000n, 2)} %`;
}

/** The share of requests of a budget, such as `0.125`, as `12.50 %`. */
export function shareText(share: string): string {
  const percent = Number(share) * 100;
  return percent > 0 && percent < 0.01 ? "< 0.01 %" : `${percent.toFixed(2)} %`;
}
