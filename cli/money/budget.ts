//! `edgebid budget`: asks a bidder for its budgets, and prints them as a table with bars, or one budget in full, or
//! JSON.

import { Failure } from "../../build/failure.mjs";
import type { Budget } from "../../shared/pacing/budgets.ts";
import { nanosOf, rounded } from "../../shared/report/decimal.ts";
import { amountOf, shareText } from "../../shared/report/totals.ts";
import { print } from "../catalog/print.ts";
import { alarmsText } from "./alarms.ts";
import { budgetsOf } from "./client.ts";
import { aligned, type Column, filled, grouped, money, number, shown, table, text } from "./table.ts";

/** Options of the command. */
export interface BudgetOptions {
  url: string;
  json?: boolean;
}

/** Prints the budgets. Throws `Failure` if the bidder gives none, or does not have this campaign or order. */
export async function budget(id: string | undefined, { url, json }: BudgetOptions): Promise<void> {
  const { campaigns: budgets, alarms = [] } = await budgetsOf(url, id);
  const [first] = budgets;
  if (id !== undefined && first === undefined)
    throw new Failure(`${url} serves no campaign or order ${shown(id)} with a budget; npx edgebid budget lists them`);
  // A program that reads the budgets gets nothing else on the standard output.
  process[json ? "stderr" : "stdout"].write(alarmsText(alarms));
  const none = "the pacer knows no campaign with a budget; after a push it needs up to two minutes";
  print(json, budgets, first === undefined ? none : id === undefined ? listText(budgets) : fullText(first));
}

const COLUMNS: Column<Budget>[] = [
  text("campaign", nameOf),
  text("day", ({ day }) => day),
  ...(["daily", "planned", "spent", "exposed", "left", "forecast"] as const).map((name) =>
    money<Budget>(name, (budget) => nanosOf(budget[name] ?? "")),
  ),
  text("cur", ({ cur }) => shown(cur)),
  number("share", ({ share }) => shareText(share)),
  text("why", ({ why }) => shown(why)),
];

/** The id of the campaign or the order. */
function nameOf({ cid, order }: Budget): string {
  return shown(order ?? cid ?? "");
}

function listText(budgets: Budget[]): string {
  const bars = aligned([text("", nameOf), text("", barText)], budgets);
  return [...table(COLUMNS, budgets), "", "spent █ and exposed ▒ of the budget", ...bars].join("\n");
}

function fullText(budget: Budget): string {
  const { members, cur, day, pacing, daily, planned, total, spent_total, spent, exposed, left, forecast } = budget;
  const named = {
    spent,
    "planned by now": planned,
    exposed,
    left,
    forecast,
    "daily budget": daily,
    "total budget": total,
    "spent in all": spent_total,
  };
  const known = Object.entries(named).filter(([, amount]) => amount !== undefined);
  const columns = [
    text<(typeof known)[number]>("", ([name]) => name.padEnd(14)),
    money<(typeof known)[number]>("", ([, amount]) => nanosOf(amount ?? "")),
  ];
  return [
    `${nameOf(budget)} on ${day}, ${pacing === "even" ? "spent evenly" : "spent as soon as possible"}`,
    "",
    ...aligned(columns, known).map((line) => `${line} ${shown(cur)}`),
    "",
    `share           ${shareText(budget.share)} of ${grouped(budget.requests)} requests a second`,
    `why             ${shown(budget.why)}`,
    ...(members ? [`campaigns       ${members.map(shown).join(", ")}`] : []),
    "",
    barText(budget),
  ].join("\n");
}

/** The spent and exposed parts of the daily budget; without one, of the total budget. */
function barText({ daily, total, spent, spent_total, exposed, forecast }: Budget): string {
  const whole = amountOf(daily ?? total);
  const done = amountOf(daily === undefined ? spent_total : spent);
  const percent = (part: bigint) => (whole > 0n ? `${rounded(part * 100n, whole, 1)} %` : "–");
  const ahead = daily === undefined ? "" : `, forecast ${percent(amountOf(forecast))}`;
  return `${filled([done, amountOf(exposed)], whole)}  ${percent(done)}${ahead}`;
}
