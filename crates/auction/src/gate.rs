//! The checks of a whole request, before any campaign is checked.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;

use crate::context::Context;
use crate::price;
use crate::stop::Stop;
use base::hash::drawn;
use base::limits::MAX_ID_BYTES;
use base::money::Currency;
use catalog::{Catalog, Ssp};
use consent::Verdict;
use openrtb::request::{Imp, Request};
use reasons::no_bid::{NoBidReason, require};
use rules::targeting::Facts;
use rules::targeting::data::FirstParty;
use rules::targeting::supply::Way;
use shading::Shade;

/// Values that are computed once per request, for the checks of all campaigns.
pub(crate) struct Basis<'a> {
    /// Facts for the rules.
    pub(crate) facts: Facts<'a>,
    /// The impressions that can get a bid.
    pub(crate) imps: ArenaVec<'a, &'a Imp<'a>>,
    /// The currency of the response's prices.
    pub(crate) cur: Currency,
}

/// Checks a request of the SSP at place `ssp` in the catalog, with its privacy verdict. Returns the reason if no
/// campaign may bid.
pub(crate) fn pass<'a>(
    (request, verdict): (&'a Request<'a>, Verdict),
    ssp: usize,
    catalog: &Catalog<'a>,
    context: &Context<'a>,
    arena: &'a Bump,
) -> Result<Basis<'a>, NoBidReason> {
    require(request.id.value.len() <= MAX_ID_BYTES, NoBidReason::IdBytes)?;
    require(!request.has_too_much, NoBidReason::ListLength)?;
    let mut imps = distinct(request, arena)?;
    let ssp = catalog.parts().ssp(ssp);
    if request.tmax > 0 && request.tmax <= ssp.latency_ms() + context.waited_ms {
        return Err(NoBidReason::Tmax);
    }
    if is_crawler(request.device.ua) {
        return Err(NoBidReason::Crawler);
    }
    let unreadable = unreadable(request);
    require(verdict.allows_bid() && unreadable != Some(NoBidReason::Privacy), NoBidReason::Privacy)?;
    let furthest = imps.iter().filter_map(|imp| refusal(imp, ssp)).max();
    imps.retain(|imp: &&Imp<'_>| refusal(imp, ssp).is_none());
    if let (Some(reason), true) = (furthest, imps.is_empty()) {
        return Err(reason);
    }
    let cur = price::response_currency(request, ssp, &catalog.rates);
    let cur = cur.filter(|_| unreadable != Some(NoBidReason::Currency)).ok_or(NoBidReason::Currency)?;
    require(!matches!(context.stop, Some(Stop::All)), NoBidReason::Stopped)?;
    require(catalog.index.campaigns > 0, NoBidReason::NoCampaign)?;
    unreadable.map_or(Ok(()), Err)?;
    let mut facts = Facts::new(request, ssp, context.now_ms, verdict, arena);
    if catalog.parts().learns() {
        facts.shade = shade(ssp, context);
    }
    facts.caps_households = catalog.parts().caps_households();
    facts.addresses = Some(catalog.parts().addresses());
    facts.below = Some(catalog.parts().below());
    facts.supply = Way::of(catalog, arena);
    facts.first_party = FirstParty::of(catalog, arena);
    Ok(Basis { facts, imps, cur })
}

/// The first reason of what restricts the whole request and cannot be read.
pub fn unreadable(request: &Request<'_>) -> Option<NoBidReason> {
    request.unreadable.into_iter().chain(request.regs.unreadable).min()
}

/// Why an impression gets no bid, whatever the campaign.
pub fn refusal(imp: &Imp<'_>, ssp: Ssp<'_>) -> Option<NoBidReason> {
    let most = i64::from(ssp.max_multiplier()) * 1_000_000;
    let is_counted = (0..=most).contains(&imp.multiplier.0);
    if is_counted { imp.unreadable } else { Some(NoBidReason::Multiplier) }
}

/// What a decision on a request of this SSP knows about learned shading.
pub fn shade<'a>(ssp: Ssp<'_>, context: &Context<'a>) -> Shade<'a> {
    Shade::of(ssp.id(), drawn(context.lot, 0), context.options.curves, context.now_ms)
}

/// The impressions with a unique id that is not too long. Returns a reason if there are none.
fn distinct<'a>(request: &'a Request<'a>, arena: &'a Bump) -> Result<ArenaVec<'a, &'a Imp<'a>>, NoBidReason> {
    // Every id is compared with every other. Different ids mostly differ in length or in the last letters, so compare
    // length and last letters first.
    let ends = arena.alloc_slice_fill_iter(request.imp.iter().map(|imp| end(imp.id.value)));
    let alone = |(imp, own): &(&Imp<'_>, &u64)| {
        let alike = request.imp.iter().zip(&*ends).filter(|(other, end)| end == own && other.id == imp.id);
        alike.count() == 1
    };
    let mut imps = ArenaVec::with_capacity_in(request.imp.len(), arena);
    imps.extend(request.imp.iter().zip(&*ends).filter(alone).map(|(imp, _)| imp));
    let distinct = imps.len();
    imps.retain(|imp: &&Imp<'_>| imp.id.value.len() <= MAX_ID_BYTES);
    match (imps.len(), distinct, request.imp.len()) {
        (1.., ..) => Ok(imps),
        (0, 0, 0) => Err(NoBidReason::NoImp),
        (0, 0, _) => Err(NoBidReason::DuplicateImp),
        (0, ..) => Err(NoBidReason::IdBytes),
    }
}

/// The last 7 bytes of a text and the lowest byte of its length.
fn end(text: &str) -> u64 {
    let last = text.bytes().rev().take(7).fold(0, |last, byte| last << 8 | u64::from(byte));
    last << 8 | (text.len() & 0xff) as u64
}

/// Whether a user agent calls itself a crawler: a word of it ends in `bot`, or it has one of some words. `+http` is how
/// most crawlers lead to a page about them.
fn is_crawler(ua: &str) -> bool {
    const WORDS: [&[u8]; 4] = [b"spider", b"crawl", b"slurp", b"+http"];
    let ua = ua.as_bytes();
    let starts = |rest: &[u8], word: &[u8]| rest.get(..word.len()).is_some_and(|own| own.eq_ignore_ascii_case(word));
    may_name_crawler(ua)
        && ua.iter().enumerate().any(|(at, byte)| match byte | 0x20 {
            b'b' => ends_in_bot(ua, at),
            b's' | b'c' | b'+' => WORDS.iter().any(|word| starts(ua.get(at..).unwrap_or_default(), word)),
            _ => false,
        })
}

/// Whether a word ends in `bot` from byte `at` on. `CUBOT` is a brand of telephones.
fn ends_in_bot(ua: &[u8], at: usize) -> bool {
    let (before, rest) = ua.split_at_checked(at).unwrap_or_default();
    let Some((_, behind)) = rest.split_at_checked(3).filter(|(word, _)| word.eq_ignore_ascii_case(b"bot")) else {
        return false;
    };
    let start = before.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |end| end + 1);
    let is_telephone = before.get(start..).is_some_and(|start| start.eq_ignore_ascii_case(b"cu"));
    !is_telephone && !behind.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether a text has the first two letters of one of the words, in upper or lower case. The function has no branches,
/// so that the compiler can test many bytes at once.
#[allow(clippy::needless_bitwise_bool, reason = "no branches")]
fn may_name_crawler(text: &[u8]) -> bool {
    let pairs = text.iter().zip(text.get(1..).unwrap_or_default());
    let is = |(a, b): (&u8, &u8), pair: [u8; 2]| (a | 0x20 == pair[0]) & (b | 0x20 == pair[1]);
    pairs.fold(false, |found, at| {
        found | is(at, *b"bo") | is(at, *b"sp") | is(at, *b"cr") | is(at, *b"sl") | is(at, *b"+h")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawlers_are_found_by_their_user_agent() {
        for (ua, crawler) in [
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true),
            ("Mozilla/5.0 (compatible; Baiduspider/2.0)", true),
            ("Mozilla/5.0 (compatible; AhrefsBot/7.0)", true),
            ("AdsBot-Google (+http://www.google.com/adsbot.html)", true),
            ("AdsBot-Google", true),
            ("Googlebot-Image/1.0", true),
            ("Googlebot", true),
            ("msnbot-media/1.1 (+http://search.msn.com/msnbot.htm)", true),
            ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", true),
            ("Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)", true),
            ("Mozilla/5.0 (compatible; SemrushBot~bl/1.0)", true),
            ("Mozilla/5.0 (compatible; archive.org_bot)", true),
            ("Mozilla/5.0 (compatible; YandexBot/3.0)", true),
            ("DuckDuckBot-Https/1.1", true),
            ("bot, a", true),
            ("Mozilla/5.0 (compatible; Yahoo! Slurp)", true),
            ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", true),
            ("Sogou web spider/4.0", true),
            ("Mozilla/5.0 (compatible; my crawling tool)", true),
            ("Mozilla/5.0 (Linux; Android 9; CUBOT X20 Build/PPR1) Chrome/120.0", false),
            ("Mozilla/5.0 (Linux; Android 8.1; CUBOT_NOTE) Chrome/120.0", false),
            ("Mozilla/5.0 (Linux; Android 8.1; Cubot) Chrome/120.0", false),
            ("Mozilla/5.0 (Linux; Android 8.1; CUBOT; wv) Chrome/120.0", false),
            ("CUBOT/1.0", false),
            ("CUBOT-P20", false),
            ("CUBOT", false),
            ("Mozilla/5.0 (Linux; Android 9; Bottega) okhttp/4.9 Chrome/120.0 http://x", false),
            ("Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36", false),
            ("", false),
        ] {
            assert_eq!(is_crawler(ua), crawler, "{ua}");
        }
    }
}
