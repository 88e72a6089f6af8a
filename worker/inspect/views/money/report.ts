//! Asks for reports, shows their rows in columns, and adds rows up. All amounts are exact decimals.

import type { Dimension } from "../../../../shared/ledger/rows.ts";
import { lossText } from "../../../../shared/report/losses.ts";
import { type Row, winRate } from "../../../../shared/report/rows.ts";
import { largestFirst, rateText, totalOf } from "../../../../shared/report/totals.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { addressOf, parametersOf } from "../../parts/address.ts";
import { money } from "../../parts/money.ts";
import type { Column } from "../../parts/table.ts";
import { firstOf, grouped } from "../../parts/text.ts";
import type { Shown } from "./range.ts";

export type { Row };

interface Report {
  rows: Row[];
  /** The objects of the ledger that do not answer: their totals are missing in the rows. */
  missing?: string[];
}

/** The most reasons in one cell. */
const MOST_REASONS = 3;

/** The name of a row of totals, in place of a campaign, a day or an SSP. */
export const TOTAL = "Total";

/** A report of the days and the campaign, if there is one, grouped by these attributes and by currency. */
export function reportOf(shown: Shown, by: Dimension[], signal: AbortSignal): Promise<Report> {
  // Without `by`, a report is grouped by day and campaign; an empty one asks for a row per currency.
  return ask<Report>(`/report?${parametersOf(shown)}&by=${by.join(",")}`, { signal });
}

/** The rows of {@link reportOf}. */
export async function rowsOf(shown: Shown, by: Dimension[], signal: AbortSignal): Promise<Row[]> {
  return (await reportOf(shown, by, signal)).rows;
}

/**
 * A row for each currency, and one in US dollars if there are others, with the sums of the rows. Campaign, day and SSP
 * say what it is.
 */
export function totalsOf(rows: readonly Row[]): Row[] {
  const each = [...Map.groupBy(rows, ({ cur }) => cur).values()].map((own) => named(totalOf(own), TOTAL));
  const isAllUsd = each.every(({ cur }) => cur === "USD");
  return isAllUsd ? each : [...each, named(totalOf(rows, "spend_usd"), `${TOTAL} in USD`)];
}

function named(total: Row, name: string): Row {
  return { ...total, campaign: name, day: name, ssp: name, creative: "" };
}

const number = (title: string, value: (row: Row) => number): Column<Row> => ({ title, isNumber: true, value });
const text = (title: string, value: (row: Row) => string): Column<Row> => ({ title, value });
const rate = (title: string, value: (row: Row) => string): Column<Row> => {
  return { title, isNumber: true, value, of: (row) => rateText(value(row)) || "–" };
};
const curOf = ({ cur }: Row) => cur;

/** All columns. Each table chooses the columns that it shows. */
export const COLUMNS = {
  day: { title: "Day", value: ({ day = "" }) => day, of: ({ day = "" }) => h("time", day) },
  ssp: text("SSP", ({ ssp = "" }) => ssp),
  creative: text("Creative", ({ creative = "" }) => creative),
  version: text("Version", ({ version }) => version || "no split"),
  cur: text("Currency", curOf),
  spend: money(
    "Spend",
    ({ spend }) => spend,
    curOf,
    ({ spend_usd }) => spend_usd,
  ),
  usd: money(
    "In USD",
    ({ spend_usd }) => spend_usd,
    () => "USD",
  ),
  price: money("CPM", ({ price }) => price, curOf),
  bids: number("Bids", ({ bids }) => bids),
  wins: number("Wins", ({ wins }) => wins),
  billed: number("Billed", ({ billed }) => billed),
  winRate: rate("Win rate", ({ wins, win_rate }) => (wins > 0 ? win_rate : "")),
  billedRate: rate("Billed / bids", ({ bids, billed }) => winRate(bids, 0, billed)),
  lost: counts("Lost", ({ losses }) => losses, lossText),
  refused: counts("Notices refused", ({ refused }) => refused, String),
} satisfies Record<string, Column<Row>>;

/** The campaign as a link to what it bought on the days of `shown`. Totals, which also have a day, are no link. */
export function campaignColumn(shown: () => Shown): Column<Row> {
  const link = ({ campaign = "", ...row }: Row): Child => {
    if (campaign === "" || row.day !== undefined) return campaign;
    return h("a.says", { href: addressOf("money", { ...shown(), campaign }) }, campaign);
  };
  return { title: "Campaign", value: ({ campaign }) => campaign ?? "", of: link };
}

/** The counts with their names, the largest first. */
function counts(title: string, of: (row: Row) => Record<string, number>, nameOf: (key: string) => string): Column<Row> {
  const texts = (row: Row) => {
    return largestFirst(of(row)).map(([key, count]) => `${nameOf(key)} ${grouped(count)}`);
  };
  const cell = (row: Row) => h("span.says.wide", firstOf(texts(row), MOST_REASONS, "reasons") || "–");
  return { title, value: (row) => texts(row).join(", "), of: cell };
}
