//! The view `#money`: the spend, the rest of the budgets, and how often bids win.

import type { Listed } from "../../../src/operator/answers.ts";
import type { Budget } from "../../../src/pacing/budgets.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { button, card } from "../../parts/blocks.ts";
import { commands } from "../../parts/command.ts";
import { fill } from "../../parts/loading.ts";
import { budgetsCard } from "./budgets.ts";
import { type Days, daysOf, rangeForm } from "./range.ts";
import { rowsOf } from "./report.ts";
import { campaignsCard, daysCard, totals } from "./spend.ts";
import { capsCard, pricesCard, ratesCard, splitCard } from "./wins.ts";

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  const place = () => h("div.stack");
  const [spent, budgets, wins, caps] = [place(), place(), place(), place()];
  let days = daysOf(location.hash);

  function load(): void {
    void fill(spent, left, (signal) => spending(days, signal));
    void fill(wins, left, async (signal) => {
      const [bySsp, byDay] = await Promise.all([
        rowsOf(days, ["campaign", "ssp"], signal),
        rowsOf(days, ["day", "campaign", "ssp"], signal),
      ]);
      const byVersion = await rowsOf(days, ["version"], signal);
      const isSplit = byVersion.some(({ version }) => version);
      const byHour = isSplit ? await rowsOf(days, ["day", "hour", "version"], signal) : [];
      return [ratesCard(bySsp), splitCard(byVersion, byHour), pricesCard(byDay)];
    });
    void fill(budgets, left, async (signal) => {
      return budgetsCard((await ask<{ campaigns: Budget[] }>("/budget", { signal })).campaigns);
    });
  }

  const form = rangeForm(days, (chosen) => {
    days = chosen;
    load();
  });
  const url = `--url ${location.origin}`;
  const inTerminal = commands([
    [`npx edgebid report ${url} --csv`, "The report as a table, as JSON or as CSV."],
    [`npx edgebid budget ${url}`, "The budgets."],
    [`npx edgebid reconcile invoice.csv ${url}`, "Compare the ledger with the invoice of an exchange."],
  ]);
  root.append(
    h("h1", "Money"),
    h("div.row", form, button("Refresh", load)),
    h("div.stack", spent, budgets, wins, caps, card("The same in a terminal", [inTerminal])),
  );
  load();
  void fill(caps, left, async (signal) => {
    return capsCard((await ask<Listed>("/inspect/api/catalog", { signal })).campaigns);
  });
}

async function spending(days: Days, signal: AbortSignal): Promise<Child> {
  const [all, byDay, byCampaign] = await Promise.all([
    rowsOf(days, [], signal),
    rowsOf(days, ["day"], signal),
    rowsOf(days, ["campaign"], signal),
  ]);
  const isOneDay = days.from === days.to;
  if (all.length > 0) return [totals(all), !isOneDay && daysCard(days, byDay), campaignsCard(byCampaign)];
  const which = isOneDay ? days.from : `${days.from} to ${days.to}`;
  return h("p.card.empty", `Nothing was bid or billed: ${which}. Counts arrive here after five seconds.`);
}
