//! The registry: every writer that is compiled from Rust, by name.

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
    /// The bidder's own, with what the catalog knows rendered once.
    Fragments,
    /// The same with every value escaped and written anew.
    Values,
    /// `serde_json`.
    SerdeJson,
    /// `serde_json` with the markup as a raw value.
    SerdeJsonRaw,
    /// `serde-json-wasm`, which knows no decimals: prices are whole numbers of micros.
    SerdeJsonWasm,
    /// `csv`: records alone.
    Csv,
    /// `prost`, with the numbers of OpenRTB's own protobuf; each record has its length in front.
    Protobuf,
}

/// What is made of the bids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One `BidResponse`.
    Response,
    /// One record for each bid, one after the other.
    Records,
}

/// Of every response.
const ID: &str = "5f0c1d3e-response";
const CUR: &str = "USD";
const SEAT: &str = "seat-17";

impl Writer {
    /// All of them; a writer's place is its number.
    pub const ALL: [Writer; 7] = [
        Writer::Fragments,
        Writer::Values,
        Writer::SerdeJson,
        Writer::SerdeJsonRaw,
        Writer::SerdeJsonWasm,
        Writer::Csv,
        Writer::Protobuf,
    ];

    /// What results call it.
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

    /// Whether it writes that.
    pub fn writes(self, shape: Shape) -> bool {
        self != Writer::Csv || shape == Shape::Records
    }

    /// Appends the bids in that shape; nothing where it does not write it.
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

    /// The bids in what it has written; `None` if that is not to be read.
    pub fn read(self, shape: Shape, written: &[u8]) -> Option<Vec<Bid>> {
        match self {
            Writer::Csv => csv::read(written),
            Writer::Protobuf => protobuf::read(shape, written),
            Writer::SerdeJsonWasm => wire::read(shape, written, |micros| micros),
            _ => wire::read(shape, written, |price| price * 1e6),
        }
    }

    /// Whether what it writes of these bids is these bids.
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

    /// Two bids: one with all there is, one with strings that every format has to escape.
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
