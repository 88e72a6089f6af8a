//! The bidder's writer: appends text piece by piece.

use bidder_wasm::money::Micros;
use bidder_wasm::write::Object;

use super::{CUR, ID, SEAT, Shape};
use crate::data::{self, Record};

/// Appends the rendered attributes.
pub(super) fn write_fragments(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    write(shape, records, out, |object, record| object.members(&record.fragment));
}

/// Writes every value.
pub(super) fn write_values(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    write(shape, records, out, |object, record| data::known(object, &record.bid));
}

fn write(shape: Shape, records: &[Record], out: &mut Vec<u8>, bid: fn(&mut Object<'_>, &Record)) {
    // The bidder's writer appends to a `String`, but the buffer of the benchmark is a `Vec`.
    let Ok(mut text) = String::from_utf8(core::mem::take(out)) else { return };
    match shape {
        Shape::Response => {
            let mut response = Object::begin(&mut text);
            response.string("id", ID);
            response.string("cur", CUR);
            response.raw("seatbid", |out| {
                out.push('[');
                let mut seatbid = Object::begin(out);
                seatbid.list("bid", records, |out, record| object(out, record, bid));
                seatbid.string("seat", SEAT);
                seatbid.end();
                out.push(']');
            });
            response.end();
        }
        Shape::Records => {
            for record in records {
                object(&mut text, record, bid);
                text.push('\n');
            }
        }
    }
    *out = text.into_bytes();
}

fn object(out: &mut String, record: &Record, known: fn(&mut Object<'_>, &Record)) {
    let bid = &record.bid;
    let mut object = Object::begin(out);
    object.string("id", &bid.id);
    object.string("impid", &bid.impid);
    object.amount("price", Micros(bid.micros));
    known(&mut object, record);
    if let Some(dealid) = &bid.dealid {
        object.string("dealid", dealid);
    }
    object.end();
}
