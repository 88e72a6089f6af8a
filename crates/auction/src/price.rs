//! The price of a bid: the offer of the campaign, or a deal's fixed price, and never under the floor.

use crate::offer::Offer;
use crate::options;
use crate::options::price::Spot;
use base::money::{Currency, Micros, Rates, Rounding};
use catalog::{Auction, Creative, Floors, Media, Ssp};
use openrtb::request::{Deal, DurFloor, Imp, Linear, Request};
use reasons::no_bid::NoBidReason;
use rules::targeting::Facts;

/// `at` = 1: the winner pays its bid (§3.2.1).
pub const FIRST_PRICE: i64 = 1;
/// `deal.at` = 3: the deal's `bidfloor` is the agreed price (§3.2.12).
pub const FIXED_PRICE: i64 = 3;

/// A bid's price and its bounds, per thousand impressions (CPM), all in the response's currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// The most that the campaign pays: see [`Offer::most`].
    pub most: Micros,
    /// The floor that applies to the bid; 0 if there is none.
    pub floor: Micros,
    /// The price of the bid: from `floor` to `most`.
    pub bid: Micros,
    /// The spot whose prices are learned from the notices of the bid.
    pub spot: Spot,
}

/// The price in `cur`. Floors are rounded up and offers down, so that rounding never puts a bid under the floor or over
/// what the campaign pays.
///
/// The errors are [`NoBidReason::FloorUnreadable`], [`NoBidReason::Rate`] and [`NoBidReason::Floor`].
pub fn price(
    rates: &Rates,
    facts: &Facts<'_>,
    imp: &Imp<'_>,
    deal: Option<&Deal<'_>>,
    (own, creative): (&Offer, &Creative<'_>),
    cur: Currency,
) -> Result<Price, NoBidReason> {
    let floor = floor_in(rates, facts, imp, deal, creative, cur);
    if floor == Err(NoBidReason::FloorUnreadable) {
        return Err(NoBidReason::FloorUnreadable);
    }
    let offer = |amount| rates.convert(amount, own.cur, cur, Rounding::Down).ok_or(NoBidReason::Rate);
    let most = offer(own.most)?;
    let floor = floor?;
    if most < floor || most <= Micros::ZERO {
        return Err(NoBidReason::Floor);
    }
    let mut spot = Spot::default();
    let bid = match auction_type(facts, deal) {
        FIXED_PRICE if floor > Micros::ZERO && has_price(deal, facts, imp, creative) => floor,
        FIRST_PRICE => {
            let learned;
            (learned, spot) = options::price::learned(facts, imp, (own, creative), most, cur, rates);
            learned.map_or_else(|| offer(own.shaded), Ok)?.clamp(floor.max(Micros(1)), most)
        }
        _ => most,
    };
    Ok(Price { most, floor, bid, spot })
}

/// The auction type: `deal.at` if the deal has one, else `BidRequest.at`. If the SSP's auctions are all first-price,
/// both are ignored, except for a fixed price, which the parties of the deal have agreed.
pub fn auction_type(facts: &Facts<'_>, deal: Option<&Deal<'_>>) -> i64 {
    let of_deal = deal.map(|deal| deal.at).filter(|at| *at != 0);
    match facts.ssp.auction() {
        Auction::Request => of_deal.unwrap_or(facts.request.at),
        Auction::First => of_deal.filter(|at| *at == FIXED_PRICE).unwrap_or(FIRST_PRICE),
    }
}

/// Whether the winner pays its bid: in a first-price auction, and under a deal with a fixed price.
pub(crate) fn pays_bid(facts: &Facts<'_>, deal: Option<&Deal<'_>>) -> bool {
    let at = auction_type(facts, deal);
    at == FIRST_PRICE || at == FIXED_PRICE && deal.is_some()
}

/// The currency of a response's prices: the SSP's currency if it has a rate and `request.cur` allows it, else the first
/// of `request.cur` with a rate. `None` if there is none.
pub fn response_currency(request: &Request<'_>, ssp: Ssp<'_>, rates: &Rates) -> Option<Currency> {
    let own = Some(ssp.cur()).filter(|own| rates.has(*own));
    if request.cur.is_empty() {
        return own.or(Some(Currency::USD));
    }
    own.filter(|own| request.cur.contains(own)).or_else(|| request.cur.iter().copied().find(|cur| rates.has(*cur)))
}

/// The floor for a creative in the currency `cur`, rounded up. If the impression offers the deal more than once, its
/// highest floor.
pub fn floor_in(
    rates: &Rates,
    facts: &Facts<'_>,
    imp: &Imp<'_>,
    deal: Option<&Deal<'_>>,
    creative: &Creative<'_>,
    cur: Currency,
) -> Result<Micros, NoBidReason> {
    let floor = |deal| convert_floor(rates, floor(facts, imp, deal, creative), cur);
    let all = if facts.repeats_deals { imp.deals } else { &[] };
    let again = all
        .iter()
        .filter(|other| deal.is_some_and(|deal| other.id.value == deal.id.value && !core::ptr::eq(*other, deal)));
    again.map(|deal| floor(Some(deal))).fold(floor(deal), |highest, other| Ok(highest?.max(other?)))
}

/// The floor for a creative, and the floor's currency. The floor is that of the deal, else that of the video or audio
/// object by duration, else that of the impression (§7.11.2 of the implementation guide), unless the SSP enforces the
/// highest of the last two. [`Micros::UNREADABLE`] if that floor cannot be read.
pub fn floor(facts: &Facts<'_>, imp: &Imp<'_>, deal: Option<&Deal<'_>>, creative: &Creative<'_>) -> (Micros, Currency) {
    let of_deal = deal.and_then(|deal| Some((floor_of(deal, facts, dur(creative))?, deal.bidfloorcur)));
    let of_media = || {
        let offer = match &creative.media() {
            Media::Video(_) => imp.video,
            Media::Audio(_) => imp.audio,
            Media::Banner(_) | Media::Native(_) => None,
        };
        let Linear { mincpmpersec, durfloors, .. } = offer?;
        let own = by_duration(*mincpmpersec, durfloors, dur(creative))?;
        let is_ahead = facts.ssp.floors() == Floors::Specific || strictness(own) >= strictness(imp.bidfloor);
        is_ahead.then_some((own, imp.bidfloorcur))
    };
    of_deal.or_else(of_media).unwrap_or((imp.bidfloor, imp.bidfloorcur))
}

/// The deal's own floor for an ad of this duration in seconds, which is the agreed price if the deal has a fixed price;
/// `None` if it has none. An agreed price does not depend on the duration, unless the deal has no other.
fn floor_of(deal: &Deal<'_>, facts: &Facts<'_>, dur: Option<i64>) -> Option<Micros> {
    let (of_all, of_ad) = (non_zero(deal.bidfloor), by_duration(deal.mincpmpersec, deal.durfloors, dur));
    if auction_type(facts, Some(deal)) == FIXED_PRICE { of_all.or(of_ad) } else { of_ad.or(of_all) }
}

/// Whether the fixed price of a deal is known: from this offer, or from another offer of the same deal.
fn has_price(deal: Option<&Deal<'_>>, facts: &Facts<'_>, imp: &Imp<'_>, creative: &Creative<'_>) -> bool {
    let has_own = |deal: &Deal<'_>| floor_of(deal, facts, dur(creative)).is_some();
    let again = |deal: &Deal<'_>| imp.deals.iter().any(|other| other.id.value == deal.id.value && has_own(other));
    deal.is_some_and(|deal| has_own(deal) || facts.repeats_deals && again(deal))
}

/// The duration of a video or audio ad in seconds.
fn dur(creative: &Creative<'_>) -> Option<i64> {
    match &creative.media() {
        Media::Video(ad) | Media::Audio(ad) => Some(ad.dur()),
        Media::Banner(_) | Media::Native(_) => None,
    }
}

/// The floor without a deal that is the same for all creatives, in the currency `cur`, rounded up, or the reason why no
/// creative has a price: [`NoBidReason::FloorUnreadable`] or [`NoBidReason::Rate`]. `None` if it depends on the ad's
/// duration.
///
/// ```
/// use base::money::{Currency, Micros, Rates};
/// use reasons::no_bid::NoBidReason;
/// use auction::price::floor_of_all;
/// use openrtb::request::Imp;
///
/// let mut rates = Rates::default();
/// assert!(rates.set(Currency::USD, "1") && rates.set(Currency::parse("EUR"), "1.25"));
/// let imp = Imp { bidfloor: Micros(2_000_000), bidfloorcur: Currency::parse("EUR"), ..Imp::default() };
///
/// assert_eq!(floor_of_all(&rates, &imp, Currency::USD), Some(Ok(Micros(2_500_000))));
/// assert_eq!(floor_of_all(&rates, &imp, Currency::parse("JPY")), Some(Err(NoBidReason::Rate)));
/// ```
pub fn floor_of_all(rates: &Rates, imp: &Imp<'_>, cur: Currency) -> Option<Result<Micros, NoBidReason>> {
    // No duration makes it readable, but other media types do not have it.
    let mut offers = imp.linear();
    let is_linear = imp.banner.is_none() && imp.native.is_none();
    if is_linear && offers.next().is_some() && imp.linear().all(|offer| offer.mincpmpersec == Micros::UNREADABLE) {
        return Some(Err(NoBidReason::FloorUnreadable));
    }
    let by_duration = |offer: &Linear<'_>| non_zero(offer.mincpmpersec).is_some() || !offer.durfloors.is_empty();
    let depends = imp.linear().any(by_duration);
    (!depends).then(|| convert_floor(rates, (imp.bidfloor, imp.bidfloorcur), cur))
}

/// A floor that is not 0. An unreadable floor counts too.
fn non_zero(floor: Micros) -> Option<Micros> {
    (floor != Micros::ZERO).then_some(floor)
}

/// The greater of the floor per second and the floors for the ad's duration `dur`, in seconds. The result is unreadable
/// if one of these floors is.
fn by_duration(mincpmpersec: Micros, durfloors: &[DurFloor], dur: Option<i64>) -> Option<Micros> {
    let dur = dur?;
    let of_ad = |per_second: Micros| match per_second {
        Micros::UNREADABLE => Micros::UNREADABLE,
        Micros(micros) => Micros(micros.saturating_mul(dur.max(0))),
    };
    let per_second = non_zero(mincpmpersec).map(of_ad);
    let holds = |range: &&DurFloor| range.mindur <= dur && (range.maxdur <= 0 || dur <= range.maxdur);
    let of_ranges = durfloors.iter().filter(holds).map(|range| range.bidfloor);
    per_second.into_iter().chain(of_ranges).max_by_key(|floor| strictness(*floor))
}

/// Orders floors in one currency; an unreadable floor is the strictest.
fn strictness(floor: Micros) -> (bool, Micros) {
    (floor == Micros::UNREADABLE, floor)
}

/// A floor in the response's currency, rounded up. A floor of 0 needs no rate.
fn convert_floor(rates: &Rates, (floor, from): (Micros, Currency), to: Currency) -> Result<Micros, NoBidReason> {
    if floor == Micros::UNREADABLE || (floor > Micros::ZERO && from == Currency::UNKNOWN) {
        return Err(NoBidReason::FloorUnreadable);
    }
    if floor <= Micros::ZERO {
        return Ok(Micros::ZERO);
    }
    rates.convert(floor, from, to, Rounding::Up).ok_or(NoBidReason::Rate)
}
