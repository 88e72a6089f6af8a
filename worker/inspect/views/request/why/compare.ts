//! Two versions' decisions on one request, side by side.

import { h } from "../../../dom.ts";
import { card } from "../../../parts/blocks.ts";
import { type Column, table } from "../../../parts/table.ts";
import { countText } from "../../../parts/text.ts";
import { bidsOf, type Report, rowsOf } from "../report.ts";

/** What one version says, by subject: the outcome, each impression's bids, each campaign's check. */
function saidBy(report: Report): Map<string, string> {
  const said = new Map([
    ["outcome", report.outcome],
    ["privacy", report.privacy],
  ]);
  const add = (subject: string, text: string) => {
    const known = said.get(subject);
    said.set(subject, known === undefined ? text : `${known}\n${text}`);
  };
  for (const { imp, bid } of bidsOf(report)) {
    const deal = bid.dealid ? ` under ${bid.dealid}` : "";
    add(`bids on impression ${imp.id}`, `${bid.cid} with ${bid.crid}${deal}: ${bid.price} ${report.cur ?? ""}`);
  }
  for (const imp of report.imps ?? []) {
    for (const { cid, dealid, reason, wanted, found } of rowsOf(report, imp)) {
      const sides = wanted || found ? ` (wanted ${wanted || "–"}; found ${found || "–"})` : "";
      add(`${cid} on impression ${imp.id}`, `${reason}${dealid ? ` under ${dealid}` : ""}${sides}`);
    }
  }
  return said;
}

/** The subjects on which the two versions differ, and how many are the same. A missing text is null. */
export function differences(
  one: Report,
  other: Report,
): { rows: { subject: string; one: string | null; other: string | null }[]; same: number } {
  const [a, b] = [saidBy(one), saidBy(other)];
  const subjects = [...new Set([...a.keys(), ...b.keys()])];
  const rows = subjects
    .filter((subject) => a.get(subject) !== b.get(subject))
    .map((subject) => ({ subject, one: a.get(subject) ?? null, other: b.get(subject) ?? null }));
  return { rows, same: subjects.length - rows.length };
}

/** The card of the comparison. */
export function compareCard(one: Report, other: Report): HTMLElement {
  const { rows, same } = differences(one, other);
  const nameOf = ({ catalog }: Report) => catalog.slice(0, 8);
  const said = (text: string | null) => text ?? h("span", { class: "soft" }, "does not say this");
  const columns: Column<(typeof rows)[number]>[] = [
    { title: "Subject", of: ({ subject }) => subject },
    { title: `Asked: ${nameOf(one)}`, of: (row) => said(row.one) },
    { title: `Compared with: ${nameOf(other)}`, of: (row) => said(row.other) },
  ];
  const summary =
    one.catalog === other.catalog
      ? "Both are the same version."
      : rows.length === 0
        ? `Both versions decide the same on all ${same} subjects.`
        : `${countText(rows.length, "difference")}; the versions agree on ${same} subjects.`;
  const shown = rows.length > 0 && table("What the versions say differently", columns, rows);
  return card("Compared", [h("p", {}, summary), shown], "compare");
}
