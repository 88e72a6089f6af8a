//! Writes a whole response.

use super::bid::bid;
use super::envelope::{Envelope, auction_id};
use crate::bid::Bid;
use base::json::{Object, objects};
use openrtb::request::Request;

/// Appends the response with these bids.
#[inline(never)]
pub fn bids(out: &mut String, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
    let mut response = Object::begin(out);
    response.literal("id", envelope.facts.request.id.literal);
    response.quoted("bidid", |out| auction_id(out, envelope));
    response.string("cur", envelope.cur.as_str());
    // A seat is written with its first bid.
    let is_first = |(place, bid): &(usize, &Bid<'_>)| !bids.iter().take(*place).any(|earlier| earlier.seat == bid.seat);
    let seats = bids.iter().enumerate().filter(is_first).map(|(_, bid)| bid.seat);
    response.raw("seatbid", |out| {
        objects(out, seats, |seatbid, seat| {
            let own = bids.iter().enumerate().filter(|(_, bid)| bid.seat == seat);
            seatbid.raw("bid", |out| {
                objects(out, own, |object, (place, own)| {
                    bid(object, own, place, envelope);
                });
            });
            seatbid.string("seat", seat);
        });
    });
    response.end();
}

/// Appends a response without bids that says the reason (§4.2.1 `nbr`).
pub fn no_bid(out: &mut String, request: &Request<'_>, nbr: u16) {
    let mut response = Object::begin(out);
    response.literal("id", request.id.literal);
    response.number("nbr", i64::from(nbr));
    response.end();
}
