//! The records of a decision, which become events.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Bidder, with};

/// Sets which records [`decide`] writes from now on: one for each bid if `bids` is true, and one for the auction if
/// `weight` is not 0. `weight` is the number of auctions that this record stands for. See [`write::Records`].
#[wasm_bindgen]
pub fn record(bids: bool, weight: u32) {
    with(|_, Bidder { scratch, .. }| {
        scratch.records.bids = bids;
        scratch.records.weight = weight;
    });
}

/// The address of the records of the last decision.
#[wasm_bindgen]
pub fn records() -> usize {
    with(|_, bidder| bidder.scratch.records.lines.as_ptr() as usize)
}

/// The length of the records of the last decision, in bytes.
#[wasm_bindgen]
pub fn records_len() -> usize {
    with(|_, bidder| bidder.scratch.records.lines.len())
}

/// How many records of the last decision were dropped, because all records together would be too long.
#[wasm_bindgen]
pub fn records_dropped() -> u32 {
    with(|_, bidder| bidder.scratch.records.dropped)
}
