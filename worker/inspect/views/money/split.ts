//! The card of a split: how often its versions win, and whether their difference is shown.

import { comparisonsOf, comparisonText } from "../../../../shared/report/comparison.ts";
import { type Child, h } from "../../dom.ts";
import { card } from "../../parts/blocks.ts";
import { table } from "../../parts/table.ts";
import type { Shown } from "./range.ts";
import { COLUMNS, rowsOf } from "./report.ts";

/** The versions of a split by their figures, and what the hours show; nothing without a split. */
export function splitCard(): (shown: Shown, signal: AbortSignal) => Promise<Child> {
  const { version, bids, wins, billed, winRate, billedRate, price, spend, cur } = COLUMNS;
  const figures = table("Bids and wins by version", [
    version,
    bids,
    wins,
    billed,
    winRate,
    billedRate,
    price,
    spend,
    cur,
  ]);
  const inside = h("details", h("summary", "The versions as a table"), figures.element);
  return async (shown, signal) => {
    const rows = await rowsOf(shown, ["version"], signal);
    if (rows.every((row) => row.version !== "first" && row.version !== "second")) return null;
    const byHour = await rowsOf(shown, ["day", "hour", "version"], signal);
    const comparisons = comparisonsOf(byHour).map((comparison) => h("p", comparisonText(comparison)));
    figures.show(rows.filter(({ version }) => version !== "unshaded"));
    return card("Which version of the split is better?", [comparisons, inside]);
  };
}
