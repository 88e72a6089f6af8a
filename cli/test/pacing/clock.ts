//! A clock that runs faster, so that a test sees an hour in some minutes.
//!
//! `Date.now` and timers follow it. Alarms do not: `worker.ts` converts their times.

/** Set when the test bundles this file: `cli/workerd.ts`. */
declare const CLOCK: { realStart: number; start: number; speed: number };

const realNow = Date.now;
const realTimeout = globalThis.setTimeout;

Date.now = () => Math.floor(CLOCK.start + (realNow() - CLOCK.realStart) * CLOCK.speed);

globalThis.setTimeout = ((work: () => void, ms = 0) => realTimeout(work, ms / CLOCK.speed)) as typeof setTimeout;

/** The time of the platform at a time of this clock. Both in milliseconds since the epoch. */
export function realTime(ms: number): number {
  return CLOCK.realStart + (ms - CLOCK.start) / CLOCK.speed;
}

/** The time of this clock at a time of the platform. */
export function clockTime(ms: number): number {
  return CLOCK.start + (ms - CLOCK.realStart) * CLOCK.speed;
}
