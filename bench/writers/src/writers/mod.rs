//! All writers that are compiled from Rust, by name.

mod csv;
mod edgebid;
mod protobuf;
mod serde_json;
mod serde_json_wasm;
mod wire;

use crate::data::{Bid, Record};

/// One of the writers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// The bidder's own writer. The catalog's part of a bid is rendered once.
    Fragments,
    /// The bidder's own writer, but it escapes and writes every value each time.
    Values,
    /// `serde_json`.
    SerdeJson,
    /// `serde_json`, with the markup as a raw value.
    SerdeJsonRaw,
    /// `serde-json-wasm`. It cannot write decimals, so prices are whole micros.
    SerdeJsonWasm,
    /// `csv`, for records only.
    Csv,
    /// `prost`, with the field numbers of OpenRTB's own protobuf. Each record has a length prefix.
    Protobuf,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One `BidResponse`.
    Response,
    /// One record per bid.
    Records,
}

/// The id of every response.
const ID: &str = "5f0c1d3e-response";
const CUR: &str = "USD";
const SEAT: &str = "seat-17";

impl Writer {
    /// All writers. A writer's number is its position.
    pub const ALL: [Writer; 7] = [
        Writer::Fragments,
        Writer::Values,
        Writer::SerdeJson,
        Writer::SerdeJsonRaw,
        Writer::SerdeJsonWasm,
        Writer::Csv,
        Writer::Protobuf,
    ];

    /// The writer's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Writer::Fragments => "edgebid, fragments",
            Writer::Values => "edgebid, every value",
            Writer::SerdeJson => "serde_json",
            Writer::SerdeJsonRaw => "serde_json, raw adm",
            Writer::SerdeJsonWasm => "serde-json-wasm (micros)",
            Writer::Csv => "csv",
            Writer::Protobuf => "protobuf (prost)",
        }
    }

    /// Whether the writer can write this form.
    pub fn writes(self, shape: Shape) -> bool {
        self != Writer::Csv || shape == Shape::Records
    }

    /// Appends the bids in this form. Appends nothing if the writer cannot write this form.
    pub fn write(self, shape: Shape, records: &[Record], out: &mut Vec<u8>) {
        match self {
            Writer::Fragments => edgebid::write(shape, records, out, edgebid::fragments),
            Writer::Values => edgebid::write(shape, records, out, edgebid::values),
            Writer::SerdeJson => serde_json::write(shape, records, out, serde_json::values),
            Writer::SerdeJsonRaw => serde_json::write(shape, records, out, serde_json::raw),
            Writer::SerdeJsonWasm => serde_json_wasm::write(shape, records, out),
            Writer::Csv => csv::write(shape, records, out),
            Writer::Protobuf => protobuf::write(shape, records, out),
        }
    }

    /// Parses the writer's output; `None` if the bytes are invalid.
    pub fn read(self, shape: Shape, written: &[u8]) -> Option<Vec<Bid>> {
        match self {
            Writer::Csv => csv::read(written),
            Writer::Protobuf => protobuf::read(shape, written),
            Writer::SerdeJsonWasm => wire::read(shape, written, |micros| micros),
            _ => wire::read(shape, written, |price| price * 1e6),
        }
    }

    /// Whether parsing the writer's output gives the original bids.
    pub fn is_right(self, shape: Shape, records: &[Record]) -> bool {
        let mut written = Vec::new();
        self.write(shape, records, &mut written);
        self.read(shape, &written).is_some_and(|bids| bids.iter().eq(records.iter().map(|record| &record.bid)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;

    /// Two bids: one with all attributes, one with strings that every format must escape.
    const BIDS: &str = r#"[[
        {"id":"b1","impid":"1","micros":1850000,"cid":"c1","crid":"r1","adomain":["a.example"],
         "adm":"<a href=\"https://x.example/?a=1&b=2\">&amp;</a>","w":300,"h":250,"exp":3600,"dealid":"d1"},
        {"id":"b\"2","impid":"\\2","micros":1,"cid":"c\n2","crid":"r\u2028\u0001","adomain":["a.example","b.example"],
         "adm":"\"quoted\", with a comma\r\nand a line \ud83d\ude00","w":0,"h":-1,"exp":60,"dealid":null}
    ]]"#;

    #[test]
    fn every_writer_writes_what_reads_back_as_it_was() {
        let lists = data::read(BIDS.as_bytes()).unwrap();
        for writer in Writer::ALL {
            for shape in [Shape::Response, Shape::Records].into_iter().filter(|shape| writer.writes(*shape)) {
                assert!(writer.is_right(shape, &lists[0]), "{writer:?} {shape:?}");
                assert!(writer.is_right(shape, &lists[0][..1]), "{writer:?} {shape:?}");
            }
        }
    }

    #[test]
    fn what_was_written_wrongly_is_found_out() {
        let lists = data::read(BIDS.as_bytes()).unwrap();
        for writer in Writer::ALL {
            let mut written = Vec::new();
            writer.write(Shape::Records, &lists[0], &mut written);
            let right = writer.read(Shape::Records, &written).unwrap();
            let at = written.windows(9).position(|bytes| bytes == b"b.example").unwrap();
            written[at] = b'c';
            assert_ne!(writer.read(Shape::Records, &written), Some(right), "{writer:?}");
        }
    }

    #[test]
    fn our_two_write_the_same_bytes_and_json_is_what_the_bidder_writes() {
        let lists = data::read(BIDS.as_bytes()).unwrap();
        let [mut one, mut other] = [Vec::new(), Vec::new()];
        Writer::Fragments.write(Shape::Response, &lists[0], &mut one);
        Writer::Values.write(Shape::Response, &lists[0], &mut other);
        assert_eq!(one, other);
        assert!(one.starts_with(
            br#"{"id":"5f0c1d3e-response","cur":"USD","seatbid":[{"bid":[{"id":"b1","impid":"1","price":1.85,"#
        ));
    }
}
