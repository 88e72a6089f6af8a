//! Sweeps the processor's caches, so that the next call starts with cold caches, as after other isolates ran.
//!
//! Reading a few megabytes drives code and data out of the second-level cache, and with that out of the first. Branch
//! predictors are not swept.

/** The way that only sweeps. */
export const SWEEPING = "sweeping";
const PREFIX = "swept: ";

/** Bytes that are read: three times the second-level cache of a server's core. */
const BYTES = 3 << 20;
const LINE_BYTES = 64;

const memory = new Uint8Array(BYTES).fill(1);

/** The way that sweeps first. */
export function swept(way: string): string {
  return `${PREFIX}${way}`;
}

/** The way that runs behind a sweep; undefined where it is none. */
export function afterSweep(way: string): string | undefined {
  return way.startsWith(PREFIX) ? way.slice(PREFIX.length) : undefined;
}

/** Reads a byte of each line. */
export function sweep(): number {
  let sum = 0;
  for (let at = 0; at < BYTES; at += LINE_BYTES) sum += memory[at] ?? 0;
  return sum;
}
