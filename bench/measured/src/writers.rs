//! The bids to write, as in a response or in a log, and all writers that are compiled from Rust, by name. The suite
//! reads what they have written with libraries of JavaScript.

use base::json::Object;
use base::money::Micros;
use prost::Message;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One bid, with the field numbers of OpenRTB's `openrtb.proto`.
#[derive(Clone, PartialEq, Message, Deserialize)]
struct Bid {
    #[prost(string, required, tag = "1")]
    id: String,
    #[prost(string, required, tag = "2")]
    impid: String,
    #[prost(double, required, tag = "3")]
    price: f64,
    #[prost(string, required, tag = "6")]
    adm: String,
    #[prost(string, repeated, tag = "7")]
    adomain: Vec<String>,
    #[prost(string, required, tag = "9")]
    cid: String,
    #[prost(string, required, tag = "10")]
    crid: String,
    #[prost(string, optional, tag = "13")]
    dealid: Option<String>,
    #[prost(int32, required, tag = "16")]
    w: i32,
    #[prost(int32, required, tag = "17")]
    h: i32,
    #[prost(int32, required, tag = "21")]
    exp: i32,
}

/// A bid with the parts that a catalog renders in advance.
#[derive(Debug)]
pub struct Record {
    bid: Bid,
    /// The price without a binary float.
    price: Micros,
    /// `cid` to `exp` as members of a JSON object, each after a comma.
    fragment: String,
    /// `adm` as a JSON string.
    adm: Box<RawValue>,
    /// `adomain` as one field of a CSV line.
    domains: String,
}

/// Reads lists of bids from a JSON array of arrays.
pub fn lists(json: &[u8]) -> Result<Vec<Vec<Record>>, serde_json::Error> {
    let lists: Vec<Vec<Bid>> = serde_json::from_slice(json)?;
    lists.into_iter().map(|bids| bids.into_iter().map(record).collect()).collect()
}

fn record(bid: Bid) -> Result<Record, serde_json::Error> {
    #[expect(clippy::cast_possible_truncation, reason = "rounded, and far below 2^53")]
    let price = Micros((bid.price * 1e6).round() as i64);
    let mut fragment = String::new();
    known(&mut Object::more(&mut fragment), &bid);
    let adm = serde_json::value::to_raw_value(&bid.adm)?;
    Ok(Record { price, fragment, adm, domains: bid.adomain.join(" "), bid })
}

/// The form of the output: one `BidResponse`, or one record per bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Shape {
    Response,
    Records,
}

/// The id of every response.
const ID: &str = "5f0c1d3e-response";
const CUR: &str = "USD";
const SEAT: &str = "seat-17";

/// Appends the bids in this form. Appends nothing if the format cannot have it.
pub type Write = fn(Shape, &[Record], &mut Vec<u8>);

/// All writers with their names in results. A writer's number is its position.
pub const WRITERS: [(&str, Write); 6] = [
    // The bidder's own writer. The catalog's part of a bid is rendered once.
    ("edgebid, fragments", |shape, records, out| {
        edgebid(shape, records, out, |object, record| object.members(&record.fragment));
    }),
    // The same, but it escapes and writes every value each time.
    ("edgebid, every value", |shape, records, out| {
        edgebid(shape, records, out, |object, record| known(object, &record.bid));
    }),
    ("serde_json", |shape, records, out| json(shape, records, out, |record| record.bid.adm.as_str())),
    // With markup that was escaped in advance.
    ("serde_json, raw adm", |shape, records, out| json(shape, records, out, |record| &*record.adm)),
    ("csv", csv),
    ("protobuf (prost)", protobuf),
];

fn edgebid(shape: Shape, records: &[Record], out: &mut Vec<u8>, rest: fn(&mut Object<'_>, &Record)) {
    let bid = |object: &mut Object<'_>, record: &Record| {
        object.string("id", &record.bid.id);
        object.string("impid", &record.bid.impid);
        object.amount("price", record.price);
        rest(object, record);
        if let Some(dealid) = &record.bid.dealid {
            object.string("dealid", dealid);
        }
    };
    // The bidder's writer appends to a `String`, but the buffer of the benchmark is a `Vec`.
    let Ok(mut text) = String::from_utf8(core::mem::take(out)) else { return };
    if shape == Shape::Response {
        let mut response = Object::begin(&mut text);
        response.string("id", ID);
        response.string("cur", CUR);
        response.objects("seatbid", &[records], |seatbid, bids| {
            seatbid.objects("bid", bids, bid);
            seatbid.string("seat", SEAT);
        });
        response.end();
    } else {
        for record in records {
            let mut object = Object::begin(&mut text);
            bid(&mut object, record);
            object.end();
            text.push('\n');
        }
    }
    *out = text.into_bytes();
}

/// Writes the attributes of a bid that the catalog knows.
fn known(object: &mut Object<'_>, bid: &Bid) {
    object.string("cid", &bid.cid);
    object.string("crid", &bid.crid);
    object.texts("adomain", &bid.adomain);
    object.string("adm", &bid.adm);
    object.number("w", bid.w.into());
    object.number("h", bid.h.into());
    object.number("exp", bid.exp.into());
}

/// A bid as `serde_json` writes it.
#[derive(Serialize)]
struct JsonBid<'r, M: ?Sized> {
    id: &'r str,
    impid: &'r str,
    price: f64,
    cid: &'r str,
    crid: &'r str,
    adomain: &'r [String],
    adm: &'r M,
    w: i32,
    h: i32,
    exp: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealid: Option<&'r str>,
}

#[derive(Serialize)]
struct JsonResponse<B> {
    id: &'static str,
    cur: &'static str,
    seatbid: [JsonSeatBid<B>; 1],
}

#[derive(Serialize)]
struct JsonSeatBid<B> {
    bid: Vec<B>,
    seat: &'static str,
}

fn json<'r, M>(shape: Shape, records: &'r [Record], out: &mut Vec<u8>, adm: fn(&'r Record) -> &'r M)
where
    M: Serialize + ?Sized + 'r,
{
    let bids = records.iter().map(|record| {
        let Bid { id, impid, price, cid, crid, adomain, w, h, exp, dealid, .. } = &record.bid;
        let (adm, dealid) = (adm(record), dealid.as_deref());
        JsonBid { id, impid, price: *price, cid, crid, adomain, adm, w: *w, h: *h, exp: *exp, dealid }
    });
    // Only a map with invalid keys could make serialization fail, and the bids have no map.
    if shape == Shape::Response {
        let seatbid = [JsonSeatBid { bid: bids.collect(), seat: SEAT }];
        let _ = serde_json::to_writer(out, &JsonResponse { id: ID, cur: CUR, seatbid });
    } else {
        for bid in bids {
            let _ = serde_json::to_writer(&mut *out, &bid);
            out.push(b'\n');
        }
    }
}

/// One line per bid, all domains in one field.
fn csv(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    if shape == Shape::Response {
        return;
    }
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    for Record { bid, domains, .. } in records {
        let Bid { id, impid, price, cid, crid, adm, w, h, exp, dealid, .. } = bid;
        // Writing to memory cannot fail, and all lines have the same number of fields.
        let _ = writer.serialize((id, impid, price, cid, crid, domains, adm, w, h, exp, dealid));
    }
    let _ = writer.flush();
}

#[derive(PartialEq, Message)]
struct ProtoResponse {
    #[prost(string, required, tag = "1")]
    id: String,
    #[prost(message, repeated, tag = "2")]
    seatbid: Vec<ProtoSeatBid>,
    #[prost(string, required, tag = "4")]
    cur: String,
}

#[derive(PartialEq, Message)]
struct ProtoSeatBid {
    #[prost(message, repeated, tag = "1")]
    bid: Vec<Bid>,
    #[prost(string, required, tag = "2")]
    seat: String,
}

/// Each record has a length prefix. A response of `prost` owns its values, so the copy of the bids is part of the
/// measurement.
fn protobuf(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    let mut bids = records.iter().map(|record| &record.bid);
    // Encoding fails only in a full buffer, and a vector grows.
    if shape == Shape::Response {
        let seatbid = vec![ProtoSeatBid { bid: bids.cloned().collect(), seat: SEAT.to_owned() }];
        let _ = ProtoResponse { id: ID.to_owned(), seatbid, cur: CUR.to_owned() }.encode(out);
    } else {
        let _ = bids.try_for_each(|bid| bid.encode_length_delimited(out));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Two bids: one with all attributes, one with strings that every format must escape.
    const BIDS: &str = r#"[[
        {"id":"b1","impid":"1","price":1.85,"cid":"c1","crid":"r1","adomain":["a.example"],
         "adm":"<a href=\"https://x.example/?a=1&b=2\">&amp;</a>","w":300,"h":250,"exp":3600,"dealid":"d1"},
        {"id":"b\"2","impid":"\\2","price":0.000001,"cid":"c\n2","crid":"r\u2028\u0001","adomain":["a.example","b.example"],
         "adm":"\"quoted\", with a comma\r\nand a line \ud83d\ude00","w":0,"h":-1,"exp":60}
    ]]"#;

    #[test]
    fn every_writer_writes_the_bids_in_order() {
        let lists = lists(BIDS.as_bytes()).unwrap();
        let bids: Vec<Vec<Value>> = serde_json::from_str(BIDS).unwrap();
        let written = |write: Write, shape| {
            let mut out = Vec::new();
            write(shape, &lists[0], &mut out);
            out
        };
        for (name, write) in WRITERS.into_iter().filter(|(name, _)| !matches!(*name, "csv" | "protobuf (prost)")) {
            let response: Value = serde_json::from_slice(&written(write, Shape::Response)).unwrap();
            let expected = serde_json::json!({"id": ID, "cur": CUR, "seatbid": [{"bid": bids[0], "seat": SEAT}]});
            assert_eq!(response, expected, "{name}");
            let records = written(write, Shape::Records);
            let lines = records.strip_suffix(b"\n").unwrap().split(|byte| *byte == b'\n');
            assert!(
                lines.map(|line| serde_json::from_slice::<Value>(line).unwrap()).eq(bids[0].iter().cloned()),
                "{name}"
            );
        }
        let message = ProtoResponse::decode(&*written(protobuf, Shape::Response)).unwrap();
        assert!(message.seatbid[0].bid.iter().eq(lists[0].iter().map(|record| &record.bid)));
        assert_eq!(written(WRITERS[0].1, Shape::Response), written(WRITERS[1].1, Shape::Response));
    }
}
