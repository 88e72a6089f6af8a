//! The budgets: what is spent of each, what the day is expected to cost, and what holds its campaigns back.

import type { Budget } from "../../../src/pacing/told.ts";
import { h } from "../../dom.ts";
import { bar } from "../../parts/bars.ts";
import { grouped } from "../../parts/text.ts";
import { lengthOf } from "./report.ts";

/** The most budgets that are shown. */
const MOST = 100;

/** The card of all budgets. */
export function budgetsCard(budgets: Budget[]): HTMLElement {
  const left = budgets.length - MOST;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Budgets now"),
    budgets.length === 0
      ? h("p", { class: "empty" }, "No campaign has a budget. Those of a push arrive within two minutes.")
      : h(
          "p",
          { class: "soft" },
          ...keys(),
          "Exposed is what bids that are not billed yet may still cost. The share is the part of its requests that a campaign may bid on.",
        ),
    h("div", { class: "budgets" }, ...budgets.slice(0, MOST).map(budgetPart)),
    left > 0 ? h("p", { class: "soft" }, `${grouped(left)} more: npx edgebid budget lists them all.`) : null,
  );
}

function keys(): (HTMLElement | string)[] {
  return [h("span", { class: "key first" }), "spent ", h("span", { class: "key second" }), "exposed. "];
}

function budgetPart(budget: Budget): HTMLElement {
  const { cid, order, members, cur, day, pacing, daily, total, spent, spent_total, exposed, left, forecast, why } =
    budget;
  const whole = daily ?? total;
  const done = daily === undefined ? (spent_total ?? spent) : spent;
  const amount = (text: string) => `${text} ${cur}`;
  const facts: [string, string | undefined][] = [
    ["daily budget", daily === undefined ? undefined : `${amount(spent)} of ${amount(daily)} on ${day}`],
    ["total budget", total === undefined ? undefined : `${amount(spent_total ?? "0")} of ${amount(total)}`],
    ["exposed", amount(exposed)],
    ["left", amount(left)],
    ["forecast of the day", amount(forecast)],
    ["share", `${shareText(budget.share)} of ${grouped(budget.requests)} requests a second`],
    ["pacing", pacing === "even" ? "evenly over the day" : "as soon as possible"],
    ["campaigns", members?.join(", ")],
  ];
  return h(
    "div",
    { class: "budget" },
    h(
      "h3",
      {},
      order === undefined ? null : h("span", { class: "soft" }, "order "),
      h("span", { class: "says" }, order ?? cid ?? ""),
      " ",
      h("span", { class: `chip says ${why === "on plan" ? "good" : "warn"}` }, why),
    ),
    whole === undefined
      ? h("p", { class: "soft" }, "What its flights may spend.")
      : bar(
          [
            { nanos: lengthOf(done), class: "first" },
            { nanos: lengthOf(exposed), class: "second" },
          ],
          lengthOf(whole),
          `${amount(done)} of ${amount(whole)} spent, ${amount(exposed)} exposed`,
        ),
    h(
      "dl",
      {},
      ...facts.flatMap(([name, text]) =>
        text === undefined ? [] : [h("dt", {}, name), h("dd", { class: "says" }, text)],
      ),
    ),
  );
}

/** `0.125` as `12.50 %`. A share is a part of requests, not money. */
function shareText(share: string): string {
  const percent = Number(share) * 100;
  return percent > 0 && percent < 0.01 ? "< 0.01 %" : `${percent.toFixed(2)} %`;
}
