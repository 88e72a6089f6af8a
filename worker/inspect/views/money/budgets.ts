//! The budgets: what is spent of each, what the day is expected to cost, and what holds its campaigns back.

import type { Budget } from "../../../src/pacing/budgets.ts";
import { h } from "../../dom.ts";
import { bar } from "../../parts/bars.ts";
import { card, chip, facts, key, says, text } from "../../parts/blocks.ts";
import { grouped } from "../../parts/text.ts";
import { lengthOf } from "./report.ts";

/** The most budgets that are shown. */
const MOST = 100;

/** The card of all budgets. */
export function budgetsCard(budgets: Budget[]): HTMLElement {
  const left = budgets.length - MOST;
  const legend = text(
    "soft",
    ...[key("first"), "spent ", key("second"), "exposed. "],
    "Exposed is what bids that are not billed yet may still cost. The share is the part of its requests that a campaign may bid on.",
  );
  const none = text("empty", "No campaign has a budget. Those of a push arrive within two minutes.");
  return card("Budgets now", [
    budgets.length === 0 ? none : legend,
    h("div", { class: "budgets" }, ...budgets.slice(0, MOST).map(budgetPart)),
    left > 0 && text("soft", `${grouped(left)} more: npx edgebid budget lists them all.`),
  ]);
}

function budgetPart(budget: Budget): HTMLElement {
  const { cid, order, members, cur, day, pacing, daily, total, spent, spent_total, exposed, left, forecast, why } =
    budget;
  const whole = daily ?? total;
  const done = daily === undefined ? (spent_total ?? spent) : spent;
  const amount = (text: string) => `${text} ${cur}`;
  const parts = [
    { nanos: lengthOf(done), class: "first" },
    { nanos: lengthOf(exposed), class: "second" },
  ];
  const name = [order !== undefined && h("span", { class: "soft" }, "order "), says(order ?? cid ?? ""), " "];
  return h(
    "div",
    { class: "budget" },
    h("h3", {}, ...name, chip(why, `says ${why === "on plan" ? "good" : "warn"}`)),
    whole === undefined
      ? text("soft", "What its flights may spend.")
      : bar(parts, lengthOf(whole), `${amount(done)} of ${amount(whole)} spent, ${amount(exposed)} exposed`),
    facts([
      ["daily budget", daily !== undefined && `${amount(spent)} of ${amount(daily)} on ${day}`],
      ["total budget", total !== undefined && `${amount(spent_total ?? "0")} of ${amount(total)}`],
      ["exposed", amount(exposed)],
      ["left", amount(left)],
      ["forecast of the day", amount(forecast)],
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
