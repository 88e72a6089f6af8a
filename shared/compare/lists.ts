//! The values of shared lists, and how far they have changed.

import type { Entry } from "./entry.ts";

/** The part of a list's values that may be new or gone without a warning. */
export const MOST_CHANGED = 0.2;

/** The values of a shared list. */
export function valuesOf({ values }: Entry): unknown[] {
  return Array.isArray(values) ? values : [];
}

/** How many values are new or gone, and the larger of both as a part of the former ones. */
export function changedBy(former: Set<unknown>, now: Set<unknown>): { added: number; removed: number; part: number } {
  const [added, removed] = [now.difference(former).size, former.difference(now).size];
  return { added, removed, part: Math.max(added, removed) / former.size };
}
