//! How long a read takes, natively: the twin of `bench/measure.ts`, which runs in workerd.

use std::time::{Duration, Instant};

/// Reads between two looks at the clock take about this long.
const CHUNK: Duration = Duration::from_micros(200);
const BATCH: Duration = Duration::from_millis(10);
/// For reads so slow that `BATCH` would hold fewer than `FEW`.
const LONG_BATCH: Duration = Duration::from_millis(40);
const FEW: u32 = 50;

/// Reads for a while, at least `fewest` times, and yields the mean microseconds per read.
pub fn batch(fewest: u32, mut read: impl FnMut()) -> f64 {
    let per_read = calibrate(&mut read);
    let chunk = (CHUNK.as_nanos() / per_read.as_nanos().max(1)).max(1);
    let least = if per_read * FEW > BATCH { LONG_BATCH } else { BATCH };
    let begin = Instant::now();
    let mut reads = 0_u32;
    while begin.elapsed() < least || reads < fewest {
        for _ in 0..chunk {
            read();
            reads += 1;
        }
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(reads)
}

/// Reads for `time` without measuring.
pub fn warm(time: Duration, mut read: impl FnMut()) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        read();
    }
}

/// About how long one read takes.
fn calibrate(read: &mut impl FnMut()) -> Duration {
    let mut reads = 1_u32;
    loop {
        let begin = Instant::now();
        for _ in 0..reads {
            read();
        }
        let taken = begin.elapsed();
        if taken > CHUNK || reads > 1 << 20 {
            return taken / reads;
        }
        reads *= 2;
    }
}
