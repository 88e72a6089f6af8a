//! Reports failures that no caller sees: each is a line of JSON on the console, and an event.
//!
//! All requests may fail for the same reason, so failures of one name are reported at most once in
//! {@link FAILURE_LOG_MS}, with their number. A report has no data of a request. `queue/` sends the events.
//!
//! An operator's caller gets a {@link Refusal} instead.

import { type Event, SCHEMA_VERSION } from "../events/schema.ts";
import { FAILURE_LOG_MS } from "../limits.ts";

/** When each name was last reported, and the failures since then. */
const reports = new Map<string, { at: number; unreported: number }>();
let waiting: Event[] = [];

/** Reports that `what` failed, and why. */
export function fail(what: string, error: unknown): void {
  const time = Date.now();
  const last = reports.get(what);
  const since = time - (last?.at ?? Number.NEGATIVE_INFINITY);
  if (last && since >= 0 && since < FAILURE_LOG_MS) {
    last.unreported++;
    return;
  }
  const event: Event = {
    v: SCHEMA_VERSION,
    type: "error",
    id: crypto.randomUUID(),
    time,
    outcome: what,
    message: messageOf(error),
    weight: 1 + (last?.unreported ?? 0),
  };
  reports.set(what, { at: time, unreported: 0 });
  console.error(JSON.stringify(event));
  waiting.push(event);
}

/** The failures since the last call, as events. */
export function takeFailures(): Event[] {
  const events = waiting;
  waiting = [];
  return events;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a question of the operator has no answer: the message and the status for the caller. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}
