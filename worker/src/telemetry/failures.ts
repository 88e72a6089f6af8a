//! What goes wrong without anybody seeing it from outside: a line of JSON on the console, and an event.
//!
//! A name is told at most once in {@link FAILURE_LOG_MS}, with how many there were: what fails for one request may fail for
//! all of them. Nothing of a request is in it. Kept for the isolate, like the seeds.

import { type Event, SCHEMA_VERSION } from "../events/schema.ts";
import { FAILURE_LOG_MS } from "../limits.ts";

const told = new Map<string, { at: number; untold: number }>();
let waiting: Event[] = [];

/** Tells that `what` failed and why. */
export function fail(what: string, error: unknown): void {
  const time = Date.now();
  const last = told.get(what);
  const since = time - (last?.at ?? Number.NEGATIVE_INFINITY);
  if (last && since >= 0 && since < FAILURE_LOG_MS) {
    last.untold++;
    return;
  }
  const event: Event = {
    v: SCHEMA_VERSION,
    type: "error",
    id: crypto.randomUUID(),
    time,
    outcome: what,
    message: messageOf(error),
    weight: 1 + (last?.untold ?? 0),
  };
  told.set(what, { at: time, untold: 0 });
  console.error(JSON.stringify(event));
  waiting.push(event);
}

/** The failures since the last call, as events. */
export function takeFailures(): Event[] {
  const events = waiting;
  waiting = [];
  return events;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
