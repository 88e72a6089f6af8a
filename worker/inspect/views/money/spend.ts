//! The spend: in all, by day, by campaign, by SSP and creative, with how often bids win.

import { amountOf, rateText } from "../../../../shared/report/totals.ts";
import { daysBetween } from "../../../../shared/time/days.ts";
import { type Child, h } from "../../dom.ts";
import { card, figures, key } from "../../parts/blocks.ts";
import { bars, largest, sumOf } from "../../parts/chart.ts";
import { amount, amountText } from "../../parts/money.ts";
import { table } from "../../parts/table.ts";
import { grouped } from "../../parts/text.ts";
import type { Days, Shown } from "./range.ts";
import { COLUMNS, campaignColumn, type Row, totalsOf } from "./report.ts";

/** The colour classes of the currencies, one for each. Further currencies share the last class. */
const CLASSES = ["first", "second", "third", "fourth"];

/** One row of figures for each currency. */
export function totals(rows: Row[]): HTMLElement {
  return h("section.card", { "aria-label": "In all" }, rows.map(figuresOf));
}

function figuresOf({ cur, spend, spend_usd, bids, wins, billed, price, win_rate }: Row): HTMLElement {
  return figures([
    ["spent", [amount(spend, cur), ` ${cur}`], cur !== "USD" && `${amountText(spend_usd, "USD")} USD`],
    ["billed", grouped(billed), `of ${grouped(bids)} bids (per impression)`],
    ["wins", grouped(wins), wins === 0 && billed > 0 && "no SSP sends notices of wins"],
    ["win rate", rateText(win_rate) || "–", wins > 0 ? "wins per bid" : "billed per bid"],
    ["average CPM", price === "" ? "–" : [amount(price, cur), ` ${cur}`], "paid for a thousand impressions"],
  ]);
}

/**
 * The spend of each day, as a picture and as a table; nothing for a single day. The picture is in US dollars, to stack
 * several currencies.
 */
export function daysCard(): (days: Days, rows: Row[]) => Child {
  const { day, cur, spend, usd, price, bids, billed } = COLUMNS;
  const amounts = table("Spend by day", [day, cur, spend, usd, price, bids, billed], totalsOf);
  const inside = h("details", h("summary", "The days as a table"), amounts.element);
  return (days, rows) => {
    if (days.from === days.to) return null;
    amounts.show(rows);
    return card("By day", [picture(days, rows), inside]);
  };
}

function picture(days: Days, rows: Row[]): Child {
  const curs = [...new Set(rows.map(({ cur }) => cur))];
  const classOf = (cur: string) => CLASSES[curs.indexOf(cur)] ?? "fourth";
  const byDay = Map.groupBy(rows, ({ day = "" }) => day);
  const stacks = daysBetween(days.from, days.to).map((day) => {
    const own = byDay.get(day) ?? [];
    const parts = own.map(({ cur, spend_usd }) => ({ size: amountOf(spend_usd), class: classOf(cur) }));
    const amounts = own.map(({ spend, cur }) => `${amountText(spend, cur)} ${cur}`);
    return { title: [day, ...amounts].join("\n"), parts, sum: sumOf(parts), text: `${day}, ${amounts.join(" and ")}` };
  });
  const most = largest(stacks.map(({ sum }) => sum));
  const highest = stacks.find(({ sum }) => sum === most);
  const keys = curs.map((cur) => [key(classOf(cur)), h("span", `${cur || "–"}  `)]);
  return [
    bars(stacks, `Spend by day from ${days.from} to ${days.to}; the table below has the amounts`),
    h("p.row.ends.soft", h("span", days.from), h("span", days.to)),
    highest && h("p.soft", `Highest: ${highest.text}`),
    curs.length > 1 && h("p.soft", "In US dollars: ", keys),
  ];
}

/** The spend of each campaign, the largest first. A campaign leads to what it bought on the days of `shown`. */
export function campaignsCard(shown: () => Shown): (rows: Row[]) => HTMLElement {
  const { cur, spend, usd, price, bids, wins, billed, winRate, billedRate } = COLUMNS;
  const columns = [campaignColumn(shown), spend, cur, usd, price, bids, wins, billed, winRate, billedRate];
  const spent = table("Spend by campaign", columns, totalsOf);
  return (rows) => card("By campaign", [spent.show(rows)]);
}

/** Where bids win, and why they lose: by SSP, or by SSP and creative for one campaign. */
export function ratesCard(hasCreatives: boolean): (rows: Row[]) => HTMLElement {
  const { ssp, creative, cur, spend, usd, price, bids, wins, billed, winRate, billedRate, lost, refused } = COLUMNS;
  const names = hasCreatives ? [ssp, creative] : [ssp];
  const columns = [...names, bids, wins, winRate, billed, billedRate, spend, cur, usd, price, lost, refused];
  const rates = table(hasCreatives ? "By SSP and creative" : "By SSP", columns, totalsOf);
  const note = h(
    "p.soft",
    "The win rate is wins per bid, from the SSP's notices of wins. An SSP that sends none has a dash: read Billed / bids instead. Bids are counted per impression.",
  );
  return (rows) => card("How often do we win?", [note, rates.show(rows)]);
}
