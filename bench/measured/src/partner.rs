//! Runs commands from standard input, one per line, so that native code and workerd can take turns. `bench/rig.ts`
//! sends the commands, and `bench/measure.ts` measures in workerd.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::{Duration, Instant};

/// Calls between two looks at the clock take about this long.
const CHUNK: Duration = Duration::from_micros(200);
const BATCH: Duration = Duration::from_millis(10);
/// Duration of a batch if calls are so slow that `BATCH` would hold fewer than `MIN_CALLS`.
const LONG_BATCH: Duration = Duration::from_millis(40);
const MIN_CALLS: u32 = 50;

/// Prints the names of everything it can run, one per line, then an empty line. For each line `COMMAND NAME INPUT`,
/// with numbers for the name and the input, it makes calls and prints one line: `warm` calls for this time and prints
/// nothing, `measure` prints the mean microseconds of a batch of at least `min_calls`. It ends when standard input is
/// closed.
///
/// # Errors
///
/// Lines that are not commands.
pub(crate) fn answer_all(
    names: &[&str],
    warm: Duration,
    min_calls: usize,
    mut call: impl FnMut(usize, usize),
) -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    writeln!(out, "{}\n", names.join("\n"))?;
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [command, name, input] = words[..] else { return Err(format!("not a command: {line}").into()) };
        let (name, input) = (name.parse()?, input.parse()?);
        match command {
            "warm" => {
                let begin = Instant::now();
                while begin.elapsed() < warm {
                    call(name, input);
                }
                writeln!(out)?;
            }
            "measure" => writeln!(out, "{}", batch(min_calls, || call(name, input)))?,
            _ => return Err(format!("not a command: {line}").into()),
        }
    }
    Ok(())
}

/// Runs a batch of at least `min_calls` calls and returns the mean microseconds per call.
fn batch(min_calls: usize, mut call: impl FnMut()) -> f64 {
    let (mut chunk, mut per_call) = (1, times(1, &mut call));
    while per_call * chunk < CHUNK && chunk < 1 << 20 {
        chunk *= 2;
        per_call = times(chunk, &mut call) / chunk;
    }
    let least = if per_call * MIN_CALLS > BATCH { LONG_BATCH } else { BATCH };
    let begin = Instant::now();
    let mut calls = 0_u32;
    while begin.elapsed() < least || (calls as usize) < min_calls {
        times(chunk, &mut call);
        calls += chunk;
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}

/// The time of so many calls.
fn times(calls: u32, call: &mut impl FnMut()) -> Duration {
    let begin = Instant::now();
    for _ in 0..calls {
        call();
    }
    begin.elapsed()
}
