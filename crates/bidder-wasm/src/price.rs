//! What a campaign bids: its most or its shaded price, unless the deal's price is fixed, and never
//! under the floor.

use crate::catalog::{Campaign, Creative, Media, Ssp};
use crate::money::{Currency, Micros, Rates, Rounding};
use crate::no_bid::NoBidReason;
use crate::request::{Deal, DurFloor, Imp, Linear, Request};

/// `at` 1: the winner pays what it bid (§3.2.1).
pub(crate) const FIRST_PRICE: i64 = 1;
/// `deal.at` 3: the deal's floor is the agreed price (§3.2.12).
const FIXED_PRICE: i64 = 3;

/// The steps from what a campaign would pay to what it bids, per thousand impressions, all in one
/// currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// What the campaign pays at most.
    pub most: Micros,
    /// The least that the other side takes.
    pub floor: Micros,
    /// What is bid.
    pub bid: Micros,
}

/// The price in `cur`, or why there is none.
///
/// Floors convert upward and offers downward, so that no rounding
/// carries a bid under a floor or over a budget.
pub fn price(
    rates: &Rates,
    request: &Request<'_>,
    imp: &Imp<'_>,
    deal: Option<&Deal<'_>>,
    (campaign, creative): (&Campaign<'_>, &Creative<'_>),
    cur: Currency,
) -> Result<Price, NoBidReason> {
    let (floor, from) = floor(imp, deal, creative);
    if floor == Micros::UNREADABLE || (floor > Micros::ZERO && from == Currency::UNKNOWN) {
        return Err(NoBidReason::FloorUnreadable);
    }
    let offer = |amount| rates.convert(amount, campaign.cur(), cur, Rounding::Down).ok_or(NoBidReason::Rate);
    let most = offer(campaign.max_cpm())?;
    let floor = demand(rates, floor, from, cur)?;
    if most < floor || most <= Micros::ZERO {
        return Err(NoBidReason::Floor);
    }
    let bid = match auction_type(request.at, deal) {
        FIXED_PRICE if deal.is_some() && floor > Micros::ZERO => floor,
        FIRST_PRICE => offer(campaign.shaded_cpm())?.clamp(floor.max(Micros(1)), most),
        _ => most,
    };
    Ok(Price { most, floor, bid })
}

/// The type of the auction under a deal, or without one.
pub(crate) fn auction_type(at: i64, deal: Option<&Deal<'_>>) -> i64 {
    deal.map(|deal| deal.at).filter(|at| *at != 0).unwrap_or(at)
}

/// The currency of a response's prices: of those in `request.cur` that have a rate the SSP's own, else the first.
#[must_use]
pub fn response_currency(request: &Request<'_>, ssp: Ssp<'_>, rates: &Rates) -> Option<Currency> {
    let own = Some(ssp.cur()).filter(|own| rates.has(*own));
    if request.cur.is_empty() {
        return own.or(Some(Currency::USD));
    }
    own.filter(|own| request.cur.contains(own)).or_else(|| request.cur.iter().copied().find(|cur| rates.has(*cur)))
}

/// The floor that the creative has to reach, and its currency: the first that is told of the
/// deal's, the media's and the impression's own (§7.11.2 of the implementation guide). [`Micros::UNREADABLE`] where that one
/// cannot be read.
#[must_use]
pub fn floor(imp: &Imp<'_>, deal: Option<&Deal<'_>>, creative: &Creative<'_>) -> (Micros, Currency) {
    let (offer, dur) = match &creative.media() {
        Media::Video(ad) => (imp.video, Some(ad.dur())),
        Media::Audio(ad) => (imp.audio, Some(ad.dur())),
        Media::Banner(_) | Media::Native(_) => (None, None),
    };
    let of_deal = deal.and_then(|deal| {
        let floor = by_time(deal.mincpmpersec, deal.durfloors, dur).or(told(deal.bidfloor));
        floor.map(|floor| (floor, deal.bidfloorcur))
    });
    let of_media = || {
        let Linear { mincpmpersec, durfloors, .. } = offer?;
        by_time(*mincpmpersec, durfloors, dur).map(|floor| (floor, imp.bidfloorcur))
    };
    of_deal.or_else(of_media).unwrap_or((imp.bidfloor, imp.bidfloorcur))
}

/// The floor that holds on an impression without a deal whatever is shown there, in the response's currency; `None` where
/// it depends on the creative, or has no rate.
#[must_use]
pub fn floor_of_all(rates: &Rates, imp: &Imp<'_>, cur: Currency) -> Option<Micros> {
    let by_time = |offer: &Linear<'_>| told(offer.mincpmpersec).is_some() || !offer.durfloors.is_empty();
    if imp.linear().any(by_time) || imp.bidfloor == Micros::UNREADABLE {
        return None;
    }
    demand(rates, imp.bidfloor, imp.bidfloorcur, cur).ok()
}

/// A floor that says something; one that cannot be read does.
fn told(floor: Micros) -> Option<Micros> {
    (floor != Micros::ZERO).then_some(floor)
}

/// What is told per second or for the range of the duration; where both are, the greater counts, and what cannot be read
/// before all.
fn by_time(mincpmpersec: Micros, durfloors: &[DurFloor], dur: Option<i64>) -> Option<Micros> {
    let dur = dur?;
    let of_ad = |per_second: Micros| match per_second {
        Micros::UNREADABLE => Micros::UNREADABLE,
        Micros(micros) => Micros(micros.saturating_mul(dur.max(0))),
    };
    let per_second = told(mincpmpersec).map(of_ad);
    let holds = |range: &&DurFloor| range.mindur <= dur && (range.maxdur <= 0 || dur <= range.maxdur);
    let of_ranges = durfloors.iter().filter(holds).map(|range| range.bidfloor);
    per_second.into_iter().chain(of_ranges).max_by_key(|floor| (*floor == Micros::UNREADABLE, *floor))
}

/// A floor in the response's currency. No floor needs no rate.
fn demand(rates: &Rates, floor: Micros, from: Currency, to: Currency) -> Result<Micros, NoBidReason> {
    if floor <= Micros::ZERO {
        return Ok(Micros::ZERO);
    }
    rates.convert(floor, from, to, Rounding::Up).ok_or(NoBidReason::Rate)
}
