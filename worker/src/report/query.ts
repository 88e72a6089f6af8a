//! Reads the query of a report: the days, and the attributes by which rows are grouped.

import { DIMENSIONS, type Dimension, type Query } from "../../../shared/ledger/rows.ts";
import { MAX_REPORT_DAYS } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/telemetry/failures.ts";
import { dayAt, daysBetween, isDay } from "../../../shared/time/days.ts";

const PARAMETERS = ["from", "to", "by", "today", "campaign"];

/**
 * Reads the parameters. `to` is today unless given, `from` the same day as `to`, and `by` is `day,campaign`. Today is
 * that of UTC. Throws {@link Refusal} with a 400.
 */
export function queryOf(parameters: URLSearchParams, now: number): Query {
  for (const name of new Set(parameters.keys())) {
    if (!PARAMETERS.includes(name)) throw wrong(`${name}: unknown parameter; expected one of ${PARAMETERS.join(", ")}`);
    if (parameters.getAll(name).length > 1) throw wrong(`${name}: given twice; expected it once`);
  }
  const [from, to] = [parameters.get("from"), parameters.get("to")];
  if (parameters.has("today") && (from !== null || to !== null)) throw wrong("today: expected without from and to");
  const last = to ?? dayAt(now);
  const first = from ?? last;
  for (const [name, day] of Object.entries({ to: last, from: first })) {
    if (!isDay(day))
      throw wrong(`${name}: ${JSON.stringify(day)} is not a day from 2000 to 2099; expected one such as 2026-11-18`);
  }
  const days = daysBetween(first, last).length;
  if (days < 1) throw wrong(`from: ${first} is after ${last}; expected the first day of the report`);
  if (days > MAX_REPORT_DAYS)
    throw wrong(`from: ${first} to ${last} are ${days} days; expected at most ${MAX_REPORT_DAYS}`);
  const by = byOf(parameters.get("by") ?? "day,campaign");
  const campaign = parameters.get("campaign");
  return { from: first, to: last, by, ...(campaign !== null && { campaign }) };
}

function wrong(message: string): Refusal {
  return new Refusal(message, 400);
}

/** The attributes in the order of the columns. An empty text means one row per currency. */
function byOf(text: string): Dimension[] {
  const names = text.split(",").filter(Boolean);
  const unknown = names.find((name) => !DIMENSIONS.some((known) => known === name));
  if (unknown !== undefined)
    throw wrong(`by: ${JSON.stringify(unknown)} is unknown; expected some of ${DIMENSIONS.join(",")}`);
  return DIMENSIONS.filter((known) => names.includes(known));
}
