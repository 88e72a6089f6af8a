//! The native side of the suite `readers`.
//!
//!     bench-readers-native BODY…
//!
//! The arguments are files with one text per line. `warm READER BODY` reads for a while. `measure READER BODY` prints
//! the mean microseconds per read of one batch.

use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use bench_measure::{batch, partner};
use bench_readers::readers::{Bench, Reader};

const WARM: Duration = Duration::from_millis(50);

fn main() -> Result<(), Box<dyn Error>> {
    let bodies = env::args_os().skip(1).map(fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    let bodies: Vec<Vec<&[u8]>> = bodies.iter().map(|body| body.lines().map(str::as_bytes).collect()).collect();
    let mut bench = Bench::default();
    partner::answer_all(Reader::ALL.map(Reader::name), |command, reader, body| {
        let reader = *Reader::ALL.get(reader).ok_or("no such reader")?;
        let body = bodies.get(body).ok_or("no such body")?;
        // The texts are read in turn. Each is copied in before each read, as in workerd.
        let mut texts = body.iter().cycle();
        let mut read = || {
            let Some(text) = texts.next() else { return };
            bench.room(text.len()).copy_from_slice(text);
            bench.read(reader, text.len());
        };
        match command {
            "warm" => {
                batch::warm(WARM, read);
                Ok(String::new())
            }
            "measure" => Ok(batch::batch(1, &mut read).to_string()),
            _ => Err(format!("no command {command}").into()),
        }
    })
}
