//! Fills the `${AUCTION_…}` macros (OpenRTB 2.6 §4.4) for exchanges that do not fill them.
//!
//! Values are not encoded, as the specification says, only escaped for the JSON string around them. Macros with an
//! encoding, such as `${AUCTION_PRICE:B64}`, stay as they are.

use core::fmt::Write;

use super::json::{Escaping, Object, escape_to};
use super::{Envelope, auction_id};
use crate::bid::Bid;
use crate::catalog::PRICE_MACRO;
use crate::price::pays_bid;

const ID: &str = "${AUCTION_ID}";
const BID_ID: &str = "${AUCTION_BID_ID}";
const IMP_ID: &str = "${AUCTION_IMP_ID}";
const SEAT_ID: &str = "${AUCTION_SEAT_ID}";
const CURRENCY: &str = "${AUCTION_CURRENCY}";
const MULTIPLIER: &str = "${AUCTION_MULTIPLIER}";

/// The macros that can be filled. The price is last, because some notices are filled without it.
pub const FILLED: [&str; 7] = [ID, BID_ID, IMP_ID, SEAT_ID, CURRENCY, MULTIPLIER, PRICE_MACRO];

/// How often a text is escaped: once in a JSON string, twice in a JSON string inside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Once,
    Twice,
}

/// Fills the macros of one bid.
#[derive(Clone, Copy)]
pub(super) struct Macros<'b> {
    bid: &'b Bid<'b>,
    envelope: &'b Envelope<'b>,
}

impl<'b> Macros<'b> {
    /// The macros of a bid; `None` if the exchange fills the macros.
    pub(super) fn of(bid: &'b Bid<'b>, envelope: &'b Envelope<'b>) -> Option<Macros<'b>> {
        envelope.facts.ssp.fill_macros().then_some(Macros { bid, envelope })
    }

    /// Fills the macros in the text from byte `from` on. Without a price, the price macro stays.
    pub(super) fn fill(self, object: &mut Object<'_>, from: usize, depth: Depth, with_price: bool) {
        let Macros { bid, envelope } = self;
        let price_macro = envelope.facts.ssp.price_macro();
        // The bidder knows the price that the winner pays only if that is the bid.
        let is_known = with_price && pays_bid(envelope.facts, bid.deal) || !price_macro.is_empty();
        let known = if is_known { FILLED.len() } else { FILLED.len() - 1 };
        let names = FILLED.get(..known).unwrap_or_default();
        let at_start = |text: &str| names.iter().find(|name| text.starts_with(**name)).map(|name| (*name, name.len()));
        object.fill(from, '$', at_start, |out, name| match name {
            ID => literal(out, envelope.facts.request.id.literal, depth),
            BID_ID => auction_id(out, envelope),
            IMP_ID => literal(out, bid.imp.id.literal, depth),
            SEAT_ID => text(out, bid.seat, depth),
            CURRENCY => out.push_str(envelope.cur.as_str()),
            MULTIPLIER => bid.imp.impressions().push_to(out),
            _ if !price_macro.is_empty() => out.push_str(price_macro),
            _ => bid.price.bid.push_to(out),
        });
    }
}

/// Appends a text that is escaped once already.
fn literal(out: &mut String, literal: &str, depth: Depth) {
    match depth {
        Depth::Once => out.push_str(literal),
        Depth::Twice => drop(Escaping(out).write_str(literal)),
    }
}

/// Appends a text, escaped.
pub(super) fn text(out: &mut String, text: &str, depth: Depth) {
    let _ = match depth {
        Depth::Once => escape_to(out, text),
        Depth::Twice => escape_to(&mut Escaping(out), text),
    };
}
