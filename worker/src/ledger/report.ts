//! The totals of the whole ledger: asks all objects that may hold days of the query, and the summary.

import { HANDOVER_DAYS, NOTICE_DAYS, REPORT_MS } from "../limits.ts";
import { fail, messageOf } from "../telemetry/failures.ts";
import { dayAt, shifted } from "../time/days.ts";
import { within } from "../time/retry.ts";
import { newTotals } from "./names.ts";
import { closesAt, dayOfPlace, ledgerAt, placesOf, summaryOf } from "./places.ts";
import type { Query, Total } from "./rows.ts";

/** The answer of the ledger. */
export interface Totals {
  /** The rows, sorted. */
  totals: Total[];
  /** The objects that do not answer: their totals are missing in the rows. */
  missing: string[];
}

/**
 * The totals of a query. `now` is in milliseconds since the epoch. Throws if the summary or no object at all answers.
 */
export async function totals(env: Env, query: Query, now: number): Promise<Totals> {
  const all = newTotals();
  // During a gradual deployment, an object may run a former build, which does not know these two attributes.
  const add = (row: Omit<Total, "hour" | "version">) => all.add({ hour: "", version: "", ...row });
  // An object of an old day may be handing over its totals. The report uses either the object or the summary, never
  // both.
  const closed = new Map<string, Total[]>();
  const silent = new Set<string>();
  const places = placesIn(query, now);
  await Promise.all(
    places.map(async (place) => {
      try {
        const rows = await within(REPORT_MS, ledgerAt(env, place).report(query));
        if (now >= closesAt(dayOfPlace(place))) closed.set(place, rows);
        else for (const row of rows) add(row);
      } catch (error) {
        fail("report-ledger", `${place}: ${messageOf(error)}`);
        silent.add(place);
      }
    }),
  );
  if (places.length > 0 && silent.size === places.length) throw new Error("no object of the ledger answers");
  // The summary is asked last. So the objects that it does not name still had their totals when they answered.
  const absorbed = await within(REPORT_MS, summaryOf(env).report(query)).catch((error) => {
    fail("report-ledger", `summary: ${messageOf(error)}`);
    silent.add("summary");
    return { places: [], totals: [] };
  });
  for (const place of absorbed.places) {
    closed.delete(place);
    silent.delete(place);
  }
  for (const row of [...absorbed.totals, ...[...closed.values()].flat()]) add(row);
  return { totals: all.sorted(), missing: [...silent].sort() };
}

/** The objects with quarters of these days in any time zone, except those that handed over their totals long ago. */
function placesIn({ from, to }: Query, now: number): string[] {
  const today = dayAt(now);
  const last = [shifted(to, 1), today].sort()[0] ?? today;
  let day = [shifted(from, -1), shifted(today, -NOTICE_DAYS - HANDOVER_DAYS)].sort()[1] ?? today;
  const places: string[] = [];
  for (; day <= last; day = shifted(day, 1)) places.push(...placesOf(day));
  return places;
}
