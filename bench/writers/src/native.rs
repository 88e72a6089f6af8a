//! The native side of the suite `writers`.
//!
//!     bench-writers-native LISTS
//!
//! The argument is a file with the lists of bids. `right WRITER WORK` prints whether the output reads back unchanged.
//! `warm WRITER WORK` writes for a while. `measure WRITER WORK` prints the mean microseconds of one batch. WORK is four
//! times the number of the list, plus 0 for a response in memory, 1 for records in memory, 2 for records to a stream,
//! or 3 for records to a stream with gzip.

use std::error::Error;
use std::io::Write;
use std::time::Duration;
use std::{env, fs};

use bench_measure::{batch, partner};
use bench_writers::data::{self, Record};
use bench_writers::writers::{Shape, Writer};
use flate2::Compression;
use flate2::write::GzEncoder;

const WARM: Duration = Duration::from_millis(20);
/// Records per write to a stream, as in `ways.ts`.
const SLICE: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("expected LISTS")?;
    let lists = data::read(&fs::read(path)?)?;
    let mut memory = Memory::default();
    partner::answer_all(Writer::ALL.map(Writer::name), |command, writer, work| {
        let writer = *Writer::ALL.get(writer).ok_or("no such writer")?;
        let records = lists.get(work / 4).ok_or("no such list")?;
        let way = work % 4;
        let mut write = || memory.write(writer, way, records);
        match command {
            "right" => Ok(writer.is_right(shape(way), records).to_string()),
            "warm" => {
                batch::warm(WARM, write);
                Ok(String::new())
            }
            "measure" => Ok(batch::batch(1, &mut write).to_string()),
            _ => Err(format!("no command {command}").into()),
        }
    })
}

/// Buffers, kept between writes.
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
                // Writing to memory cannot fail.
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
