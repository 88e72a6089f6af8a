//! What was spent: in all, and by campaign.

import { h } from "../../dom.ts";
import { bar } from "../../parts/bars.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped, percentText } from "../../parts/text.ts";
import { columnOf, lengthOf, type Row, rateText } from "./report.ts";

/** One row of figures for each currency. */
export function totals(rows: Row[]): HTMLElement {
  return h(
    "section",
    { class: "card", "aria-label": "In all" },
    ...rows.map(({ cur, spend, spend_usd, bids, wins, billed, price, win_rate }) =>
      h(
        "dl",
        { class: "figures" },
        ...figure("spent", `${spend} ${cur}`, cur !== "USD" && `${spend_usd} USD`),
        ...figure("billed", grouped(billed), `of ${grouped(bids)} bids (per impression)`),
        ...figure("wins", grouped(wins), wins === 0 && billed > 0 && "no SSP sends notices of wins"),
        ...figure("win rate", rateText(win_rate), wins > 0 ? "wins per bid" : "billed per bid"),
        ...figure("average CPM", price === "" ? "–" : `${price} ${cur}`, "paid for a thousand impressions"),
      ),
    ),
  );
}

function figure(name: string, value: string, note: string | false): HTMLElement[] {
  return [
    h(
      "div",
      {},
      h("dt", {}, name),
      h("dd", {}, h("strong", {}, value), note ? h("span", { class: "soft" }, note) : null),
    ),
  ];
}

/** The spend of each campaign, the largest first. */
export function campaignsCard(rows: Row[]): HTMLElement {
  const most = rows.reduce((most, { spend_usd }) => (lengthOf(spend_usd) > most ? lengthOf(spend_usd) : most), 1n);
  const hasOther = rows.some(({ cur }) => cur !== "USD");
  const spendText = columnOf(rows.map(({ spend }) => spend));
  const usdText = columnOf(rows.map(({ spend_usd }) => spend_usd));
  const priceText = columnOf(rows.map(({ price }) => price));
  const columns: Column<Row>[] = [
    { title: "Campaign", of: ({ campaign }) => h("span", { class: "says" }, campaign || "–") },
    { title: "Spend", isNumber: true, of: ({ spend, cur }) => `${spendText(spend)} ${cur}` },
    ...(hasOther ? [{ title: "in USD", isNumber: true, of: ({ spend_usd }: Row) => usdText(spend_usd) }] : []),
    {
      title: "Share of the largest",
      of: ({ spend_usd }) => bar([{ nanos: lengthOf(spend_usd), class: "first" }], most, `${spend_usd} USD`),
    },
    { title: "CPM", isNumber: true, of: ({ price }) => priceText(price) },
    { title: "Bids", isNumber: true, of: ({ bids }) => grouped(bids) },
    { title: "Wins", isNumber: true, of: ({ wins }) => grouped(wins) },
    { title: "Billed", isNumber: true, of: ({ billed }) => grouped(billed) },
    { title: "Win rate", isNumber: true, of: ({ bids, wins }) => (wins > 0 ? percentText(wins, bids) : "–") },
    { title: "Billed / bids", isNumber: true, of: ({ bids, billed }) => percentText(billed, bids) },
  ];
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "By campaign"),
    table("Spend by campaign, the largest first", columns, rows, "npx edgebid report --by campaign"),
  );
}
