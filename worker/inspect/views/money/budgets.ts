//! The budgets: the spend of each, the forecast of the day, and what holds its campaigns back.

import type { Budget } from "../../../../shared/pacing/budgets.ts";
import { WHY } from "../../../../shared/pacing/why.ts";
import { decimal } from "../../../../shared/report/decimal.ts";
import { amountOf, shareText } from "../../../../shared/report/totals.ts";
import { type Child, h } from "../../dom.ts";
import { addressOf } from "../../parts/address.ts";
import { card, chip, key } from "../../parts/blocks.ts";
import { bar } from "../../parts/chart.ts";
import { money } from "../../parts/money.ts";
import { type Column, table } from "../../parts/table.ts";
import { grouped } from "../../parts/text.ts";
import type { Shown } from "./range.ts";
import { TOTAL } from "./report.ts";

/** The characters of a share with nine decimals, which is as many as a column sorts. */
const SHARE_DIGITS = "0.".length + 9;
/** The most campaigns of an order in its row. */
const MOST_MEMBERS = 3;

/** The states, those that need attention first. */
const STATES = Object.keys(WHY);
/** States without a tone stand together here, and so do those of another build. */
const OTHERS = STATES.findIndex((state) => toneOf(state) === "");

/** A budget, or the sums of all budgets in a currency. */
type Line = Omit<Budget, "why" | "state"> & { why?: string; state?: string };

/** The card of all budgets, those in need of attention first. A campaign leads to what it bought on the days of `shown`. */
export function budgetsCard(shown: () => Shown): (budgets: Budget[]) => HTMLElement {
  const name = ({ cid, order, members = [], why }: Line): Child => {
    if (why === undefined) return TOTAL;
    const link = (campaign: string) => h("a.says", { href: addressOf("money", { ...shown(), campaign }) }, campaign);
    if (order === undefined) return link(cid ?? "");
    const more = members.length > MOST_MEMBERS && `, ${grouped(members.length - MOST_MEMBERS)} more`;
    const links = members.slice(0, MOST_MEMBERS).map((member, n) => [n > 0 && ", ", link(member)]);
    return [h("span.soft", "order "), h("span.says", order), h("span.soft", ": ", links, more)];
  };
  const columns: Column<Line>[] = [
    { title: "Budget", value: ({ cid, order, members }) => [cid ?? order, ...(members ?? [])].join(" "), of: name },
    { title: "State", of: ({ why = "", state = "" }) => why && chip(why, `says.${toneOf(state)}`) },
    { title: "Used", isNumber: true, value: usedPercent, of: usedBar },
    amounts("Spent", ({ spent }) => spent),
    amounts("Of a day", ({ daily }) => daily),
    amounts("Planned by now", ({ planned }) => planned),
    amounts("Forecast", ({ forecast }) => forecast),
    amounts("Spent in all", ({ spent_total }) => spent_total),
    amounts("Of all", ({ total }) => total),
    amounts("Exposed", ({ exposed }) => exposed),
    amounts("Left", ({ left }) => left),
    { title: "Currency", value: ({ cur }) => cur },
    {
      title: "Share",
      isNumber: true,
      value: ({ share }) => share.slice(0, SHARE_DIGITS),
      of: ({ share, why }) => why && shareText(share),
    },
    {
      title: "Requests/s",
      isNumber: true,
      value: ({ requests }) => requests.toFixed(2),
      of: ({ requests, why }) => why && grouped(requests),
    },
    { title: "Pacing", value: ({ pacing, why }) => (why === undefined ? "" : pacing) },
    { title: "Day", of: ({ day }) => day && h("time", day) },
  ];
  const all = table("Budgets", columns, sumsOf);
  const legend = h(
    "p.soft",
    [key("first"), "spent ", key("second"), "exposed. "],
    "Exposed is what bids that are not billed yet may still cost. The share is the part of its requests that a campaign may bid on.",
  );
  const none = h("p.empty", "No campaign has a budget. Those of a push arrive within two minutes.");
  return (budgets) => card("Budgets now", budgets.length === 0 ? [none] : [legend, all.show(byTrouble(budgets))]);
}

function amounts(title: string, of: (budget: Line) => string | undefined): Column<Line> {
  return money(
    title,
    (budget) => of(budget) ?? "",
    ({ cur }) => cur,
  );
}

/** The budgets, those in need of attention first, then those with the least part of their day forecast. */
export function byTrouble(budgets: readonly Budget[]): Budget[] {
  const rank = ({ state, daily, spent }: Budget) => {
    if (daily !== undefined && amountOf(spent) > amountOf(daily)) return -1;
    return toneOf(state) === "" && state !== "paused" ? OTHERS : STATES.indexOf(state);
  };
  const short = ({ forecast, daily }: Budget) => (daily ? Number(forecast) / Number(daily) : 1);
  return budgets.toSorted((a, b) => rank(a) - rank(b) || short(a) - short(b));
}

function toneOf(state: string): string {
  return WHY[state]?.[1] ?? "";
}

/** What is used of the daily budget or, without one, of the total budget. */
function usedOf({ daily, total, spent, spent_total = "0" }: Line): [used: bigint, whole: bigint] {
  return daily === undefined ? [amountOf(spent_total), amountOf(total)] : [amountOf(spent), amountOf(daily)];
}

function usedPercent(budget: Line): string {
  const [used, whole] = usedOf(budget);
  return whole === 0n ? "" : `${(used * 100n) / whole}`;
}

function usedBar(budget: Line): Child {
  const [used, whole] = usedOf(budget);
  if (whole === 0n) return "";
  const parts = [
    { size: used, class: "first" },
    { size: amountOf(budget.exposed), class: "second" },
  ];
  return h("span.used", bar(parts, whole, `${usedPercent(budget)} % used`), `${usedPercent(budget)} %`);
}

/** The sums of the budgets in each currency. */
function sumsOf(budgets: readonly Line[]): Line[] {
  return [...Map.groupBy(budgets, ({ cur }) => cur)].map(([cur, own]) => {
    const sum = (of: (budget: Line) => string | undefined) =>
      decimal(own.reduce((sum, budget) => sum + amountOf(of(budget)), 0n));
    return {
      ...{ order: TOTAL, cur, day: "", pacing: "even", share: "", requests: 0 },
      ...{ daily: sum(({ daily }) => daily), planned: sum(({ planned }) => planned), total: sum(({ total }) => total) },
      ...{ spent: sum(({ spent }) => spent), spent_total: sum(({ spent_total }) => spent_total) },
      ...{ exposed: sum(({ exposed }) => exposed), left: sum(({ left }) => left) },
      forecast: sum(({ forecast }) => forecast),
    };
  });
}
