//! The columns of the tables of money. Each table names those that it shows.

import { lossText } from "../../../src/report/losses.ts";
import { says } from "../../parts/blocks.ts";
import type { Column } from "../../parts/table.ts";
import { grouped, percentText } from "../../parts/text.ts";
import { columnOf, type Row } from "./report.ts";

/** The most reasons in one cell. */
const MOST_REASONS = 3;

/** All columns for these rows; amounts have as many places as the longest one of their column. */
export function columnsOf(rows: Row[]) {
  const spendText = columnOf(rows.map(({ spend }) => spend));
  const usdText = columnOf(rows.map(({ spend_usd }) => spend_usd));
  const priceText = columnOf(rows.map(({ price }) => price));
  const number = (title: string, of: (row: Row) => string): Column<Row> => ({ title, isNumber: true, of });
  return {
    day: { title: "Day", of: ({ day }: Row) => day ?? "" },
    campaign: { title: "Campaign", of: ({ campaign }: Row) => says(campaign || "–") },
    ssp: { title: "SSP", of: ({ ssp }: Row) => says(ssp || "–") },
    spend: number("Spend", ({ spend, cur }) => `${spendText(spend)} ${cur}`),
    usd: number("in USD", ({ spend_usd }) => usdText(spend_usd)),
    price: number("CPM", ({ price }) => priceText(price)),
    paid: number("Paid CPM", ({ price, cur }) => (price ? `${priceText(price)} ${cur}` : "–")),
    bids: number("Bids", ({ bids }) => grouped(bids)),
    wins: number("Wins", ({ wins }) => grouped(wins)),
    billed: number("Billed", ({ billed }) => grouped(billed)),
    winRate: number("Win rate", ({ bids, wins }) => (wins > 0 ? percentText(wins, bids) : "–")),
    billedRate: number("Billed / bids", ({ bids, billed }) => percentText(billed, bids)),
    lost: { title: "Lost", of: ({ losses }: Row) => says(countsText(losses, lossText), "wide") },
    refused: { title: "Notices refused", of: ({ refused }: Row) => says(countsText(refused, String), "wide") },
  } satisfies Record<string, Column<Row>>;
}

/** The largest counts with their names. */
function countsText(counts: Record<string, number>, nameOf: (key: string) => string): string {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const texts = sorted.slice(0, MOST_REASONS).map(([key, count]) => `${nameOf(key)} ${grouped(count)}`);
  const more = sorted.length - MOST_REASONS;
  return [...texts, ...(more > 0 ? [`${more} more reasons`] : [])].join(", ") || "–";
}
