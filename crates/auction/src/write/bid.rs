//! Writes one bid (OpenRTB 2.6 §4.2.3).

use core::num::NonZeroU8;

use super::envelope::{Envelope, bid_id};
use super::macros::{Depth, Macros, Room, Values};
use super::markup::markup;
use crate::bid::Bid;
use crate::options::answer;
use crate::price::pays_bid;

use base::hash::hash_of;
use base::json::{Object, hex_string};
use base::money::Rounding;
use catalog::{Advertiser, Campaign, Costs, Media, PRICE_MACRO};
use notices::{Bills, Link, Notice, Texts, Token, part_of, shard_of};
use openrtb::request::Imp;

/// Writes the attributes of one bid (§4.2.3). Those without a value are left out. Returns how many bytes the values of
/// our macros took.
pub(super) fn bid(object: &mut Object<'_>, bid: &Bid<'_>, place: usize, envelope: &Envelope<'_>) -> usize {
    let (campaign, creative, ssp) = (&bid.campaign, &bid.creative, envelope.facts.ssp);
    object.quoted("id", |out| bid_id(out, place, envelope));
    object.literal("impid", bid.imp.id.literal);
    object.amount("price", bid.price.bid);
    let ours = object.length();
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
        let from = object.length();
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
    let ad = object.length();
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
    if let Some(slot) = crate::pod::slot(bid) {
        object.number("slotinpod", slot);
    }
    let dsa = rules::dsa::disclosed(&envelope.facts.request.regs.dsa, campaign);
    let own_ext = ssp.bid_ext();
    let version = envelope.catalog.parts().version_in_bids().then_some(envelope.context.version);
    let more = answer::ext(bid, place, envelope);
    if version.is_some() || dsa.is_some() || more.is_some() || !own_ext.is_empty() {
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
            if let Some(more) = more {
                more.write(ext);
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
        codec: ssp.price_codec(),
        issued_s: envelope.issued_s(),
        seed,
        position: u8::try_from(place).unwrap_or(u8::MAX),
        campaign: hash_of(bid.campaign.cid()),
        creative: hash_of(bid.creative.crid()),
        ssp: hash_of(ssp.id()),
        price: bid.price.bid,
        own_price: own_price.unwrap_or_default(),
        floor: part_of(bid.price.floor, bid.price.bid),
        multiplier: bid.imp.thousandths(),
        cur: envelope.cur,
        own_cur,
        shard: shard_of(seed, shards),
        frequency: answer::counted_by(bid, envelope),
    }
}

/// Appends the URL of a notice: that of the campaign, or ours if the campaign has none.
fn notice(object: &mut Object<'_>, (key, notice): (&str, Notice), own: &str, link: Option<&Link<'_>>) {
    match link.filter(|link| own.is_empty() && link.is_attribute(notice)) {
        Some(link) => object.quoted(key, |out| link.url(out, notice)),
        None if own.is_empty() => {}
        None => object.literal(key, own),
    }
}

/// `exp` if neither the campaign nor the exchange sets it: an hour.
const DEFAULT_EXP_SECONDS: i64 = 3600;

/// The seconds between bid and billing that the campaign accepts: its own `exp`, else the exchange's.
fn exp(campaign: &Campaign<'_>, imp: &Imp<'_>) -> i64 {
    [i64::from(campaign.exp()), imp.exp].into_iter().find(|seconds| *seconds > 0).unwrap_or(DEFAULT_EXP_SECONDS)
}
