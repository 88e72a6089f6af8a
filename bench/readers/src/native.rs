//! The native side of the benchmark: measures what it is told to on standard input, a line at a
//! time, so that the driver can take turns between it and workerd.
//!
//!     bench-readers-native BODY…
//!
//! takes files with a text a line. First it prints the names of the readers, one a line, then an empty line. For each
//! line `warm READER BODY` (numbers) it prints an empty line, for `measure READER BODY` the mean
//! microseconds per read of one batch. It ends with its input.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use bench_measure::batch;
use bench_readers::readers::{Bench, Reader};

const WARM: Duration = Duration::from_millis(50);

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
    let bodies = env::args_os().skip(1).map(fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    let bodies: Vec<Vec<&[u8]>> = bodies.iter().map(|body| body.lines().map(str::as_bytes).collect()).collect();
    let mut bench = Bench::default();
    let mut out = stdout().lock();
    for reader in Reader::ALL {
        writeln!(out, "{}", reader.name())?;
    }
    writeln!(out)?;

    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [command, reader, body] = words[..] else { return Err(format!("not understood: {line}").into()) };
        let reader = *Reader::ALL.get(reader.parse::<usize>()?).ok_or("no such reader")?;
        let body = bodies.get(body.parse::<usize>()?).ok_or("no such body")?;
        // In turn, and copied in anew for each read, as in workerd.
        let mut texts = body.iter().cycle();
        let mut read = || {
            let Some(text) = texts.next() else { return };
            bench.room(text.len()).copy_from_slice(text);
            bench.read(reader, text.len());
        };
        match command {
            "warm" => {
                batch::warm(WARM, read);
                writeln!(out)?;
            }
            "measure" => writeln!(out, "{}", batch::batch(1, &mut read))?,
            _ => return Err(format!("not understood: {line}").into()),
        }
    }
    Ok(())
}
