//! What was spent: in all, and by campaign.

import { h } from "../../dom.ts";
import { bar } from "../../parts/bars.ts";
import { card, figures } from "../../parts/blocks.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped } from "../../parts/text.ts";
import { columnsOf } from "./columns.ts";
import { lengthOf, type Row, rateText } from "./report.ts";

/** One row of figures for each currency. */
export function totals(rows: Row[]): HTMLElement {
  return h("section", { class: "card", "aria-label": "In all" }, ...rows.map(ofCurrency));
}

function ofCurrency({ cur, spend, spend_usd, bids, wins, billed, price, win_rate }: Row): HTMLElement {
  return figures([
    ["spent", `${spend} ${cur}`, cur !== "USD" && `${spend_usd} USD`],
    ["billed", grouped(billed), `of ${grouped(bids)} bids (per impression)`],
    ["wins", grouped(wins), wins === 0 && billed > 0 && "no SSP sends notices of wins"],
    ["win rate", rateText(win_rate), wins > 0 ? "wins per bid" : "billed per bid"],
    ["average CPM", price === "" ? "–" : `${price} ${cur}`, "paid for a thousand impressions"],
  ]);
}

/** The spend of each campaign, the largest first. */
export function campaignsCard(rows: Row[]): HTMLElement {
  const most = rows.reduce((most, { spend_usd }) => (lengthOf(spend_usd) > most ? lengthOf(spend_usd) : most), 1n);
  const hasOther = rows.some(({ cur }) => cur !== "USD");
  const { campaign, spend, usd, price, bids, wins, billed, winRate, billedRate } = columnsOf(rows);
  const share: Column<Row> = {
    title: "Share of the largest",
    of: ({ spend_usd }) => bar([{ nanos: lengthOf(spend_usd), class: "first" }], most, `${spend_usd} USD`),
  };
  const columns = [campaign, spend, ...(hasOther ? [usd] : []), share, price, bids, wins, billed, winRate, billedRate];
  const caption = "Spend by campaign, the largest first";
  return card("By campaign", [table(caption, columns, rows, "npx edgebid report --by campaign")]);
}
