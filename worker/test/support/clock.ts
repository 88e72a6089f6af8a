//! The clock of all tests. No other test reads the machine's: the rule is in `biome.json`.
//!
//! In workerd, each test begins at the same time, and then the clock stands still: `each.setup.ts`. `Date.now` follows
//! this clock, but the runtime's alarms follow the machine's. An alarm whose time has passed there runs at once, by itself
//! and beside the test. So these tests live in 2094, and run the alarms themselves. In Node, this clock is the machine's,
//! because the programs that tests start there have no other.

/** The time, in milliseconds since the epoch. */
export function now(): number {
  return Date.now();
}

/** Sets the clock in workerd: milliseconds since the epoch, or a UTC time such as `2094-03-14T10:00`. Returns the milliseconds. */
export function at(time: number | string): number {
  const ms = typeof time === "number" ? time : Date.parse(`${time}Z`);
  // `new Date()` still reads the machine's clock.
  if (new Date() >= new Date(ms)) throw new RangeError(`${time} has passed: the runtime runs its alarms`);
  Date.now = () => ms;
  return ms;
}

/** Moves the clock forward by `ms` in workerd. */
export function wait(ms: number): void {
  at(now() + ms);
}

/** Lets the clock run in workerd, where it stands still. */
export function run(): void {
  const ahead = now() - performance.now();
  Date.now = () => Math.floor(ahead + performance.now());
}
