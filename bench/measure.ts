//! Measures the time of a call inside workerd, whose clock moves in steps of 1 ms. A batch starts and ends at a step,
//! and the calls in between are counted.
//!
//! The error of a batch is at most 2 %, or 4 % if a call takes over a millisecond. `measure/src/batch.rs` measures
//! natively.

/** Calls between two looks at the clock take about this long. It limits the error of a batch. */
const CHUNK_MS = 0.2;
const BATCH_MS = 10;
/** Duration of a batch if calls are so slow that `BATCH_MS` would hold fewer than `MIN_CALLS`. */
const LONG_BATCH_MS = 40;
const MIN_CALLS = 50;
const CALIBRATION_MS = 4;

/** The settings of the batches of one kind of call. */
export interface Plan {
  /** Calls between two looks at the clock. */
  chunk: number;
  /** Minimum duration of a batch. */
  ms: number;
  /** Minimum number of calls in a batch. If the calls differ, the number of different calls. */
  minCalls: number;
}

/** Calls for `ms`, so that the engine compiles the code, then plans batches of at least `minCalls` calls. */
export function warm(call: () => void, ms: number, minCalls = 1): Plan {
  const end = performance.now() + ms;
  while (performance.now() < end) call();
  return planned(calibrate(call), minCalls);
}

/** {@link warm} for asynchronous calls. The cost of awaiting is part of the measurement. */
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

/** Runs a batch and returns the mean microseconds per call. */
export function batch(call: () => void, { chunk, ms, minCalls }: Plan): number {
  const begin = nextStep();
  let calls = 0;
  let [before, now] = [begin, begin];
  // Ends at a step of the clock, which is then at most one chunk old.
  while (now - begin < ms || calls < minCalls || now === before) {
    for (let count = 0; count < chunk; count++) call();
    calls += chunk;
    before = now;
    now = performance.now();
  }
  return ((now - begin) * 1000) / calls;
}

/** {@link batch} for asynchronous calls. */
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

/** Approximate milliseconds of one call. */
function calibrate(call: () => void): number {
  for (let calls = 1; ; calls *= 2) {
    const begin = nextStep();
    for (let count = 0; count < calls; count++) call();
    const taken = performance.now() - begin;
    if (taken >= CALIBRATION_MS) return taken / calls;
  }
}

/** Waits until the clock moves. */
function nextStep(): number {
  const before = performance.now();
  let now = before;
  while (now === before) now = performance.now();
  return now;
}
