//! The native side of the suites `decide` and `scale`.
//!
//!     bench-decide-native ZONES MIX CATALOG…
//!
//! The arguments are files: the time zones, the requests (one per line), and catalog documents. `warm WAY CATALOG`
//! decides for a while. `measure WAY CATALOG` prints the mean microseconds per request of one batch.

mod bidder;

use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use bench_measure::partner;
use bidder::{Bench, WAYS};
use bidder_wasm::catalog::Snapshot;

const WARM: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn Error>> {
    let files = env::args_os().skip(1).map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let [zones, mix, documents @ ..] = &files[..] else { return Err("expected ZONES MIX CATALOG…".into()) };
    let compiled = documents.iter().map(|document| bidder::compile(document, zones)).collect::<Result<Vec<_>, _>>()?;
    let catalogs: Vec<_> = compiled.iter().map(Snapshot::catalog).collect();
    let requests: Vec<&[u8]> = mix.split(|byte| *byte == b'\n').collect();
    let mut bench = Bench::default();

    // Each batch continues after the last request of the batch before, so all requests are measured equally often.
    let mut turn = requests.iter().cycle();
    partner::answer_all(WAYS.map(|(name, _)| name), WARM, u32::try_from(requests.len())?, |way, catalog| {
        if let (Some((_, way)), Some(catalog), Some(request)) = (WAYS.get(way), catalogs.get(catalog), turn.next()) {
            bench.run(*way, catalog, request);
        }
    })
}
