//! All writers that are compiled from Rust, by name.

mod csv;
mod edgebid;
mod json;
mod protobuf;

use crate::data::{Bid, Record};

/// One of the writers.
#[derive(Debug)]
pub struct Writer {
    /// Its name in results.
    pub name: &'static str,
    /// Whether it can write responses too, not only records.
    pub writes_responses: bool,
    /// Appends the bids in this form.
    pub write: fn(Shape, &[Record], &mut Vec<u8>),
    /// Parses what it wrote; `None` if the bytes are invalid.
    read: fn(Shape, &[u8]) -> Option<Vec<Bid>>,
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

/// All writers. A writer's number is its position.
pub const WRITERS: [Writer; 6] = [
    // The bidder's own writer. The catalog's part of a bid is rendered once.
    Writer { name: "edgebid, fragments", writes_responses: true, write: edgebid::write_fragments, read: json::read },
    // The same, but it escapes and writes every value each time.
    Writer { name: "edgebid, every value", writes_responses: true, write: edgebid::write_values, read: json::read },
    Writer { name: "serde_json", writes_responses: true, write: json::write_values, read: json::read },
    // With the markup as a raw value.
    Writer { name: "serde_json, raw adm", writes_responses: true, write: json::write_raw, read: json::read },
    Writer { name: "csv", writes_responses: false, write: csv::write, read: csv::read },
    // With the field numbers of OpenRTB's own protobuf. Each record has a length prefix.
    Writer { name: "protobuf (prost)", writes_responses: true, write: protobuf::write, read: protobuf::read },
];

impl Writer {
    /// Whether the writer can write this form.
    pub fn writes(&self, shape: Shape) -> bool {
        self.writes_responses || shape == Shape::Records
    }

    /// Whether parsing the writer's output gives the original bids.
    pub fn is_right(&self, shape: Shape, records: &[Record]) -> bool {
        let mut written = Vec::new();
        (self.write)(shape, records, &mut written);
        (self.read)(shape, &written).is_some_and(|bids| bids.iter().eq(records.iter().map(|record| &record.bid)))
    }
}

/// A price as a binary float, because the derived formats have no decimals.
#[expect(clippy::cast_precision_loss, reason = "prices are far below 2^53 micros")]
fn price(micros: i64) -> f64 {
    micros as f64 / 1e6
}

#[expect(clippy::cast_possible_truncation, reason = "rounded, and far below 2^53")]
fn micros(price: f64) -> i64 {
    (price * 1e6).round() as i64
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
        for writer in &WRITERS {
            for shape in [Shape::Response, Shape::Records].into_iter().filter(|shape| writer.writes(*shape)) {
                assert!(writer.is_right(shape, &lists[0]), "{writer:?} {shape:?}");
                assert!(writer.is_right(shape, &lists[0][..1]), "{writer:?} {shape:?}");
            }
        }
    }

    #[test]
    fn what_was_written_wrongly_is_found_out() {
        let lists = data::read(BIDS.as_bytes()).unwrap();
        for writer in &WRITERS {
            let mut written = Vec::new();
            (writer.write)(Shape::Records, &lists[0], &mut written);
            let right = (writer.read)(Shape::Records, &written).unwrap();
            let at = written.windows(9).position(|bytes| bytes == b"b.example").unwrap();
            written[at] = b'c';
            assert_ne!((writer.read)(Shape::Records, &written), Some(right), "{writer:?}");
        }
    }

    #[test]
    fn our_two_write_the_same_bytes_and_json_is_what_the_bidder_writes() {
        let lists = data::read(BIDS.as_bytes()).unwrap();
        let [mut one, mut other] = [Vec::new(), Vec::new()];
        edgebid::write_fragments(Shape::Response, &lists[0], &mut one);
        edgebid::write_values(Shape::Response, &lists[0], &mut other);
        assert_eq!(one, other);
        assert!(one.starts_with(
            br#"{"id":"5f0c1d3e-response","cur":"USD","seatbid":[{"bid":[{"id":"b1","impid":"1","price":1.85,"#
        ));
    }
}
