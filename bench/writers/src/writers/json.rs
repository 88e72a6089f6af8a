//! `serde_json` into a reused buffer, and the reader for all JSON.

use serde::{Deserialize, Serialize};

use super::{CUR, ID, SEAT, Shape, micros, price};
use crate::data::{Bid, Record};

/// A bid as JSON has it. `T` is text, `D` the domains, `M` the markup.
#[derive(Serialize, Deserialize)]
struct JsonBid<T, D, M> {
    id: T,
    impid: T,
    price: f64,
    cid: T,
    crid: T,
    adomain: D,
    adm: M,
    w: i64,
    h: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealid: Option<T>,
}

#[derive(Serialize, Deserialize)]
struct Response<T, B> {
    id: T,
    cur: T,
    seatbid: [SeatBid<T, B>; 1],
}

#[derive(Serialize, Deserialize)]
struct SeatBid<T, B> {
    bid: Vec<B>,
    seat: T,
}

pub(super) fn write_values(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    write(shape, records, out, |record| record.bid.adm.as_str());
}

/// The markup was escaped as JSON in advance.
pub(super) fn write_raw(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    write(shape, records, out, |record| &*record.adm);
}

fn write<'r, M: Serialize + ?Sized + 'r>(
    shape: Shape,
    records: &'r [Record],
    out: &mut Vec<u8>,
    adm: fn(&'r Record) -> &'r M,
) {
    // Only a map with invalid keys could make serialization fail, and the bids have no map.
    match shape {
        Shape::Response => {
            let bid = records.iter().map(|record| bid(record, adm(record))).collect();
            let _ = serde_json::to_writer(out, &Response { id: ID, cur: CUR, seatbid: [SeatBid { bid, seat: SEAT }] });
        }
        Shape::Records => {
            for record in records {
                let _ = serde_json::to_writer(&mut *out, &bid(record, adm(record)));
                out.push(b'\n');
            }
        }
    }
}

fn bid<'r, M: ?Sized>(record: &'r Record, adm: &'r M) -> JsonBid<&'r str, &'r [String], &'r M> {
    let Bid { id, impid, cid, crid, adomain, w, h, exp, dealid, .. } = &record.bid;
    let price = price(record.bid.micros);
    JsonBid { id, impid, price, cid, crid, adomain, adm, w: *w, h: *h, exp: *exp, dealid: dealid.as_deref() }
}

pub(super) fn read(shape: Shape, written: &[u8]) -> Option<Vec<Bid>> {
    let bids: Vec<JsonBid<String, Vec<String>, String>> = match shape {
        Shape::Response => {
            let Response { id, cur, seatbid: [SeatBid { bid, seat }] } =
                serde_json::from_slice::<Response<String, _>>(written).ok()?;
            (id == ID && cur == CUR && seat == SEAT).then_some(bid)?
        }
        Shape::Records => {
            let lines = written.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
            lines.map(serde_json::from_slice).collect::<Result<_, _>>().ok()?
        }
    };
    let bids = bids.into_iter().map(|bid| {
        let JsonBid { id, impid, price, cid, crid, adomain, adm, w, h, exp, dealid } = bid;
        Bid { id, impid, micros: micros(price), cid, crid, adomain, adm, w, h, exp, dealid }
    });
    Some(bids.collect())
}
