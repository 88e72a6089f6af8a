//! Measures the time of a call natively. `bench/measure.ts` measures it in workerd.

use std::time::{Duration, Instant};

/// Calls between two looks at the clock take about this long.
const CHUNK: Duration = Duration::from_micros(200);
const BATCH: Duration = Duration::from_millis(10);
/// Duration of a batch if calls are so slow that `BATCH` would hold fewer than `MIN_CALLS`.
const LONG_BATCH: Duration = Duration::from_millis(40);
const MIN_CALLS: u32 = 50;

/// Runs a batch of at least `min_calls` calls and returns the mean microseconds per call.
pub fn batch(min_calls: u32, mut call: impl FnMut()) -> f64 {
    let per_call = calibrate(&mut call);
    let chunk = (CHUNK.as_nanos() / per_call.as_nanos().max(1)).max(1);
    let least = if per_call * MIN_CALLS > BATCH { LONG_BATCH } else { BATCH };
    let begin = Instant::now();
    let mut calls = 0_u32;
    while begin.elapsed() < least || calls < min_calls {
        for _ in 0..chunk {
            call();
            calls += 1;
        }
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}

/// Calls for `time` without measuring.
pub fn warm(time: Duration, mut call: impl FnMut()) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        call();
    }
}

/// Approximate time of one call.
fn calibrate(call: &mut impl FnMut()) -> Duration {
    let mut calls = 1_u32;
    loop {
        let begin = Instant::now();
        for _ in 0..calls {
            call();
        }
        let taken = begin.elapsed();
        if taken > CHUNK || calls > 1 << 20 {
            return taken / calls;
        }
        calls *= 2;
    }
}
