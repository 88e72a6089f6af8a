//! The totals of the whole ledger: asks all objects that may hold days of the query, and the summary.

import { HANDOVER_DAYS, NOTICE_DAYS, REPORT_DAYS, REPORT_MS, REPORT_ROWS } from "../limits.ts";
import { fail, messageOf } from "../telemetry/failures.ts";
import { dayAt, daysBetween, shifted } from "../time/days.ts";
import { within } from "../time/retry.ts";
import { newTotals } from "./names.ts";
import { closesAt, dayOfPlace, ledgerAt, placesOf, summaryOf } from "./places.ts";
import type { Query, Total } from "./rows.ts";
import type { Absorbed } from "./summary.ts";

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
  const absorbed = await past(env, query).catch((error): Absorbed => {
    fail("report-ledger", `summary: ${messageOf(error)}`);
    silent.add("summary");
    return { places: [], totals: [], objects: 0 };
  });
  for (const place of absorbed.places) {
    closed.delete(place);
    silent.delete(place);
  }
  for (const row of [...absorbed.totals, ...[...closed.values()].flat()]) add(row);
  return { totals: all.sorted(), missing: [...silent].sort() };
}

/**
 * What the summary has. It tells some days at a time, because an answer of the platform has at most 32 MB. Throws if it
 * takes the totals of an object in each of the `attempts`.
 */
async function past(env: Env, query: Query, attempts = 3): Promise<Absorbed> {
  const slices: Absorbed[] = [];
  const all = daysBetween(query.from, query.to);
  let days = 1;
  for (let at = 0; at < all.length; at += days) {
    // As many as give this many rows, if these days are like those before.
    const { totals = [], objects } = slices.at(-1) ?? {};
    if (slices.length > 0) {
      const most = totals.length > 0 ? Math.floor((days * REPORT_ROWS) / totals.length) : REPORT_DAYS;
      days = Math.max(1, Math.min(2 * days, most, REPORT_DAYS));
    }
    const [from = query.from, to = query.to] = [all[at], all[at + days - 1]];
    const ask = (to: string) => within(REPORT_MS, summaryOf(env).report({ ...query, from, to }));
    const slice = await ask(to).catch((error) => {
      if (days === 1) throw error;
      days = 1;
      return ask(from);
    });
    // It has absorbed an object meanwhile, whose totals the former slices lack.
    if (objects !== undefined && objects !== slice.objects) {
      if (attempts === 1) throw new Error("the summary takes the totals of objects now");
      return past(env, query, attempts - 1);
    }
    slices.push(slice);
  }
  const [totals, places] = [slices.flatMap((slice) => slice.totals), slices.flatMap((slice) => slice.places)];
  return { totals, places, objects: 0 };
}

/** The objects with quarters of these days in any time zone, except those that handed over their totals long ago. */
function placesIn({ from, to }: Query, now: number): string[] {
  const today = dayAt(now);
  const last = [shifted(to, 1), today].sort()[0] ?? today;
  const first = [shifted(from, -1), shifted(today, -NOTICE_DAYS - HANDOVER_DAYS)].sort()[1] ?? today;
  return daysBetween(first, last).flatMap(placesOf);
}
