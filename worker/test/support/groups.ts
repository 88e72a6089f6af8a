//! The groups of totals in memory, and what they count.

import type { Total } from "../../../shared/ledger/rows.ts";
import { type Group, Groups } from "../../../shared/ledger/sums.ts";

/** The groups of these totals. */
export function groupsOf(totals: Iterable<Total>): Group[] {
  const groups = new Groups();
  groups.add(totals);
  return groups.take("9999-12-31");
}

/** A number of events of a group. The amounts of the group stand with each of its bills. */
export type Counted = Omit<Group, "counts"> & Pick<Total, "kind" | "detail" | "count">;

/** An entry for each kind and detail of a group. */
export function countedIn({ counts, nanos, usdNanos, ...group }: Group): Counted[] {
  return Object.entries(counts).map(([name, count]) => {
    const [kind, detail = ""] = name.split(" ") as [Total["kind"], string];
    const amounts = kind === "bill" ? { nanos, usdNanos } : { nanos: 0n, usdNanos: 0n };
    return { ...group, kind, detail, count, ...amounts };
  });
}
