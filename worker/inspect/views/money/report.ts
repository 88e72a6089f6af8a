//! Asks for reports. All amounts and sums are those of the Worker, as decimal texts.

import type { Dimension } from "../../../src/ledger/rows.ts";
import { nanosOf } from "../../../src/report/decimal.ts";
import type { Row } from "../../../src/report/rows.ts";
import { ask } from "../../ask.ts";
import type { Days } from "./range.ts";

export type { Row };

/** The rows of the days, separated by these attributes and by currency. */
export async function rowsOf({ from, to }: Days, by: Dimension[], signal: AbortSignal): Promise<Row[]> {
  const query = new URLSearchParams({ from, to, by: by.join(",") });
  const { rows } = await ask<{ rows: Row[] }>(`/report?${query}`, { signal });
  return rows;
}

/** An amount in billionths, for the length of a bar. */
export function lengthOf(amount: string | undefined): bigint {
  return nanosOf(amount ?? "") ?? 0n;
}

/**
 * Writes the amounts of a column with as many places as the longest of them has, but at least two. So the points stand
 * below each other, and no place is lost. An empty amount is `–`.
 */
export function columnOf(amounts: string[]): (amount: string) => string {
  const placesOf = (amount: string) => amount.split(".")[1] ?? "";
  const most = Math.max(2, ...amounts.map((amount) => placesOf(amount).length));
  return (amount) => (amount === "" ? "–" : `${amount.split(".")[0]}.${placesOf(amount).padEnd(most, "0")}`);
}

/** A rate with four places, such as `0.1250`, as `12.50 %`; `–` without one. */
export function rateText(rate: string): string {
  const nanos = nanosOf(rate);
  if (nanos === null) return "–";
  // Four places of the rate are two places of its per cent.
  const digits = `${nanos / 100_000n}`.padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)} %`;
}
