//! Measures the time of a call inside workerd, whose clock moves in steps of 1 ms. A batch starts and ends at a step,
//! and the calls in between are counted.
//!
//! The error of a batch is at most 2 %, or 4 % if a call takes over a millisecond. `measured/src/partner.rs` measures
//! natively.

/** Calls between two looks at the clock take about this long. It limits the error of a batch. */
const CHUNK_MS = 0.2;
const BATCH_MS = 10;
/** Duration of a batch if calls are so slow that `BATCH_MS` would hold fewer than `MIN_CALLS`. */
const LONG_BATCH_MS = 40;
const MIN_CALLS = 50;
const CALIBRATION_MS = 4;

/** Makes so many calls. */
type Run = (calls: number) => void;

/** The settings of the batches of one kind of call. */
export interface Plan {
  /** Calls between two looks at the clock. */
  chunk: number;
  /** Minimum duration of a batch. */
  ms: number;
  /** Minimum number of calls in a batch. If the calls differ, the number of different calls. */
  minCalls: number;
}

/** Calls for at least `ms`, so that the engine compiles the code, then plans batches of at least `minCalls` calls. */
export function warm(run: Run, ms: number, minCalls = 1): Plan {
  const end = performance.now() + ms;
  for (let calls = 1; ; ) {
    const begin = nextStep();
    run(calls);
    const now = performance.now();
    const perCall = (now - begin) / calls;
    if (now - begin < CALIBRATION_MS) calls *= 2;
    else if (now >= end) {
      const chunk = Math.max(1, Math.round(CHUNK_MS / perCall));
      return { chunk, ms: perCall * MIN_CALLS > BATCH_MS ? LONG_BATCH_MS : BATCH_MS, minCalls };
    }
  }
}

/** Runs a batch and returns the mean microseconds per call. */
export function batch(run: Run, { chunk, ms, minCalls }: Plan): number {
  const begin = nextStep();
  let calls = 0;
  let [before, now] = [begin, begin];
  // Ends at a step of the clock, which is then at most one chunk old.
  while (now - begin < ms || calls < minCalls || now === before) {
    run(chunk);
    calls += chunk;
    before = now;
    now = performance.now();
  }
  return ((now - begin) * 1000) / calls;
}

/** Waits until the clock moves. */
function nextStep(): number {
  const before = performance.now();
  let now = before;
  while (now === before) now = performance.now();
  return now;
}
