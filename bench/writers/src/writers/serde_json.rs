//! `serde_json`, into a reused buffer.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Shape;
use super::wire::{self, WireBid};
use crate::data::Record;

pub(super) fn write<'r, M: Serialize>(
    shape: Shape,
    records: &'r [Record],
    out: &mut Vec<u8>,
    bid: fn(&'r Record) -> WireBid<'r, f64, M>,
) {
    match shape {
        Shape::Response => {
            // Only a map with invalid keys could make serialization fail, and the bids have no map.
            let bids: Vec<_> = records.iter().map(bid).collect();
            let _ = serde_json::to_writer(out, &wire::response(bids));
        }
        Shape::Records => {
            for record in records {
                let _ = serde_json::to_writer(&mut *out, &bid(record));
                out.push(b'\n');
            }
        }
    }
}

pub(super) fn values(record: &Record) -> WireBid<'_, f64, &str> {
    wire::bid(record, wire::price(record.bid.micros), record.bid.adm.as_str())
}

/// A bid whose markup was escaped as JSON in advance.
pub(super) fn raw(record: &Record) -> WireBid<'_, f64, &RawValue> {
    wire::bid(record, wire::price(record.bid.micros), &record.adm)
}
