//! The view `#money`: what was spent, what the budgets still allow, and how often bids win.

import type { Listed } from "../../../src/inspect/listed.ts";
import type { Budget } from "../../../src/pacing/told.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { command } from "../../parts/command.ts";
import { fill } from "../../parts/loading.ts";
import { budgetsCard } from "./budgets.ts";
import { daysCard } from "./days.ts";
import { type Days, daysOf, rangeForm } from "./range.ts";
import { capsCard, pricesCard, ratesCard } from "./rates.ts";
import { rowsOf } from "./report.ts";
import { campaignsCard, totals } from "./spend.ts";

/** Shows the view. */
export function mount(root: HTMLElement): () => void {
  const [spent, rates] = [h("div", { class: "cards" }), h("div", { class: "cards" })];
  const [budgets, catalog] = [h("div", { class: "cards" }), h("div", { class: "cards" })];
  let endReports = () => {};
  let days = daysOf(location.hash);
  const again = h("button", { type: "button", onclick: () => load() }, "Refresh");

  /** Puts the part of a page into its place, and gives what ends it. */
  function load(): void {
    endReports();
    const ends = [
      fill(spent, (signal) => spending(days, signal)),
      fill(rates, async (signal) => {
        const [bySsp, byDay] = await Promise.all([
          rowsOf(days, ["campaign", "ssp"], signal),
          rowsOf(days, ["day", "campaign", "ssp"], signal),
        ]);
        return [ratesCard(bySsp), pricesCard(byDay)];
      }),
      fill(budgets, async (signal) => [
        budgetsCard((await ask<{ campaigns: Budget[] }>("/budget", { signal })).campaigns),
      ]),
    ];
    endReports = () => {
      for (const end of ends) end();
    };
  }

  const form = rangeForm(days, (chosen) => {
    days = chosen;
    load();
  });
  root.append(
    h("h1", {}, "Money"),
    h("div", { class: "head" }, form, again),
    h("div", { class: "cards" }, spent, budgets, rates, catalog, ownTerminal()),
  );
  load();
  const endCatalog = fill(catalog, async (signal) => [
    capsCard((await ask<Listed>("/inspect/api/catalog", { signal })).campaigns),
  ]);
  return () => {
    endReports();
    endCatalog();
  };
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
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "The same in a terminal"),
    h(
      "div",
      { class: "commands" },
      command(`npx edgebid report --url ${location.origin} --csv`, "The report as a table, as JSON or as CSV."),
      command(`npx edgebid budget --url ${location.origin}`, "The budgets."),
      command(
        `npx edgebid reconcile invoice.csv --url ${location.origin}`,
        "Compare the ledger with the invoice of an exchange.",
      ),
    ),
  );
}
