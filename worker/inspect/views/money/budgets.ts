//! The budgets: the spend of each, the forecast of the day, and what holds its campaigns back.

import type { Budget } from "../../../src/pacing/budgets.ts";
import { h } from "../../dom.ts";
import { card, chip, facts, key } from "../../parts/blocks.ts";
import { bar } from "../../parts/chart.ts";
import { grouped } from "../../parts/text.ts";
import { lengthOf } from "./report.ts";

/** The most budgets that are shown. */
const MOST = 100;

/** The card of all budgets. */
export function budgetsCard(budgets: Budget[]): HTMLElement {
  const left = budgets.length - MOST;
  const legend = h(
    "p.soft",
    [key("first"), "spent ", key("second"), "exposed. "],
    "Exposed is what bids that are not billed yet may still cost. The share is the part of its requests that a campaign may bid on.",
  );
  const none = h("p.empty", "No campaign has a budget. Those of a push arrive within two minutes.");
  return card("Budgets now", [
    budgets.length === 0 ? none : legend,
    h("div.grid", budgets.slice(0, MOST).map(budgetPart)),
    left > 0 && h("p.soft", `${grouped(left)} more: npx edgebid budget lists them all.`),
  ]);
}

function budgetPart(budget: Budget): HTMLElement {
  const {
    cid,
    order,
    members,
    cur,
    day,
    pacing,
    daily,
    planned,
    total,
    spent,
    spent_total = "0",
    exposed,
    why,
  } = budget;
  const whole = daily ?? total;
  const done = daily === undefined ? spent_total : spent;
  const amount = (text: string) => `${text} ${cur}`;
  const parts = [
    { size: lengthOf(done), class: "first" },
    { size: lengthOf(exposed), class: "second" },
  ];
  const name = [order !== undefined && h("span.soft", "order "), h("span.says", order ?? cid), " "];
  return h(
    "div.budget",
    h("h3", name, chip(why, `says.${why === "on plan" ? "good" : "warn"}`)),
    whole === undefined
      ? h("p.soft", "What its flights may spend.")
      : bar(parts, lengthOf(whole), `${amount(done)} of ${amount(whole)} spent, ${amount(exposed)} exposed`),
    facts([
      ["daily budget", daily !== undefined && `${amount(spent)} of ${amount(daily)} on ${day}`],
      ["planned by now", planned !== undefined && amount(planned)],
      ["total budget", total !== undefined && `${amount(spent_total)} of ${amount(total)}`],
      ["exposed", amount(exposed)],
      ["left", amount(budget.left)],
      ["forecast of the day", amount(budget.forecast)],
      ["share", `${shareText(budget.share)} of ${grouped(budget.requests)} requests a second`],
      ["pacing", pacing === "even" ? "evenly over the day" : "as soon as possible"],
      ["campaigns", members?.join(", ")],
    ]),
  );
}

/** `0.125` as `12.50 %`. A share is a part of requests, not money. */
function shareText(share: string): string {
  const percent = Number(share) * 100;
  return percent > 0 && percent < 0.01 ? "< 0.01 %" : `${percent.toFixed(2)} %`;
}
