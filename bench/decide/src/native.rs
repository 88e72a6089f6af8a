//! The native side of the suites `decide` and `scale`.
//!
//!     bench-decide-native ZONES MIX CATALOG…
//!
//! The arguments are files: the time zones, the requests (one per line), and catalog documents. `warm WAY CATALOG`
//! decides for a while. `measure WAY CATALOG` prints the mean microseconds per request of one batch. `spread WAY
//! CATALOG` prints the median and the 99th percentile of single requests in microseconds.

mod bidder;

use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, fs};

use bench_measure::{batch, partner};
use bidder::{Bench, Way};
use bidder_wasm::catalog::Snapshot;

const WARM: Duration = Duration::from_millis(100);
/// `spread` decides on every request this many times.
const LAPS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let files = env::args_os().skip(1).map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let [zones, mix, documents @ ..] = &files[..] else { return Err("expected ZONES MIX CATALOG…".into()) };
    let compiled = documents.iter().map(|document| bidder::compile(document, zones)).collect::<Result<Vec<_>, _>>()?;
    let catalogs: Vec<_> = compiled.iter().map(Snapshot::catalog).collect();
    let requests: Vec<&[u8]> = mix.split(|byte| *byte == b'\n').collect();
    let mut bench = Bench::default();

    // Each batch continues after the last request of the batch before, so all requests are measured equally often.
    let mut turn = requests.iter().cycle();
    partner::answer_all(Way::ALL.map(Way::name), |command, way, catalog| {
        let way = *Way::ALL.get(way).ok_or("no such way")?;
        let catalog = catalogs.get(catalog).ok_or("no such catalog")?;
        let mut next = || {
            let Some(request) = turn.next() else { return };
            bench.run(way, catalog, request);
        };
        match command {
            "warm" => {
                batch::warm(WARM, next);
                Ok(String::new())
            }
            "measure" => Ok(batch::batch(u32::try_from(requests.len())?, next).to_string()),
            "spread" => {
                let mut times: Vec<Duration> = (0..LAPS * requests.len()).map(|_| timed(&mut next)).collect();
                times.sort_unstable();
                let at = |hundredths: usize| times.get(times.len() * hundredths / 100).map_or(0.0, micros);
                Ok(format!("{} {}", at(50), at(99)))
            }
            _ => Err(format!("no command {command}").into()),
        }
    })
}

fn timed(call: &mut impl FnMut()) -> Duration {
    let begin = Instant::now();
    call();
    begin.elapsed()
}

fn micros(time: &Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
