//! Counts by name, such as refused notices by their reason: their sums, and a text for people.

import { grouped, shown } from "./table.ts";

export type Counts = Record<string, number>;

/** The sums of several counts, name by name. */
export function sumsOf(all: Counts[]): Counts {
  // A name may be that of a member of every object, such as "constructor".
  const sums = new Map<string, number>();
  for (const [name, count] of all.flatMap(Object.entries<number>)) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}

/** `outbid 120, below floor 3`, the largest first. `most`: the most that are named. */
export function countsText(counts: Counts, nameOf = (name: string) => name, most = Number.POSITIVE_INFINITY): string {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const texts = sorted.slice(0, most).map(([name, count]) => `${shown(nameOf(name))} ${grouped(`${count}`)}`);
  const more = sorted.length - most;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
