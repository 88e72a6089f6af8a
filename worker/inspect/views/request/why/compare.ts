//! Two versions' decisions on one request, side by side.

import { wantedText } from "../../../../../shared/compare/text.ts";
import { h } from "../../../dom.ts";
import { card } from "../../../parts/blocks.ts";
import { type Column, table } from "../../../parts/table.ts";
import { countText } from "../../../parts/text.ts";
import { bidsOf, type Report, rowsOf } from "../report.ts";

/** The report of one version by subject: the outcome, each impression's bids, each campaign's check. */
function subjectsOf(report: Report): Map<string, string> {
  const { outcome, privacy, cur = "", imps = [] } = report;
  const bids = bidsOf(report).map(({ imp, bid: { cid, crid, dealid, price } }) => {
    return [`bids on impression ${imp.id}`, `${cid} with ${crid}${dealid ? ` under ${dealid}` : ""}: ${price} ${cur}`];
  });
  const checks = imps.flatMap((imp) =>
    rowsOf(report, imp).map(({ cid, dealid, reason, ...check }) => {
      const why = wantedText(check);
      return [`${cid} on impression ${imp.id}`, `${reason}${dealid ? ` under ${dealid}` : ""}${why && ` (${why})`}`];
    }),
  );
  const all = Map.groupBy(
    [["outcome", outcome], ["privacy", privacy], ...bids, ...checks],
    ([subject = ""]) => subject,
  );
  return new Map([...all].map(([subject, texts]) => [subject, texts.map(([, text]) => text).join("\n")]));
}

/** The subjects on which the two versions differ, and how many are the same. A missing text is null. */
export function differences(one: Report, other: Report) {
  const [a, b] = [subjectsOf(one), subjectsOf(other)];
  const subjects = [...new Set([...a.keys(), ...b.keys()])];
  const rows = subjects
    .filter((subject) => a.get(subject) !== b.get(subject))
    .map((subject) => ({ subject, one: a.get(subject) ?? null, other: b.get(subject) ?? null }));
  return { rows, same: subjects.length - rows.length };
}

/** The card of the comparison. */
export function compareCard(one: Report, other: Report): HTMLElement {
  const { rows, same } = differences(one, other);
  const text = (text: string | null) => text ?? h("span.soft", "does not say this");
  const columns: Column<(typeof rows)[number]>[] = [
    { title: "Subject", value: ({ subject }) => subject },
    { title: `Asked: ${one.catalog.slice(0, 8)}`, of: (row) => text(row.one) },
    { title: `Compared with: ${other.catalog.slice(0, 8)}`, of: (row) => text(row.other) },
  ];
  const agree = `Both versions decide the same on all ${same} subjects.`;
  const differ = `${countText(rows.length, "difference")}; the versions agree on ${same} subjects.`;
  const summary = one.catalog === other.catalog ? "Both are the same version." : rows.length === 0 ? agree : differ;
  const shown = rows.length > 0 && table("What the versions say differently", columns).show(rows);
  return card("Compared", [h("p", summary), shown], "compare");
}
