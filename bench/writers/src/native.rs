//! The native side of the suite: measures what it is told to on standard input, a line at a time, so that the driver can
//! take turns between it and workerd.
//!
//!     bench-writers-native LISTS
//!
//! takes a file with the lists of bids. First it prints the names of the writers, one a line, then an empty line. For each
//! line `warm WRITER WORK` it prints an empty line, for `measure WRITER WORK` the mean microseconds of one batch, for
//! `right WRITER WORK` whether what is written reads back as it was. WORK is a number: four times that of the list, and
//! 0 for a response in memory, 1 for records in memory, 2 for records to a stream, 3 for records to a stream with gzip.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use bench_measure::batch;
use bench_writers::data::{self, Record};
use bench_writers::writers::{Shape, Writer};
use flate2::Compression;
use flate2::write::GzEncoder;

const WARM: Duration = Duration::from_millis(20);
/// Records that go to a stream at once, as in `worker.ts`.
const SLICE: usize = 100;

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
    let path = env::args_os().nth(1).ok_or("expected LISTS")?;
    let lists = data::read(&fs::read(path)?)?;
    let mut out = stdout().lock();
    for writer in Writer::ALL {
        writeln!(out, "{}", writer.name())?;
    }
    writeln!(out)?;

    let mut memory = Memory::default();
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [command, writer, work] = words[..] else { return Err(format!("not understood: {line}").into()) };
        let writer = *Writer::ALL.get(writer.parse::<usize>()?).ok_or("no such writer")?;
        let work: usize = work.parse()?;
        let records = lists.get(work / 4).ok_or("no such list")?;
        let way = work % 4;
        let mut write = || memory.write(writer, way, records);
        match command {
            "warm" => {
                batch::warm(WARM, write);
                writeln!(out)?;
            }
            "measure" => writeln!(out, "{}", batch::batch(1, &mut write))?,
            "right" => writeln!(out, "{}", writer.is_right(shape(way), records))?,
            _ => return Err(format!("not understood: {line}").into()),
        }
    }
    Ok(())
}

/// Kept from one time to the next.
#[derive(Default)]
struct Memory {
    written: Vec<u8>,
    stream: Vec<u8>,
}

impl Memory {
    fn write(&mut self, writer: Writer, way: usize, records: &[Record]) {
        let Memory { written, stream } = self;
        written.clear();
        stream.clear();
        match way {
            2 => slices(writer, records, written, |slice| stream.extend_from_slice(slice)),
            3 => {
                let mut gzip = GzEncoder::new(stream, Compression::default());
                // Memory takes everything.
                slices(writer, records, written, |slice| drop(gzip.write_all(slice)));
                let _ = gzip.finish();
            }
            _ => writer.write(shape(way), records, written),
        }
        std::hint::black_box((&self.written, &self.stream));
    }
}

fn slices(writer: Writer, records: &[Record], written: &mut Vec<u8>, mut take: impl FnMut(&[u8])) {
    for slice in records.chunks(SLICE) {
        written.clear();
        writer.write(Shape::Records, slice, written);
        take(written);
    }
}

fn shape(way: usize) -> Shape {
    if way == 0 { Shape::Response } else { Shape::Records }
}
