//! Deciding on a bid request, and what a decision leaves besides its answer: records, and what options leave for the host.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Bidder, text, whole, with};
use auction::context::{Context, LOTS};
use auction::{Outcome, bid, write};
use base::buffers::Buffers;
use openrtb::read::{Body, Format};

/// Decides on the first `len` bytes of input, a bid request of the SSP at position `ssp`, at `now_ms` milliseconds since
/// the Unix epoch. The seed for bid ids comes in two halves of 32 bits. `format`: the number of its
/// [`Format`], see [`format_of`]. The output is JSON all the same: see [`encode`]. The request arrived `waited_ms` before. `arm`,
/// `lot`: [`Context::arm`], [`Context::lot`].
///
/// The bits of the result:
///
/// - 0 to 9: the HTTP status to answer with, 200 (the output is the body), 204 or 400,
/// - 10: a TCF string is not valid, or does not disclose our vendor: see [`consent::judge`],
/// - 11: options leave something for the host: see [`left`],
/// - 12: the bids were not sound, and are not sent: see [`auction::Scratch::is_broken`],
/// - 13: the request has more impressions than [`MAX_IMPS`](base::limits::MAX_IMPS), and the rest was ignored,
/// - 14: the auction is a test,
/// - 15: the decision was cut off, see [`auction::decide::Effort::gave_up`],
/// - 16 to 31: the number of the no-bid reason plus 1, or 0 if there is none.
// Times since the epoch are far below 2^53; below it, a float holds integers exactly.
#[allow(clippy::cast_possible_truncation)]
#[allow(clippy::too_many_arguments, reason = "a call from the host takes numbers only")]
#[wasm_bindgen]
pub fn decide(
    len: usize,
    ssp: usize,
    now_ms: f64,
    seed_high: u32,
    seed_low: u32,
    format: u8,
    waited_ms: u32,
    arm: u8,
    lot: u32,
) -> u32 {
    with(|Buffers { input, output, .. }, Bidder { scratch, catalog, version, stop, pacing, notices, options, .. }| {
        output.clear();
        let Some(catalog) = catalog else { return 204 };
        let mut context = Context {
            now_ms: now_ms as i64,
            waited_ms: waited_ms.into(),
            seed: whole(seed_high, seed_low),
            notices: notices.as_ref(),
            stop: stop.as_ref(),
            pacing: pacing.as_ref(),
            version: *version,
            arm,
            lot,
            ..Context::default()
        };
        options.prepare(&mut context, catalog);
        let body = Body::within(input, len).encoded_as(format_of(format));
        let outcome = bid(scratch, body, ssp, catalog, &context, &mut (), output);
        options.end();
        let effort = scratch.effort();
        let flags = u32::from(scratch.refuses_tcf()) << 10
            | u32::from(!scratch.left.json().is_empty()) << 11
            | u32::from(scratch.is_broken()) << 12
            | u32::from(effort.more_imps) << 13
            | u32::from(scratch.is_test()) << 14
            | u32::from(effort.gave_up) << 15;
        flags
            | match outcome {
                Outcome::Bid => 200,
                Outcome::NoBid(reason) => (reason as u32 + 1) << 16 | if output.is_empty() { 204 } else { 200 },
                Outcome::BadRequest(_) => 400,
            }
    })
}

/// The address of what options leave for the host after the last decision: see [`Left`](auction::options::left::Left).
#[wasm_bindgen]
pub fn left() -> usize {
    with(|_, bidder| bidder.scratch.left.json().as_ptr() as usize)
}

/// The length of [`left`] in bytes; 0 if there is nothing.
#[wasm_bindgen]
pub fn left_len() -> usize {
    with(|_, bidder| bidder.scratch.left.json().len())
}

/// A pseudo-random number below [`LOTS`] for the bid request in the first `len` bytes of input. It depends only on the
/// request's id and the version: see [`context::lot`](auction::context::lot). Returns [`LOTS`] if the input is not a bid
/// request. `format`: as for [`decide`].
#[wasm_bindgen]
pub fn lot(len: usize, format: u8) -> u32 {
    with(|Buffers { input, .. }, Bidder { scratch, version, .. }| {
        let body = Body::within(input, len).encoded_as(format_of(format));
        auction::lot(scratch, body, &version.to_be_bytes()).unwrap_or(LOTS)
    })
}

/// Encodes the answer in the first `len` bytes of input, JSON of [`decide`], as protobuf. Protobuf is shorter and takes the
/// place of the JSON. Returns its length; 0 if the input is not an answer.
#[wasm_bindgen]
pub fn encode(len: usize) -> usize {
    with(|Buffers { input, .. }, Bidder { scratch, .. }| {
        let mut encoded = Vec::with_capacity(len);
        if write::encoded(text(input.get(..len).unwrap_or_default()), scratch.arena(), &mut encoded).is_none() {
            return 0;
        }
        let Some(room) = input.get_mut(..encoded.len()) else { return 0 };
        room.copy_from_slice(&encoded);
        encoded.len()
    })
}

/// How many ways to bid the last [`decide`] examined: see [`auction::decide::Effort`].
#[wasm_bindgen]
pub fn examined() -> usize {
    with(|_, bidder| bidder.scratch.effort().examined)
}

/// How much work the last [`decide`] did, in units of [`rules::work`].
#[wasm_bindgen]
pub fn work() -> usize {
    with(|_, bidder| bidder.scratch.effort().work)
}

/// Sets which records [`decide()`] writes from now on: one for each bid if `bids` is true, and one for the auction if
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

/// The format of a number of `FORMAT` in `shared/wasm/abi.ts`: 0 for JSON, 1 for protobuf. Other numbers do not occur.
fn format_of(number: u8) -> Format {
    match number {
        1 => Format::Protobuf,
        _ => Format::Json,
    }
}
