//! Two versions' decisions on one request, side by side.

import { h } from "../../../dom.ts";
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
  const cell = (text: string | null, name: string) =>
    h("td", { "data-name": name, class: text === null ? "soft" : null }, text ?? "does not say this");
  return h(
    "section",
    { class: "card compare", "aria-labelledby": "compare-title" },
    h("h2", { id: "compare-title" }, "Compared"),
    h(
      "p",
      {},
      one.catalog === other.catalog
        ? "Both are the same version."
        : rows.length === 0
          ? `Both versions decide the same on all ${same} subjects.`
          : `${rows.length} difference${rows.length === 1 ? "" : "s"}; the versions agree on ${same} subjects.`,
    ),
    rows.length === 0
      ? null
      : h(
          "table",
          { class: "stacks" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ...["Subject", `Asked: ${nameOf(one)}`, `Compared with: ${nameOf(other)}`].map((name) =>
                h("th", { scope: "col" }, name),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            ...rows.map(({ subject, one: a, other: b }) =>
              h("tr", {}, h("td", { "data-name": "subject" }, subject), cell(a, nameOf(one)), cell(b, nameOf(other))),
            ),
          ),
        ),
  );
}
