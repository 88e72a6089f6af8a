//! How long a call takes, inside workerd, whose clock advances in steps of 1 ms: a batch begins at a
//! step and ends at one, and calls are counted, not fixed.
//!
//! Runs in a Worker; knows nothing of what is called. `readers/src/measure.rs` is its native twin.

/** Calls between two looks at the clock take about this long, which bounds a batch's error. */
const CHUNK_MS = 0.2;
const BATCH_MS = 10;
/** For calls so slow that `BATCH_MS` would hold fewer than `MIN_CALLS`. */
const LONG_BATCH_MS = 40;
const MIN_CALLS = 50;
const CALIBRATION_MS = 4;

/** How a batch of one kind of call is made. */
export interface Plan {
  /** Calls between two looks at the clock. */
  chunk: number;
  /** Least time of a batch. */
  ms: number;
  /** Least number of calls of a batch, for calls that are not alike. */
  minCalls: number;
}

/**
 * Calls for `ms`, so that the engine compiles what it wants to, then plans the batches, of at least
 * `minCalls` calls each.
 */
export function warm(call: () => void, ms: number, minCalls = 1): Plan {
  const end = performance.now() + ms;
  while (performance.now() < end) call();
  return planned(calibrate(call), minCalls);
}

/** The same for calls that have to be awaited; what awaiting takes is part of what is measured. */
export async function warmAwaiting(call: () => Promise<void>, ms: number): Promise<Plan> {
  const begin = nextStep();
  let calls = 0;
  for (; performance.now() - begin < ms; calls++) await call();
  return planned((performance.now() - begin) / calls, 1);
}

function planned(perCall: number, minCalls: number): Plan {
  return {
    chunk: Math.max(1, Math.round(CHUNK_MS / perCall)),
    ms: perCall * MIN_CALLS > BATCH_MS ? LONG_BATCH_MS : BATCH_MS,
    minCalls,
  };
}

/** Calls for a while and returns the mean microseconds per call. */
export function batch(call: () => void, { chunk, ms, minCalls }: Plan): number {
  const begin = nextStep();
  let calls = 0;
  let [before, now] = [begin, begin];
  // Not before the clock has made a step, which is then at most a chunk ago.
  while (now - begin < ms || calls < minCalls || now === before) {
    for (let count = 0; count < chunk; count++) call();
    calls += chunk;
    before = now;
    now = performance.now();
  }
  return ((now - begin) * 1000) / calls;
}

/** {@link batch} for calls that have to be awaited. */
export async function batchAwaiting(call: () => Promise<void>, { ms }: Plan): Promise<number> {
  const begin = nextStep();
  let calls = 0;
  let [before, now] = [begin, begin];
  while (now - begin < ms || now === before) {
    await call();
    calls++;
    before = now;
    now = performance.now();
  }
  return ((now - begin) * 1000) / calls;
}

/** About how many milliseconds one call takes. */
function calibrate(call: () => void): number {
  for (let calls = 1; ; calls *= 2) {
    const begin = nextStep();
    for (let count = 0; count < calls; count++) call();
    const taken = performance.now() - begin;
    if (taken >= CALIBRATION_MS) return taken / calls;
  }
}

/** Waits for the clock to advance. */
function nextStep(): number {
  const before = performance.now();
  let now = before;
  while (now === before) now = performance.now();
  return now;
}
