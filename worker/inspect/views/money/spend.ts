//! The spend: in all, by day and by campaign.

import { h } from "../../dom.ts";
import { card, figures, key } from "../../parts/blocks.ts";
import { bar, bars, largest, sumOf } from "../../parts/chart.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped } from "../../parts/text.ts";
import { type Days, daysBetween } from "./range.ts";
import { columnsOf, lengthOf, type Row, rateText } from "./report.ts";

/** The colour classes of the currencies, one for each. Further currencies share the last class. */
const CLASSES = ["first", "second", "third", "fourth"];

/** One row of figures for each currency. */
export function totals(rows: Row[]): HTMLElement {
  return h("section.card", { "aria-label": "In all" }, rows.map(figuresOf));
}

function figuresOf({ cur, spend, spend_usd, bids, wins, billed, price, win_rate }: Row): HTMLElement {
  return figures([
    ["spent", `${spend} ${cur}`, cur !== "USD" && `${spend_usd} USD`],
    ["billed", grouped(billed), `of ${grouped(bids)} bids (per impression)`],
    ["wins", grouped(wins), wins === 0 && billed > 0 && "no SSP sends notices of wins"],
    ["win rate", rateText(win_rate), wins > 0 ? "wins per bid" : "billed per bid"],
    ["average CPM", price === "" ? "–" : `${price} ${cur}`, "paid for a thousand impressions"],
  ]);
}

/** The spend of each day. Bars are in US dollars, so that several currencies can be stacked. */
export function daysCard(days: Days, rows: Row[]): HTMLElement {
  const curs = [...new Set(rows.map(({ cur }) => cur))];
  const classOf = (cur: string) => CLASSES[curs.indexOf(cur)] ?? "fourth";
  const byDay = Map.groupBy(rows, ({ day = "" }) => day);
  const stacks = daysBetween(days).map((day) => {
    const own = byDay.get(day) ?? [];
    const parts = own.map(({ cur, spend_usd }) => ({ size: lengthOf(spend_usd), class: classOf(cur) }));
    const amounts = own.map(({ spend, cur }) => `${spend} ${cur}`);
    return { title: [day, ...amounts].join("\n"), parts, sum: sumOf(parts), text: `${day}, ${amounts.join(" and ")}` };
  });
  const most = largest(stacks.map(({ sum }) => sum));
  const highest = stacks.find(({ sum }) => sum === most);
  const keys = curs.map((cur) => [key(classOf(cur)), h("span", `${cur || "–"}  `)]);
  const { day, spend, usd, bids, billed, price } = columnsOf(rows);
  const amounts = table("Spend by day", [day, spend, usd, bids, billed, price]);
  return card("By day", [
    bars(stacks, `Spend by day from ${days.from} to ${days.to}; the table below has the amounts`),
    h("p.row.ends.soft", h("span", days.from), h("span", days.to)),
    highest && h("p.soft", `Highest: ${highest.text}`),
    curs.length > 1 && h("p.soft", "In US dollars: ", keys),
    h("details", h("summary", "The days as a table"), amounts.show(rows, "npx edgebid report --by day")),
  ]);
}

/** The spend of each campaign, the largest first. */
export function campaignsCard(rows: Row[]): HTMLElement {
  const most = largest(rows.map(({ spend_usd }) => lengthOf(spend_usd)));
  const hasOther = rows.some(({ cur }) => cur !== "USD");
  const { campaign, spend, usd, price, bids, wins, billed, winRate, billedRate } = columnsOf(rows);
  const share: Column<Row> = {
    title: "Share of the largest",
    of: ({ spend_usd }) => bar([{ size: lengthOf(spend_usd), class: "first" }], most, `${spend_usd} USD`),
  };
  const columns = [campaign, spend, ...(hasOther ? [usd] : []), share, price, bids, wins, billed, winRate, billedRate];
  const spent = table("Spend by campaign, the largest first", columns);
  return card("By campaign", [spent.show(rows, "npx edgebid report --by campaign")]);
}
