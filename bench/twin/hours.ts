//! The hours of the week in which a campaign bids.

import type { TargetEntry, Zone } from "./document.ts";
import type { Facts } from "./facts.ts";
import type { Imp } from "./imp.ts";

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** Minutes from Monday to the epoch, which was a Thursday. Weeks begin on Monday. */
const EPOCH_MINUTES = 3 * DAY_MINUTES;

/** A rule: the ad is shown within the hours. It is shown at `imp.dt` if the exchange sends that, otherwise now. */
export function hoursRule({ hours = [], zone }: TargetEntry, zones: readonly Zone[]) {
  if (hours.length === 0) return [];
  const week = Array.from({ length: 7 * 24 }, (_, slot) => {
    const [day, hour] = [Math.floor(slot / 24) + 1, slot % 24];
    return hours.some(({ days = [], from, to }) => {
      return (days.length === 0 || days.includes(day)) && from <= hour && hour < to;
    });
  });
  const changes = zones.find(({ name }) => name === zone)?.changes;
  return [
    ({ dt }: Imp, { nowMs, utcoffset }: Facts) => {
      const at = dt > 0 ? dt : nowMs;
      const offset = changes ? offsetAt(changes, at) : utcoffset;
      if (offset === undefined || Math.abs(offset) > DAY_MINUTES) return false;
      const minutes = (Math.floor(at / 60_000) + offset + EPOCH_MINUTES) % WEEK_MINUTES;
      return week[Math.floor((minutes < 0 ? minutes + WEEK_MINUTES : minutes) / 60)] === true;
    },
  ];
}

/** Offset from UTC in minutes at an instant: the offset of the last change before the instant. */
function offsetAt(changes: readonly number[], at: number): number {
  let offset = changes[1] ?? 0;
  for (let next = 0; next + 1 < changes.length && (changes[next] as number) <= at; next += 2) {
    offset = changes[next + 1] as number;
  }
  return offset;
}
