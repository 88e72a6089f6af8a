//! The totals of the whole ledger: asks all objects that may hold days of the query, and the summary.

import { dayAt, shifted } from "../days.ts";
import { HANDOVER_DAYS, NOTICE_DAYS } from "../limits.ts";
import { messageOf } from "../telemetry/failures.ts";
import { Groups } from "./groups.ts";
import { closesAt, dayOfPlace, ledgerAt, placesOf, summaryOf } from "./places.ts";
import type { Query, Total } from "./rows.ts";

/**
 * The rows of a report, sorted. `now` is in milliseconds since the epoch. Throws if any object does not answer, because
 * a report without its totals would be wrong.
 */
export async function totals(env: Env, query: Query, now: number): Promise<Total[]> {
  const groups = new Groups();
  // An object of an old day may be handing over its totals. Either the object or the summary counts, never both.
  const closed = new Map<string, Total[]>();
  await Promise.all(
    placesIn(query, now).map(async (place) => {
      const rows = await answered(`the ledger ${place}`, ledgerAt(env, place).report(query));
      if (now >= closesAt(dayOfPlace(place))) closed.set(place, rows);
      else for (const row of rows) groups.add(row);
    }),
  );
  // The summary is asked last. So the objects that it does not name still had their totals when they answered.
  const absorbed = await answered("the summary of the ledger", summaryOf(env).report(query));
  for (const place of absorbed.places) closed.delete(place);
  for (const row of [...absorbed.totals, ...[...closed.values()].flat()]) groups.add(row);
  return groups.sorted();
}

/** The objects with quarters of these days in any time zone, but those that handed over their totals long ago. */
function placesIn({ from, to }: Query, now: number): string[] {
  const today = dayAt(now);
  const last = [shifted(to, 1), today].sort()[0] ?? today;
  let day = [shifted(from, -1), shifted(today, -NOTICE_DAYS - HANDOVER_DAYS)].sort()[1] ?? today;
  const places: string[] = [];
  for (; day <= last; day = shifted(day, 1)) places.push(...placesOf(day));
  return places;
}

async function answered<T>(who: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new Error(`${who} does not answer: ${messageOf(error)}`, { cause: error });
  }
}
