//! Writes the response: a decision becomes the JSON of a `BidResponse` (OpenRTB 2.6 §4.2).
//!
//! Strings from the request are repeated with their original escapes; all other strings are escaped. Prices are exact
//! decimals.

mod json;
pub(crate) mod length;
mod macros;
mod native;
mod record;

use crate::bid::Bid;
use crate::catalog::{Campaign, Catalog, Linear, Media, PRICE_MACRO, Shape, Ssp};
use crate::context::Context;
use crate::money::Currency;
use crate::no_bid::NoBidReason;
use crate::request::{self, Imp, Request, Text};
use crate::rules;
pub use json::{Object, escape, literal};
pub use macros::FILLED;
use macros::{Depth, Macros};
pub use record::Records;

/// The parts of a response that all bids share.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    /// The response's id.
    pub id: Text<'a>,
    /// The currency of every price.
    pub cur: Currency,
    /// The SSP that gets the response.
    pub ssp: Ssp<'a>,
    /// Whether the auction is a test, which is not billed (§3.2.1).
    pub test: bool,
    /// A random number for the bid ids. Equal seeds give equal ids.
    pub seed: u64,
    /// The catalog's version; `None` if the catalog does not want it in bids.
    pub version: Option<u64>,
    /// The request's attributes for the Digital Services Act.
    pub dsa: request::Dsa,
    /// The auction type, `BidRequest.at`. A deal may have another one.
    pub at: i64,
}

impl<'a> Envelope<'a> {
    /// The envelope of the response to a request.
    #[must_use]
    pub fn new(
        request: &Request<'a>,
        ssp: Ssp<'a>,
        cur: Currency,
        catalog: &Catalog<'_>,
        context: &Context<'_>,
    ) -> Envelope<'a> {
        let version = catalog.parts().version_in_bids().then_some(context.version);
        let (test, dsa) = (is_test(request, ssp), request.regs.dsa);
        Envelope { id: request.id, cur, ssp, test, seed: context.seed, version, dsa, at: request.at }
    }

    fn seat_of<'b>(&self, bid: &Bid<'b>) -> &'b str
    where
        'a: 'b,
    {
        self.ssp.name_of(bid.campaign.seat())
    }
}

/// Whether an auction is a test: the request says so, or the catalog marks all auctions of the SSP as tests.
#[must_use]
pub fn is_test(request: &Request<'_>, ssp: Ssp<'_>) -> bool {
    request.test || ssp.test()
}

/// Appends the response with these bids.
#[inline(never)]
pub fn bids(out: &mut String, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
    let mut response = Object::begin(out);
    response.literal("id", envelope.id.literal);
    response.string("cur", envelope.cur.as_str());
    response.raw("seatbid", |out| {
        out.push('[');
        let mut first = true;
        for (place, bid) in bids.iter().enumerate() {
            let seat = envelope.seat_of(bid);
            // Write a seat when its first bid comes, with all of its bids.
            if bids.iter().take(place).any(|earlier| envelope.seat_of(earlier) == seat) {
                continue;
            }
            comma(out, &mut first);
            seatbid(out, seat, bids, envelope);
        }
        out.push(']');
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

/// Appends the facts about a catalog that the Worker needs: see `load` in `abi.rs`.
pub fn catalog_facts(out: &mut String, catalog: &Catalog<'_>) {
    let count = i64::try_from(catalog.parts().campaigns().len()).unwrap_or(i64::MAX);
    let ssps: Vec<&str> = catalog.parts().ssps().iter().map(|ssp| ssp.id()).collect();
    let syncs: Vec<&str> = catalog.parts().ssps().iter().map(|ssp| ssp.sync_url()).collect();
    let closed = catalog.parts().ssps().iter().filter(|ssp| !ssp.credentials().is_empty());
    let closed: Vec<&str> = closed.map(|ssp| ssp.id()).collect();
    let tmax: Vec<i64> = catalog.parts().ssps().iter().map(|ssp| ssp.tmax()).collect();
    let gzip = catalog.parts().ssps().iter().filter(Ssp::gzip);
    let gzip: Vec<&str> = gzip.map(|ssp| ssp.id()).collect();
    let reasons: Vec<&str> = NoBidReason::ALL.iter().map(|reason| reason.as_str()).collect();
    let mut facts = Object::begin(out);
    facts.number("campaigns", count);
    facts.texts("ssps", &ssps);
    facts.texts("syncs", &syncs);
    facts.texts("closed", &closed);
    facts.texts("gzip", &gzip);
    facts.numbers("tmax", &tmax);
    facts.texts("reasons", &reasons);
    facts.end();
}

/// Appends `{"error":message}`.
pub fn error(out: &mut String, message: &str) {
    let mut object = Object::begin(out);
    object.string("error", message);
    object.end();
}

/// Appends a catalog's version as a string of 16 hexadecimal digits.
pub fn version(out: &mut String, version: u64) {
    out.push('"');
    hex(out, version, 16);
    out.push('"');
}

fn seatbid(out: &mut String, seat: &str, bids: &[Bid<'_>], envelope: &Envelope<'_>) {
    let mut object = Object::begin(out);
    object.raw("bid", |out| {
        out.push('[');
        let mut first = true;
        for (place, entry) in bids.iter().enumerate().filter(|(_, bid)| envelope.seat_of(bid) == seat) {
            comma(out, &mut first);
            bid(out, entry, place, envelope);
        }
        out.push(']');
    });
    object.string("seat", seat);
    object.end();
}

/// Appends one bid (§4.2.3). Attributes without a value are left out.
fn bid(out: &mut String, bid: &Bid<'_>, place: usize, envelope: &Envelope<'_>) {
    let (campaign, creative) = (&bid.campaign, &bid.creative);
    let mut object = Object::begin(out);
    object.raw("id", |out| bid_id(out, place, envelope));
    object.literal("impid", bid.imp.id.literal);
    object.amount("price", bid.price.bid);
    let ours = object.len();
    let macros = Macros::of(bid, place, envelope);
    match macros {
        Some(macros) => macros.notices(&mut object, campaign.notices()),
        None => object.members(campaign.notices()),
    }
    object.members(campaign.advertised());
    object.string("cid", campaign.cid());
    object.members(campaign.categories());
    object.members(creative.preview());
    object.string("crid", creative.crid());
    object.members(creative.traits());
    let (ad, media) = (object.len(), creative.media());
    markup(&mut object, bid.imp, &media);
    if let Some(macros) = macros {
        macros.markup(&mut object, ad, if matches!(media, Media::Native(_)) { Depth::Twice } else { Depth::Once });
    }
    let price_macro = envelope.ssp.price_macro();
    if !price_macro.is_empty() && macros.is_none() {
        object.replace(ours, PRICE_MACRO, price_macro);
    }
    object.number("exp", exp(campaign, bid.imp));
    if let Some(deal) = bid.deal {
        object.literal("dealid", deal.id.literal);
    }
    if let Some(slot) = rules::pod::slot(bid) {
        object.number("slotinpod", slot);
    }
    let dsa = rules::dsa::disclosed(&envelope.dsa, campaign);
    if envelope.version.is_some() || dsa.is_some() {
        object.object("ext", |ext| {
            if let Some(version) = envelope.version {
                ext.raw("catalog", |out| self::version(out, version));
            }
            if let Some((dsa, with_data)) = dsa {
                ext.object("dsa", |object| {
                    object.members(dsa.names());
                    object.members(if with_data { dsa.transparency() } else { "" });
                });
            }
        });
    }
    object.end();
}

/// Appends the id of the bid at a place, with quotes.
fn bid_id(out: &mut String, place: usize, envelope: &Envelope<'_>) {
    out.push('"');
    bid_id_digits(out, place, envelope);
    out.push('"');
}

fn bid_id_digits(out: &mut String, place: usize, envelope: &Envelope<'_>) {
    out.push_str(if envelope.test { "test-" } else { "" });
    hex(out, envelope.seed, 16);
    hex(out, place as u64, 2);
}

/// Appends the last `digits` hexadecimal digits of a number.
fn hex(out: &mut String, number: u64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = usize::try_from(number >> (4 * place) & 15).unwrap_or_default();
        out.push(char::from(*b"0123456789abcdef".get(digit).unwrap_or(&b'0')));
    }
}

/// `exp` if neither the campaign nor the exchange sets it: an hour.
const DEFAULT_EXP_SECONDS: i64 = 3600;

/// The seconds between bid and billing that the campaign accepts: its own `exp`, else the exchange's.
fn exp(campaign: &Campaign<'_>, imp: &Imp<'_>) -> i64 {
    [campaign.exp(), imp.exp].into_iter().find(|seconds| *seconds > 0).unwrap_or(DEFAULT_EXP_SECONDS)
}

/// Appends `adm` and the attributes that describe it: `mtype`, `w`, `h`, `wratio`, `hratio`, `dur`, `protocol`.
fn markup(object: &mut Object<'_>, imp: &Imp<'_>, media: &Media<'_>) {
    match media {
        Media::Banner(ad) => {
            object.literal("adm", ad.adm());
            object.number("mtype", media.mtype());
            match ad.shape() {
                Shape::Fixed { w, h } => {
                    if imp.banner.as_ref().is_some_and(rules::banner::makes_size_claim) {
                        object.number("w", w);
                        object.number("h", h);
                    }
                }
                Shape::Ratio { wratio, hratio, .. } => {
                    object.number("wratio", wratio);
                    object.number("hratio", hratio);
                }
            }
        }
        Media::Video(ad) => linear(object, imp.video, ad, media.mtype()),
        Media::Audio(ad) => linear(object, imp.audio, ad, media.mtype()),
        Media::Native(ad) => {
            let Some(offer) = &imp.native else { return };
            object.raw("adm", |out| native::adm(out, offer, ad));
            object.number("mtype", media.mtype());
        }
    }
}

fn linear(object: &mut Object<'_>, offer: Option<&request::Linear<'_>>, ad: &Linear<'_>, mtype: i64) {
    object.raw("adm", |out| {
        out.push('"');
        vast(ad, offer, |literal| out.push_str(literal));
        out.push('"');
    });
    object.number("mtype", mtype);
    if ad.w() > 0 && ad.h() > 0 {
        object.number("w", ad.w());
        object.number("h", ad.h());
    }
    object.number("dur", ad.dur());
    object.number("protocol", ad.protocol());
}

/// Calls `part` with the parts of a VAST document that has only the media files and companions that the player takes.
fn vast<'a>(ad: &Linear<'a>, offer: Option<&request::Linear<'_>>, mut part: impl FnMut(&'a str)) {
    part(ad.vast().head());
    ad.vast()
        .files()
        .iter()
        .filter(|file| offer.is_some_and(|offer| rules::playable(offer, file)))
        .for_each(|file| part(file.element()));
    part(ad.vast().tail());
    let companions = &ad.vast().companions();
    let mut shown =
        companions.ads().iter().filter(|companion| offer.is_some_and(|offer| rules::has_room(offer, companion)));
    if let Some(first) = shown.next() {
        part(companions.head());
        part(first.element());
        shown.for_each(|companion| part(companion.element()));
        part(companions.tail());
    }
    part(ad.vast().end());
}

fn comma(out: &mut String, first: &mut bool) {
    if !core::mem::take(first) {
        out.push(',');
    }
}
