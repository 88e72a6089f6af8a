//! What each day has cost, as a chart and as a table.

import { h } from "../../dom.ts";
import { chart, type Stack } from "../../parts/bars.ts";
import { card, key, text } from "../../parts/blocks.ts";
import { table } from "../../parts/table.ts";
import { columnsOf } from "./columns.ts";
import type { Days } from "./range.ts";
import { lengthOf, type Row } from "./report.ts";

const DAY_MS = 86_400_000;

/** The classes of the currencies, of which each has its own colour. Further currencies share the last one. */
const CLASSES = ["first", "second", "third", "fourth"] as const;

/** The card. Bars are in US dollars, so that several currencies stand on each other. */
export function daysCard(days: Days, rows: Row[]): HTMLElement {
  const curs = [...new Set(rows.map(({ cur }) => cur))];
  const classOf = (cur: string) => CLASSES[Math.min(curs.indexOf(cur), CLASSES.length - 1)] ?? CLASSES[0];
  const byDay = Map.groupBy(rows, ({ day = "" }) => day);
  const stacks = allDays(days).map((day): Stack => {
    const parts = (byDay.get(day) ?? []).map(({ cur, spend, spend_usd }) => {
      return { nanos: lengthOf(spend_usd), class: classOf(cur), title: `${spend} ${cur}` };
    });
    return { label: day, parts };
  });
  const sums = stacks.map(({ parts }) => parts.reduce((sum, { nanos }) => sum + nanos, 0n));
  const highest = stacks[sums.reduce((best, sum, at) => (sum > (sums[best] ?? 0n) ? at : best), 0)];
  const titles = highest?.parts.map(({ title }) => title) ?? [];
  const keys = curs.flatMap((cur) => [key(classOf(cur)), h("span", {}, `${cur || "–"}  `)]);
  const { day, spend, usd, bids, billed, price } = columnsOf(rows);
  return card("By day", [
    chart(stacks, `Spend by day from ${days.from} to ${days.to}; the table below has the amounts`),
    h("p", { class: "ends soft" }, h("span", {}, days.from), h("span", {}, days.to)),
    titles.length > 0 && text("soft", `Highest: ${highest?.label}, ${titles.join(" and ")}`),
    curs.length > 1 && text("soft", "In US dollars: ", ...keys),
    h(
      "details",
      {},
      h("summary", {}, "The days as a table"),
      table("Spend by day", [day, spend, usd, bids, billed, price], rows, "npx edgebid report --by day"),
    ),
  ]);
}

/** Every day of the range, also those without a row. */
function allDays({ from, to }: Days): string[] {
  const count = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)) + 1;
  return Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * DAY_MS).toISOString().slice(0, 10));
}
