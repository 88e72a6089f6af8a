//! The native side of the suites `decide` and `scale`: measures what it is told to on standard input, a
//! line at a time, so that the driver can take turns between it and workerd.
//!
//!     bench-decide-native ZONES MIX CATALOG…
//!
//! takes files: what the host knows of time zones, requests, one a line, and catalog documents. First it prints the
//! names of the ways, one a line, then an empty line. For each line `warm WAY CATALOG` (numbers) it prints an empty
//! line, for `measure WAY CATALOG` the mean microseconds per request of one batch, for `spread WAY CATALOG` the median
//! and the 99th percentile of single requests, in microseconds. It ends with its input.

mod bidder;

use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use bench_measure::batch;
use bidder::{Bench, Way};
use bidder_wasm::catalog::Snapshot;

const WARM: Duration = Duration::from_millis(100);
/// Of all requests, for a spread.
const LAPS: usize = 10;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let files = env::args_os().skip(1).map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let [zones, mix, documents @ ..] = &files[..] else { return Err("expected ZONES MIX CATALOG…".into()) };
    let compiled = documents.iter().map(|document| bidder::compile(document, zones)).collect::<Result<Vec<_>, _>>()?;
    let catalogs: Vec<_> = compiled.iter().map(Snapshot::catalog).collect();
    let requests: Vec<&[u8]> = mix.split(|byte| *byte == b'\n').collect();
    let mut bench = Bench::default();
    let mut out = stdout().lock();
    for way in Way::ALL {
        writeln!(out, "{}", way.name())?;
    }
    writeln!(out)?;

    // In turn, from batch to batch, so that no request is measured more often than others.
    let mut turn = requests.iter().cycle();
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [command, way, catalog] = words[..] else { return Err(format!("not understood: {line}").into()) };
        let way = *Way::ALL.get(way.parse::<usize>()?).ok_or("no such way")?;
        let catalog = catalogs.get(catalog.parse::<usize>()?).ok_or("no such catalog")?;
        let mut next = || {
            let Some(request) = turn.next() else { return };
            bench.run(way, catalog, request);
        };
        match command {
            "warm" => {
                batch::warm(WARM, next);
                writeln!(out)?;
            }
            "measure" => writeln!(out, "{}", batch::batch(u32::try_from(requests.len())?, next))?,
            "spread" => {
                let mut times: Vec<Duration> = (0..LAPS * requests.len()).map(|_| timed(&mut next)).collect();
                times.sort_unstable();
                let at = |hundredths: usize| times.get(times.len() * hundredths / 100).map_or(0.0, micros);
                writeln!(out, "{} {}", at(50), at(99))?;
            }
            _ => return Err(format!("not understood: {line}").into()),
        }
    }
    Ok(())
}

fn timed(call: &mut impl FnMut()) -> Duration {
    let begin = Instant::now();
    call();
    begin.elapsed()
}

fn micros(time: &Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
