//! `prost`, with the messages and field numbers of OpenRTB's `openrtb.proto`.

use prost::Message;

use super::{CUR, ID, SEAT, Shape};
use crate::data::{Bid, Record};

#[derive(Clone, PartialEq, Message)]
struct ProtoResponse {
    #[prost(string, required, tag = "1")]
    id: String,
    #[prost(message, repeated, tag = "2")]
    seatbid: Vec<ProtoSeatBid>,
    #[prost(string, optional, tag = "4")]
    cur: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct ProtoSeatBid {
    #[prost(message, repeated, tag = "1")]
    bid: Vec<ProtoBid>,
    #[prost(string, optional, tag = "2")]
    seat: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct ProtoBid {
    #[prost(string, required, tag = "1")]
    id: String,
    #[prost(string, required, tag = "2")]
    impid: String,
    #[prost(double, required, tag = "3")]
    price: f64,
    #[prost(string, optional, tag = "6")]
    adm: Option<String>,
    #[prost(string, repeated, tag = "7")]
    adomain: Vec<String>,
    #[prost(string, optional, tag = "9")]
    cid: Option<String>,
    #[prost(string, optional, tag = "10")]
    crid: Option<String>,
    #[prost(string, optional, tag = "13")]
    dealid: Option<String>,
    #[prost(int64, optional, tag = "14")]
    w: Option<i64>,
    #[prost(int64, optional, tag = "15")]
    h: Option<i64>,
    #[prost(int64, optional, tag = "21")]
    exp: Option<i64>,
}

/// `prost` writes owned values only, so the copy of the bid is part of the measurement.
pub(super) fn write(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    // Encoding fails only in a full buffer, and a vector grows.
    match shape {
        Shape::Response => {
            let seatbid = ProtoSeatBid { bid: records.iter().map(owned).collect(), seat: Some(SEAT.to_owned()) };
            let response = ProtoResponse { id: ID.to_owned(), seatbid: vec![seatbid], cur: Some(CUR.to_owned()) };
            let _ = response.encode(out);
        }
        Shape::Records => {
            for record in records {
                let _ = owned(record).encode_length_delimited(out);
            }
        }
    }
}

pub(super) fn read(shape: Shape, written: &[u8]) -> Option<Vec<Bid>> {
    let bids = match shape {
        Shape::Response => {
            let ProtoResponse { id, seatbid, cur } = ProtoResponse::decode(written).ok()?;
            let [ProtoSeatBid { bid, seat }] = <[ProtoSeatBid; 1]>::try_from(seatbid).ok()?;
            (id == ID && cur.as_deref() == Some(CUR) && seat.as_deref() == Some(SEAT)).then_some(bid)?
        }
        Shape::Records => {
            let mut rest = written;
            let mut bids = Vec::new();
            while !rest.is_empty() {
                bids.push(ProtoBid::decode_length_delimited(&mut rest).ok()?);
            }
            bids
        }
    };
    bids.into_iter().map(bid).collect()
}

fn owned(Record { bid, .. }: &Record) -> ProtoBid {
    let Bid { id, impid, micros, cid, crid, adomain, adm, w, h, exp, dealid } = bid.clone();
    ProtoBid {
        id,
        impid,
        price: super::price(micros),
        adm: Some(adm),
        adomain,
        cid: Some(cid),
        crid: Some(crid),
        dealid,
        w: Some(w),
        h: Some(h),
        exp: Some(exp),
    }
}

fn bid(written: ProtoBid) -> Option<Bid> {
    let ProtoBid { id, impid, price, adm, adomain, cid, crid, dealid, w, h, exp } = written;
    Some(Bid {
        id,
        impid,
        micros: super::micros(price),
        cid: cid?,
        crid: crid?,
        adomain,
        adm: adm?,
        w: w?,
        h: h?,
        exp: exp?,
        dealid,
    })
}
