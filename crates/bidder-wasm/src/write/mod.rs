//! Writes the response: a decision becomes the JSON of a `BidResponse` (OpenRTB 2.6 §4.2).
//!
//! Strings from the request are repeated with their original escapes; all other strings are escaped. Prices are exact
//! decimals.

mod budgets;
mod counts;
mod json;
pub(crate) mod length;
mod macros;
mod native;
mod protobuf;
mod record;
mod skadn;

use core::num::NonZeroU8;

use crate::bid::Bid;
use crate::catalog::{Advertiser, Campaign, Catalog, Costs, Linear, Media, PRICE_MACRO, Shape, Ssp};
use crate::context::Context;
pub(crate) use crate::hash::hex;
use crate::money::{Currency, Micros, Rounding};
use crate::no_bid::NoBidReason;
use crate::notices::{Bills, Link, Notice, Texts, Token, UNSHADED, hash_of, part_of, shard_of};
use crate::price::pays_bid;
use crate::request::{self, Imp, Request};
use crate::rules;
use crate::targeting::Facts;
pub use budgets::budgets;
pub use counts::{Demand, QUARTER_S, Tally};
pub use json::{Object, escape, literal, objects};
pub use macros::FILLED;
use macros::{Depth, Macros, Room, Values};
pub use protobuf::encoded;
pub use record::Records;
pub use skadn::{SIGNATURE_BYTES, unsigned};

/// The inputs that all bids of a response share.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    /// The currency of every price.
    pub cur: Currency,
    /// Whether the auction is a test, which is not billed (§3.2.1).
    pub test: bool,
    /// The request, without the data that privacy forbids to use, and the SSP that gets the response.
    pub facts: &'a Facts<'a>,
    /// The catalog of the campaigns.
    pub catalog: &'a Catalog<'a>,
    /// The time, the seed of the bid ids, and the settings of notices.
    pub context: &'a Context<'a>,
    /// Whether the bids are only measured: their notice URLs then have no signature.
    pub is_draft: bool,
}

impl<'a> Envelope<'a> {
    /// The envelope of the response to a request, as a draft.
    pub fn new(
        facts: &'a Facts<'a>,
        cur: Currency,
        catalog: &'a Catalog<'a>,
        context: &'a Context<'a>,
    ) -> Envelope<'a> {
        Envelope { cur, test: is_test(facts.request, facts.ssp), facts, catalog, context, is_draft: true }
    }

    /// When the bids are made, in seconds since the Unix epoch.
    fn issued_s(&self) -> u32 {
        u32::try_from(self.context.now_ms / 1000).unwrap_or_default()
    }

    /// What a bid is compared with: see [`Token::arm`]. Bids whose price is not learned, such as those under deals, are in
    /// both groups of learned shading alike.
    fn arm_of(&self, bid: &Bid<'_>) -> u8 {
        let learns = self.facts.shade.is_control && bid.campaign.prices().is_some_and(|prices| prices.learned());
        if learns { UNSHADED } else { self.context.arm }
    }

    /// Whether one showing of an ad may count for several impressions: the request says so, or is for a screen in a public
    /// place, whose exchange may say so later.
    fn is_multiplied(&self, imp: &Imp<'_>) -> bool {
        self.facts.request.dooh.is_some() || imp.multiplier > Micros::ZERO
    }
}

/// Whether an auction is a test: the request says so, or the catalog marks all auctions of the SSP as tests.
pub fn is_test(request: &Request<'_>, ssp: Ssp<'_>) -> bool {
    request.test || ssp.test()
}

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

/// Appends the facts about a catalog that the Worker needs: see `load` in `abi`.
pub fn catalog_facts(out: &mut String, catalog: &Catalog<'_>) {
    let parts = catalog.parts();
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let ssps: Vec<Ssp<'_>> = parts.ssps().iter().collect();
    let reasons: Vec<&str> = NoBidReason::ALL.iter().map(|reason| reason.as_str()).collect();
    let mut facts = Object::begin(out);
    facts.number("campaigns", count(parts.campaigns().len()));
    facts.number("budgets", count(parts.budgets().len()));
    facts.objects("ssps", &ssps, |object, ssp| {
        object.string("id", ssp.id());
        object.string("sync_url", ssp.sync_url());
        object.truth("closed", !ssp.credentials().is_empty());
        object.truth("gzip", ssp.gzip());
        object.number("tmax", ssp.tmax());
    });
    facts.texts("reasons", &reasons);
    facts.truth("skadn", parts.needs().skadn);
    facts.truth("caps", parts.has_caps());
    facts.truth("learns", parts.learns());
    facts.end();
}

/// Appends `{"error":message}`.
pub fn error(out: &mut String, message: &str) {
    let mut object = Object::begin(out);
    object.string("error", message);
    object.end();
}

/// Appends a number, such as a catalog's version, as a string of 16 hexadecimal digits.
pub fn hex_string(out: &mut String, number: u64) {
    out.push('"');
    hex(out, number, 16);
    out.push('"');
}

/// Writes the attributes of one bid (§4.2.3). Those without a value are left out. Returns how many bytes the values of
/// our macros took.
fn bid(object: &mut Object<'_>, bid: &Bid<'_>, place: usize, envelope: &Envelope<'_>) -> usize {
    let (campaign, creative, ssp) = (&bid.campaign, &bid.creative, envelope.facts.ssp);
    object.quoted("id", |out| bid_id(out, place, envelope));
    object.literal("impid", bid.imp.id.literal);
    object.amount("price", bid.price.bid);
    let ours = object.len();
    let macros = Macros::of(bid, envelope);
    let values = Values { bid, place, envelope };
    let mut room = Room::default();
    let media = creative.media();
    // The campaign's own URLs; empty if it has none.
    let own = campaign.notices().get(0);
    let [nurl, burl, lurl] = own.map_or([""; 3], |own| [own.nurl(), own.burl(), own.lurl()]);
    let signed = envelope.context.notices.map(|notices| {
        let is_linear = matches!(media, Media::Video(_) | Media::Audio(_));
        let bills = Bills::of(ssp.billing(), is_linear, !nurl.is_empty(), !burl.is_empty());
        let sign = || notices.keys.sign(&token(bid, place, bills, envelope, notices.shards));
        (notices, bills, if envelope.is_draft { Texts::BLANK } else { sign() })
    });
    let link = signed.as_ref();
    let link = link.map(|(notices, bills, texts)| {
        Link::of(notices, texts.text(), *bills, envelope.is_multiplied(bid.imp), bid.price.spot)
    });
    for (key, kind, own, is_out) in [
        ("nurl", Notice::Win, nurl, ssp.no_nurl()),
        ("burl", Notice::Bill, burl, false),
        ("lurl", Notice::Loss, lurl, ssp.no_lurl()),
    ] {
        if is_out {
            continue;
        }
        let from = object.len();
        notice(object, (key, kind), own, link.as_ref());
        if campaign.texts().macros {
            values.fill(object, from, Depth::Once, &mut room);
        }
        if let Some(macros) = macros {
            // A loss notice keeps its price macro: the price of the winner is unknown.
            macros.fill(object, from, kind != Notice::Loss);
        }
    }
    let advertiser = Advertiser::of(campaign, creative);
    object.members(advertiser.advertised());
    object.string("cid", campaign.cid());
    object.members(advertiser.categories());
    object.members(creative.preview());
    object.string("crid", creative.crid());
    object.members(creative.traits());
    let ad = object.len();
    markup(object, bid.imp, &media, link.as_ref().and_then(Link::in_markup));
    let depth = if matches!(media, Media::Native(_)) { Depth::Twice } else { Depth::Once };
    if creative.texts().macros {
        // Before the macros of the exchange, because our values come from the request and are not searched again.
        values.fill(object, ad, depth, &mut room);
    }
    if let Some(macros) = macros {
        macros.fill(object, ad, true);
    }
    let price_macro = ssp.price_macro();
    if !price_macro.is_empty() && macros.is_none() {
        let read = |text: &str| text.starts_with(PRICE_MACRO).then_some(((), PRICE_MACRO.len()));
        object.fill(ours, '$', read, |out, ()| out.push_str(price_macro));
    }
    object.number("exp", exp(campaign, bid.imp));
    if let Some(deal) = bid.deal {
        object.literal("dealid", deal.id.literal);
    }
    if let Some(slot) = rules::pod::slot(bid) {
        object.number("slotinpod", slot);
    }
    let dsa = rules::dsa::disclosed(&envelope.facts.request.regs.dsa, campaign);
    let own_ext = ssp.bid_ext();
    let version = envelope.catalog.parts().version_in_bids().then_some(envelope.context.version);
    let skadn = skadn::Ad::of(bid, place, envelope);
    if version.is_some() || dsa.is_some() || skadn.is_some() || !own_ext.is_empty() {
        object.object("ext", |ext| {
            if let Some(version) = version {
                ext.raw("catalog", |out| hex_string(out, version));
            }
            if let Some((dsa, with_data)) = dsa {
                ext.object("dsa", |object| {
                    object.members(dsa.names());
                    object.members(if with_data { dsa.transparency() } else { "" });
                });
            }
            if let Some(ad) = skadn {
                ad.write(ext);
            }
            ext.members(own_ext);
        });
    }
    room.taken()
}

/// The token of a bid's notices.
fn token(bid: &Bid<'_>, place: usize, bills: Bills, envelope: &Envelope<'_>, shards: NonZeroU8) -> Token {
    let (own_cur, ssp, seed) = (bid.campaign.cur(), envelope.facts.ssp, envelope.context.seed);
    let own_price = envelope.catalog.rates.convert(bid.price.bid, envelope.cur, own_cur, Rounding::Down);
    Token {
        test: envelope.test,
        pays_bid: pays_bid(envelope.facts, bid.deal),
        multiplied: envelope.is_multiplied(bid.imp),
        bills,
        books_bid: ssp.price() == Costs::Bid,
        arm: envelope.arm_of(bid),
        codec: Some(ssp.price_codec()),
        issued_s: envelope.issued_s(),
        seed,
        place: u8::try_from(place).unwrap_or(u8::MAX),
        campaign: hash_of(bid.campaign.cid()),
        creative: hash_of(bid.creative.crid()),
        ssp: hash_of(ssp.id()),
        price: bid.price.bid,
        own_price: own_price.unwrap_or_default(),
        floor: part_of(bid.price.floor, bid.price.bid),
        multiplier: multiplier(bid.imp),
        cur: envelope.cur,
        own_cur,
        shard: shard_of(seed, shards),
        frequency: Some(envelope.context.counted_by)
            .filter(|counted_by| *counted_by > 0 && !envelope.test && bid.counts_on_bill())
            .unwrap_or_default(),
    }
}

/// The number of impressions of one showing, in thousandths, rounded up.
pub(crate) fn multiplier(imp: &Imp<'_>) -> u32 {
    u32::try_from((imp.impressions().0 - 1) / 1000 + 1).unwrap_or(u32::MAX)
}

/// Appends the URL of a notice: that of the campaign, or ours if the campaign has none.
fn notice(object: &mut Object<'_>, (key, notice): (&str, Notice), own: &str, link: Option<&Link<'_>>) {
    match link.filter(|link| own.is_empty() && link.is_attribute(notice)) {
        Some(link) => object.quoted(key, |out| link.url(out, notice)),
        None if own.is_empty() => {}
        None => object.literal(key, own),
    }
}

/// Appends the id of the bid at a place.
pub(crate) fn bid_id(out: &mut String, place: usize, envelope: &Envelope<'_>) {
    auction_id(out, envelope);
    hex(out, place as u64, 2);
}

/// Appends `BidResponse.bidid`, which is the beginning of the ids of all its bids.
fn auction_id(out: &mut String, envelope: &Envelope<'_>) {
    out.push_str(if envelope.test { "test-" } else { "" });
    hex(out, envelope.context.seed, 16);
}

/// `exp` if neither the campaign nor the exchange sets it: an hour.
const DEFAULT_EXP_SECONDS: i64 = 3600;

/// The seconds between bid and billing that the campaign accepts: its own `exp`, else the exchange's.
fn exp(campaign: &Campaign<'_>, imp: &Imp<'_>) -> i64 {
    [i64::from(campaign.exp()), imp.exp].into_iter().find(|seconds| *seconds > 0).unwrap_or(DEFAULT_EXP_SECONDS)
}

/// Appends `adm` and the attributes that describe it: `mtype`, `w`, `h`, `wratio`, `hratio`, `dur`, `protocol`. With a
/// `link`, the markup calls our notice when the ad is shown.
fn markup(object: &mut Object<'_>, imp: &Imp<'_>, media: &Media<'_>, link: Option<&Link<'_>>) {
    match media {
        Media::Banner(ad) => {
            object.quoted("adm", |out| {
                out.push_str(ad.adm());
                around(out, link, r#"<img src=\""#, r#"\" width=\"1\" height=\"1\" alt=\"\" style=\"display:none\">"#);
            });
            object.number("mtype", media.mtype().into());
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
        Media::Video(ad) => linear(object, imp.video, ad, media.mtype().into(), link),
        Media::Audio(ad) => linear(object, imp.audio, ad, media.mtype().into(), link),
        Media::Native(ad) => {
            let Some(offer) = &imp.native else { return };
            object.raw("adm", |out| native::adm(out, offer, ad, link));
            object.number("mtype", media.mtype().into());
        }
    }
}

fn linear(
    object: &mut Object<'_>,
    offer: Option<&request::Linear<'_>>,
    ad: &Linear<'_>,
    mtype: i64,
    link: Option<&Link<'_>>,
) {
    object.quoted("adm", |out| vast(out, ad, offer, link));
    object.number("mtype", mtype);
    if ad.w() > 0 && ad.h() > 0 {
        object.number("w", ad.w());
        object.number("h", ad.h());
    }
    object.number("dur", ad.dur());
    object.number("protocol", ad.protocol());
}

/// Appends a VAST document that has only the media files and companions that the player takes.
fn vast(out: &mut String, ad: &Linear<'_>, offer: Option<&request::Linear<'_>>, link: Option<&Link<'_>>) {
    let vast = ad.vast();
    let (before, behind) = vast.head().split_at_checked(vast.impression_at() as usize).unwrap_or((vast.head(), ""));
    out.push_str(before);
    let link = link.filter(|_| !before.is_empty());
    around(out, link, "<Impression><![CDATA[", "]]></Impression>");
    out.push_str(behind);
    vast.files()
        .iter()
        .filter(|file| offer.is_some_and(|offer| rules::playable(offer, file)))
        .for_each(|file| out.push_str(file.element()));
    out.push_str(vast.tail());
    let companions = &vast.companions();
    let mut shown =
        companions.ads().iter().filter(|companion| offer.is_some_and(|offer| rules::has_room(offer, companion)));
    if let Some(first) = shown.next() {
        out.push_str(companions.head());
        out.push_str(first.element());
        shown.for_each(|companion| out.push_str(companion.element()));
        out.push_str(companions.tail());
    }
    out.push_str(vast.end());
}

/// Appends the URL of our impression notice between two texts, if there is one.
fn around(out: &mut String, link: Option<&Link<'_>>, before: &str, behind: &str) {
    if let Some(link) = link {
        out.push_str(before);
        link.url(out, Notice::Imp);
        out.push_str(behind);
    }
}

fn comma(out: &mut String, first: &mut bool) {
    if !core::mem::take(first) {
        out.push(',');
    }
}
