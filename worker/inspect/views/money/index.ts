//! The view `#money`: the budgets, the spend, and how often bids win; of all campaigns, or of the one in the address.

import type { Budget } from "../../../../shared/pacing/budgets.ts";
import { ask } from "../../ask.ts";
import { type Child, h } from "../../dom.ts";
import { addressOf, follow } from "../../parts/address.ts";
import { button, card } from "../../parts/blocks.ts";
import { commands } from "../../parts/command.ts";
import { fill } from "../../parts/loading.ts";
import { budgetsCard } from "./budgets.ts";
import { pricesCard } from "./prices.ts";
import { rangeForm, type Shown, shownOf } from "./range.ts";
import { reportOf, rowsOf } from "./report.ts";
import { campaignsCard, daysCard, ratesCard, totals } from "./spend.ts";
import { splitCard } from "./split.ts";

/** Shows the view. */
export function mount(root: HTMLElement, left: AbortSignal): void {
  follow(root, left, content);
}

function content(left: AbortSignal): Child {
  let shown = shownOf();
  const { campaign } = shown;
  const [budgets, spent] = [h("div.stack"), h("div.stack")];
  const budgetsOf = budgetsCard(() => shown);
  const parts = campaign === "" ? everything(() => shown) : bought();

  function load(): void {
    void fill(spent, left, async (signal) => {
      const days = shown.from === shown.to ? shown.from : `${shown.from} to ${shown.to}`;
      const { rows, missing = [] } = await reportOf(shown, [], signal);
      const lack = `A part of the ledger does not answer, so amounts are too low: ${missing.join(", ")}.`;
      const warning = missing.length > 0 && h("p.note", lack);
      if (rows.length > 0) return [warning, totals(rows), await parts(shown, signal)];
      return [warning, h("p.card.empty", `Nothing was bid or billed: ${days}. Counts arrive here after five seconds.`)];
    });
    void fill(budgets, left, async (signal) => {
      const all = (await ask<{ campaigns: Budget[] }>("/budget", { signal })).campaigns;
      const isOwn = ({ cid, members }: Budget) => cid === campaign || members?.includes(campaign);
      return budgetsOf(campaign === "" ? all : all.filter(isOwn));
    });
  }

  const form = rangeForm(shown, (chosen) => {
    shown = chosen;
    load();
  });
  const url = `--url ${location.origin}`;
  const inTerminal = commands([
    [`npx edgebid report ${url} --csv`, "The report as a table, as JSON or as CSV."],
    [`npx edgebid budget ${url}`, "The budgets."],
    [`npx edgebid reconcile invoice.csv ${url}`, "Compare the ledger with the invoice of an exchange."],
  ]);
  load();
  return [
    campaign === "" ? h("h1", "Money") : heading(shown),
    h("div.row", form, button("Refresh", load)),
    h("div.stack", budgets, spent, campaign === "" && card("The same in a terminal", [inTerminal])),
  ];
}

function heading({ campaign, ...days }: Shown): Child {
  return [
    h("h1", "Money of ", h("span.says", campaign)),
    h(
      "p",
      h("a", { href: addressOf("money", days) }, "All campaigns"),
      " · ",
      h("a", { href: addressOf("catalog", { campaign }) }, "What it does"),
    ),
  ];
}

/** Draws the cards of a report below its totals. */
type Parts = (shown: Shown, signal: AbortSignal) => Promise<Child>;

/** The cards of all campaigns. Their tables stay when other days are shown. */
function everything(shown: () => Shown): Parts {
  const [byDay, byCampaign, bySsp, ofSplit] = [daysCard(), campaignsCard(shown), ratesCard(false), splitCard()];
  return async (shown, signal) => {
    const [days, campaigns, ssps, split] = await Promise.all([
      rowsOf(shown, ["day"], signal),
      rowsOf(shown, ["campaign"], signal),
      rowsOf(shown, ["ssp"], signal),
      ofSplit(shown, signal),
    ]);
    return [byDay(shown, days), byCampaign(campaigns), bySsp(ssps), split];
  };
}

/** The cards of one campaign: what it bought. */
function bought(): Parts {
  const [byDay, byRate] = [daysCard(), ratesCard(true)];
  return async (shown, signal) => {
    const [days, rates, prices] = await Promise.all([
      rowsOf(shown, ["day"], signal),
      rowsOf(shown, ["ssp", "creative"], signal),
      rowsOf(shown, ["day", "ssp"], signal),
    ]);
    return [byDay(shown, days), byRate(rates), pricesCard(prices)];
  };
}
