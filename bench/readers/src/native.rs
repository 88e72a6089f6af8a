//! The native side of the suite `readers`.
//!
//!     bench-readers-native BODY…
//!
//! The arguments are files with one text per line. The commands `warm READER BODY` and `measure READER BODY` are those of
//! `measure/src/partner.rs`.

use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use bench_measure::partner;
use bench_readers::readers::{Bench, Reader};

const WARM: Duration = Duration::from_millis(50);

fn main() -> Result<(), Box<dyn Error>> {
    let bodies = env::args_os().skip(1).map(fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    let mut bodies: Vec<_> = bodies.iter().map(|body| body.lines().map(str::as_bytes).cycle()).collect();
    let mut bench = Bench::default();
    partner::answer_all(Reader::ALL.map(|(_, name)| name), WARM, 1, |reader, body| {
        // The texts are read in turn. Each is copied in before each read, as in workerd.
        let text = bodies.get_mut(body).and_then(Iterator::next);
        if let (Some((reader, _)), Some(text)) = (Reader::ALL.get(reader), text) {
            bench.room(text.len()).copy_from_slice(text);
            bench.read(*reader, text.len());
        }
    })
}
