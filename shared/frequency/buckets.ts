//! The impressions of one person and one campaign or creative, counted in buckets of time, so that windows slide
//! without a row for each impression.
//!
//! A window is never shorter than its period: it has one bucket more, because the current one may have just begun. So
//! it is up to a bucket longer, and in no period does a person see more impressions than a cap allows.

import { LIFETIME_DAYS } from "../limits.ts";
import type { Cap } from "./decide.ts";

const HOUR_S = 3600;

/** Seconds of a bucket, and buckets of a period. */
const WINDOWS = {
  hour: { seconds: HOUR_S / 12, buckets: 12 },
  day: { seconds: HOUR_S, buckets: 24 },
  week: { seconds: 6 * HOUR_S, buckets: 28 },
} as const;

type Window = keyof typeof WINDOWS;

/** The buckets with impressions of each window, oldest first, and the number of all impressions (`lifetime`). */
export type Counts = Record<Window, [bucket: number, count: number][]> & { lifetime: number };

const NAMES = Object.keys(WINDOWS) as Window[];

/**
 * The counts with one more impression at `now`, in seconds since the epoch. Buckets that no window reaches are removed.
 */
export function added(counts: Counts | null, now: number): Counts {
  const next: Counts = { hour: [], day: [], week: [], lifetime: (counts?.lifetime ?? 0) + 1 };
  for (const name of NAMES) {
    const { oldest, newest } = reach(name, now);
    const kept = new Map(counts?.[name].filter(([bucket]) => bucket >= oldest));
    kept.set(newest, (kept.get(newest) ?? 0) + 1);
    next[name] = [...kept].sort(([a], [b]) => a - b);
  }
  return next;
}

/** The impressions in the period that ends at `now`. */
export function seen(counts: Counts, per: Cap["per"], now: number): number {
  if (per === "lifetime") return counts.lifetime;
  const { oldest } = reach(per, now);
  return counts[per].reduce((sum, [bucket, count]) => sum + (bucket >= oldest ? count : 0), 0);
}

/** Seconds after an impression until none of these caps counts it. */
export function keptSeconds(caps: readonly Cap[]): number {
  const of = ({ per }: Cap) =>
    per === "lifetime" ? LIFETIME_DAYS * 24 * HOUR_S : WINDOWS[per].seconds * (WINDOWS[per].buckets + 1);
  return Math.max(0, ...caps.map(of));
}

/** The first and the last bucket of a window. */
function reach(name: Window, now: number): { oldest: number; newest: number } {
  const newest = Math.floor(now / WINDOWS[name].seconds);
  return { newest, oldest: newest - WINDOWS[name].buckets };
}
