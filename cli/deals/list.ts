//! `edgebid deals list`: shows the deals of all SSPs, those first that need a decision.

import { countText } from "../../shared/compare/text.ts";
import { print } from "../catalog/print.ts";
import { type Column, number, table, text } from "../money/table.ts";
import { type Asked, dealsOf, isOver, type Known } from "./kept.ts";

export interface ListOptions extends Asked {
  all?: boolean;
}

const COLUMNS: Column<Known>[] = [
  text("deal", ({ id }) => id),
  text("state", ({ states }) => states.join(", ")),
  text("ssp", ({ ssp }) => ssp),
  text("seller", ({ deal, origin }) => deal.seller ?? origin),
  number("floor", ({ deal: { terms } }) => terms.dealfloor && `${terms.dealfloor} ${terms.cur ?? "USD"}`),
  text("ends", ({ deal }) => deal.terms.enddate?.slice(0, "2026-12-01".length) ?? "–"),
  text("campaign", ({ decisions }) => decisions.flatMap(({ campaign }) => campaign || []).join(", ")),
  text("name", ({ deal }) => deal.name ?? ""),
];

export async function listDeals(options: ListOptions): Promise<void> {
  const all = await dealsOf(options);
  const over = all.filter(isOver).length;
  const isOpen = ({ states: [first = ""] }: Known) => Number(["changed", "new"].includes(first));
  const shown = all.filter((deal) => options.all || !isOver(deal)).sort((a, b) => isOpen(b) - isOpen(a));
  const lines = [
    ...(all.length === 0 ? ["no seller has sent a deal yet"] : shown.length > 0 ? table(COLUMNS, shown) : []),
    ...(options.all || over === 0 ? [] : [`${countText(over, "deal")} over: --all shows what is over, too`]),
  ];
  print(options.json, { deals: shown, over }, lines.join("\n"));
}
