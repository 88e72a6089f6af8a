//! `serde-json-wasm`, which returns a new vector for each value.

use super::Shape;
use super::wire::{self, WireBid};
use crate::data::Record;

pub(super) fn write(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    match shape {
        Shape::Response => {
            let bids: Vec<_> = records.iter().map(bid).collect();
            out.extend(serde_json_wasm::to_vec(&wire::response(bids)).unwrap_or_default());
        }
        Shape::Records => {
            for record in records {
                out.extend(serde_json_wasm::to_vec(&bid(record)).unwrap_or_default());
                out.push(b'\n');
            }
        }
    }
}

fn bid(record: &Record) -> WireBid<'_, i64, &str> {
    wire::bid(record, record.bid.micros, record.bid.adm.as_str())
}
