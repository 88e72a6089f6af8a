//! The view `#money`: what was spent, what the budgets still allow, and how often bids win.

import type { Listed } from "../../../src/operator/answers.ts";
import type { Budget } from "../../../src/pacing/budgets.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { card } from "../../parts/blocks.ts";
import { commands } from "../../parts/command.ts";
import { fill } from "../../parts/loading.ts";
import { budgetsCard } from "./budgets.ts";
import { daysCard } from "./days.ts";
import { type Days, daysOf, rangeForm } from "./range.ts";
import { capsCard, pricesCard, ratesCard } from "./rates.ts";
import { rowsOf } from "./report.ts";
import { campaignsCard, totals } from "./spend.ts";

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const place = () => h("div", { class: "cards" });
  const [spent, budgets, rates, catalog] = [place(), place(), place(), place()];
  let days = daysOf(location.hash);

  function load(): void {
    fill(spent, left, (signal) => spending(days, signal));
    fill(rates, left, async (signal) => {
      const [bySsp, byDay] = await Promise.all([
        rowsOf(days, ["campaign", "ssp"], signal),
        rowsOf(days, ["day", "campaign", "ssp"], signal),
      ]);
      return [ratesCard(bySsp), pricesCard(byDay)];
    });
    fill(budgets, left, async (signal) => {
      return [budgetsCard((await ask<{ campaigns: Budget[] }>("/budget", { signal })).campaigns)];
    });
  }

  const form = rangeForm(days, (chosen) => {
    days = chosen;
    load();
  });
  const again = h("button", { type: "button", onclick: load }, "Refresh");
  root.append(
    h("h1", {}, "Money"),
    h("div", { class: "choose head" }, form, again),
    h("div", { class: "cards" }, spent, budgets, rates, catalog, ownTerminal()),
  );
  load();
  fill(catalog, left, async (signal) => {
    return [capsCard((await ask<Listed>("/inspect/api/catalog", { signal })).campaigns)];
  });
}

async function spending(days: Days, signal: AbortSignal): Promise<Child[]> {
  const [all, byDay, byCampaign] = await Promise.all([
    rowsOf(days, [], signal),
    rowsOf(days, ["day"], signal),
    rowsOf(days, ["campaign"], signal),
  ]);
  if (all.length === 0) {
    const which = days.from === days.to ? days.from : `${days.from} to ${days.to}`;
    return [
      h("p", { class: "card empty" }, `Nothing was bid or billed: ${which}. Counts arrive here after five seconds.`),
    ];
  }
  return [totals(all), ...(days.from === days.to ? [] : [daysCard(days, byDay)]), campaignsCard(byCampaign)];
}

function ownTerminal(): HTMLElement {
  const url = `--url ${location.origin}`;
  return card("The same in a terminal", [
    commands([
      [`npx edgebid report ${url} --csv`, "The report as a table, as JSON or as CSV."],
      [`npx edgebid budget ${url}`, "The budgets."],
      [`npx edgebid reconcile invoice.csv ${url}`, "Compare the ledger with the invoice of an exchange."],
    ]),
  ]);
}
