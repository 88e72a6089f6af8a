//! The JSON of the bids: the structs for the derived writers, and the reader for all JSON.

use serde::{Deserialize, Serialize};

use super::{CUR, ID, SEAT, Shape};
use crate::data::{Bid, Record};

/// `P` is the type of the price, `M` that of the markup.
#[derive(Serialize)]
pub(super) struct WireBid<'r, P, M> {
    id: &'r str,
    impid: &'r str,
    price: P,
    cid: &'r str,
    crid: &'r str,
    adomain: &'r [String],
    adm: M,
    w: i64,
    h: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealid: Option<&'r str>,
}

#[derive(Serialize)]
pub(super) struct Response<B> {
    id: &'static str,
    cur: &'static str,
    seatbid: [SeatBid<B>; 1],
}

#[derive(Serialize)]
struct SeatBid<B> {
    bid: B,
    seat: &'static str,
}

pub(super) fn bid<P, M>(record: &Record, price: P, adm: M) -> WireBid<'_, P, M> {
    let Bid { id, impid, cid, crid, adomain, w, h, exp, dealid, .. } = &record.bid;
    WireBid { id, impid, price, cid, crid, adomain, adm, w: *w, h: *h, exp: *exp, dealid: dealid.as_deref() }
}

pub(super) fn response<B>(bids: B) -> Response<B> {
    Response { id: ID, cur: CUR, seatbid: [SeatBid { bid: bids, seat: SEAT }] }
}

/// A price as a binary float, because the derived formats have no decimals.
#[expect(clippy::cast_precision_loss, reason = "prices are far below 2^53 micros")]
pub(super) fn price(micros: i64) -> f64 {
    micros as f64 / 1e6
}

#[expect(clippy::cast_possible_truncation, reason = "rounded, and far below 2^53")]
pub(super) fn micros(price: f64) -> i64 {
    price.round() as i64
}

#[derive(Deserialize)]
struct ReadBid {
    id: String,
    impid: String,
    price: f64,
    cid: String,
    crid: String,
    adomain: Vec<String>,
    adm: String,
    w: i64,
    h: i64,
    exp: i64,
    dealid: Option<String>,
}

#[derive(Deserialize)]
struct ReadResponse {
    id: String,
    cur: String,
    seatbid: [ReadSeatBid; 1],
}

#[derive(Deserialize)]
struct ReadSeatBid {
    bid: Vec<ReadBid>,
    seat: String,
}

/// `in_micros` converts a written price to micros.
pub(super) fn read(shape: Shape, written: &[u8], in_micros: fn(f64) -> f64) -> Option<Vec<Bid>> {
    let bids = match shape {
        Shape::Response => {
            let ReadResponse { id, cur, seatbid: [ReadSeatBid { bid, seat }] } =
                serde_json::from_slice(written).ok()?;
            (id == ID && cur == CUR && seat == SEAT).then_some(bid)?
        }
        Shape::Records => {
            let lines = written.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
            lines.map(serde_json::from_slice).collect::<Result<Vec<ReadBid>, _>>().ok()?
        }
    };
    let bids = bids.into_iter().map(|bid| {
        let ReadBid { id, impid, price, cid, crid, adomain, adm, w, h, exp, dealid } = bid;
        Bid { id, impid, micros: micros(in_micros(price)), cid, crid, adomain, adm, w, h, exp, dealid }
    });
    Some(bids.collect())
}
