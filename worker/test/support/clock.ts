//! The clock of the Worker and of its objects, as a test sets it.
//!
//! `Date.now` follows it, but the runtime's alarms follow the real clock. An alarm whose time has passed there runs at
//! once, by itself and beside the test. So the tests that set the clock live in 2094, and run the alarms themselves.

import { vi } from "vitest";

const realNow = Date.now;

/** Sets the clock: milliseconds since the epoch, or a UTC time such as `2094-03-14T10:00`. Returns the milliseconds. */
export function at(time: number | string): number {
  const now = typeof time === "number" ? time : Date.parse(`${time}Z`);
  if (now <= realNow()) throw new RangeError(`${new Date(now).toISOString()} has passed: the runtime runs its alarms`);
  vi.spyOn(Date, "now").mockReturnValue(now);
  return now;
}
