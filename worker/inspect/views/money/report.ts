//! Asks for reports, and shows their rows in columns. All amounts and sums are those of the Worker, as decimal texts.

import type { Dimension } from "../../../src/ledger/rows.ts";
import { nanosOf } from "../../../src/report/decimal.ts";
import { lossText } from "../../../src/report/losses.ts";
import type { Row } from "../../../src/report/rows.ts";
import { ask } from "../../ask.ts";
import { h } from "../../dom.ts";
import type { Column } from "../../parts/table.ts";
import { firstOf, grouped, percentText } from "../../parts/text.ts";
import type { Days } from "./range.ts";

export type { Row };

/** The most reasons in one cell. */
const MOST_REASONS = 3;

/** The rows of the days, grouped by these attributes and by currency. */
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
 * Writes the amounts of a column with as many decimals as the longest of them has, at least two, so that the points are
 * aligned and no decimal is lost. An empty amount is `–`.
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

/** All columns for these rows. Each table chooses the columns that it shows. */
export function columnsOf(rows: Row[]) {
  const spendText = columnOf(rows.map(({ spend }) => spend));
  const usdText = columnOf(rows.map(({ spend_usd }) => spend_usd));
  const priceText = columnOf(rows.map(({ price }) => price));
  const number = (title: string, of: (row: Row) => string): Column<Row> => ({ title, isNumber: true, of });
  return {
    day: { title: "Day", of: ({ day }: Row) => day ?? "" },
    campaign: { title: "Campaign", of: ({ campaign }: Row) => h("span.says", campaign || "–") },
    version: { title: "Version", of: ({ version }: Row) => version || "no split" },
    ssp: { title: "SSP", of: ({ ssp }: Row) => h("span.says", ssp || "–") },
    spend: number("Spend", ({ spend, cur }) => `${spendText(spend)} ${cur}`),
    usd: number("in USD", ({ spend_usd }) => usdText(spend_usd)),
    price: number("CPM", ({ price }) => priceText(price)),
    paid: number("Paid CPM", ({ price, cur }) => (price ? `${priceText(price)} ${cur}` : "–")),
    bids: number("Bids", ({ bids }) => grouped(bids)),
    wins: number("Wins", ({ wins }) => grouped(wins)),
    billed: number("Billed", ({ billed }) => grouped(billed)),
    winRate: number("Win rate", ({ bids, wins }) => (wins > 0 ? percentText(wins, bids) : "–")),
    billedRate: number("Billed / bids", ({ bids, billed }) => percentText(billed, bids)),
    lost: { title: "Lost", of: ({ losses }: Row) => countsCell(losses, lossText) },
    refused: { title: "Notices refused", of: ({ refused }: Row) => countsCell(refused, String) },
  } satisfies Record<string, Column<Row>>;
}

/** The largest counts with their names. */
function countsCell(counts: Record<string, number>, nameOf: (key: string) => string): HTMLElement {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const texts = sorted.map(([key, count]) => `${nameOf(key)} ${grouped(count)}`);
  return h("span.says.wide", firstOf(texts, MOST_REASONS, "reasons") || "–");
}
