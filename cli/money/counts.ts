//! Counts by name, such as refused notices by their reason, as a text for people.

import type { Counts } from "../../shared/formats/format.ts";
import { largestFirst } from "../../shared/report/totals.ts";
import { grouped, shown } from "./table.ts";

/** `outbid 120, below floor 3`, the largest first. `most`: the most that are named. */
export function countsText(counts: Counts, nameOf = (name: string) => name, most = Number.POSITIVE_INFINITY): string {
  const sorted = largestFirst(counts);
  const texts = sorted.slice(0, most).map(([name, count]) => `${shown(nameOf(name))} ${grouped(count)}`);
  const more = sorted.length - most;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
