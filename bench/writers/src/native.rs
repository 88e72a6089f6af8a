//! The native side of the suite `writers`.
//!
//!     bench-writers-native LISTS
//!
//! The argument is a file with the lists of bids. The commands `warm WRITER WORK` and `measure WRITER WORK` are those of
//! `measure/src/partner.rs`. WORK is four times the number of the list, plus 0 for a response in memory, 1 for records in
//! memory, 2 for records to a stream, or 3 for records to a stream with gzip.

use std::error::Error;
use std::io::Write;
use std::time::Duration;
use std::{env, fs};

use bench_measure::partner;
use bench_writers::data::{self, Record};
use bench_writers::writers::{Shape, WRITERS, Writer};
use flate2::Compression;
use flate2::write::GzEncoder;

const WARM: Duration = Duration::from_millis(20);
/// Records per write to a stream, as in `worker.ts`.
const SLICE: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("expected LISTS")?;
    let lists = data::read(&fs::read(path)?)?;
    let (mut written, mut stream) = (Vec::new(), Vec::new());
    partner::answer_all(WRITERS.map(|writer| writer.name), WARM, 1, |writer, work| {
        let (Some(writer), Some(records)) = (WRITERS.get(writer), lists.get(work / 4)) else { return };
        written.clear();
        stream.clear();
        match work % 4 {
            0 => (writer.write)(Shape::Response, records, &mut written),
            1 => (writer.write)(Shape::Records, records, &mut written),
            2 => slices(writer, records, &mut written, |slice| stream.extend_from_slice(slice)),
            _ => {
                let mut gzip = GzEncoder::new(&mut stream, Compression::default());
                // Writing to memory cannot fail.
                slices(writer, records, &mut written, |slice| drop(gzip.write_all(slice)));
                let _ = gzip.finish();
            }
        }
        std::hint::black_box((&written, &stream));
    })
}

fn slices(writer: &Writer, records: &[Record], written: &mut Vec<u8>, mut take: impl FnMut(&[u8])) {
    for slice in records.chunks(SLICE) {
        written.clear();
        (writer.write)(Shape::Records, slice, written);
        take(written);
    }
}
