//! What a campaign bids: its most or its shaded price, unless the deal's price is fixed, and never
//! under the floor.

use crate::catalog::{Campaign, Creative, Media};
use crate::money::{Currency, Micros, Rates, Rounding};
use crate::no_bid::NoBidReason;
use crate::request::{Deal, DurFloor, Imp, Linear, Request};

/// `at` 1: the winner pays what it bid (§3.2.1).
const FIRST_PRICE: i64 = 1;
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
/// A bid under a deal answers to the deal's floors alone, any other to the impression's (§7.11.2
/// of the implementation guide). Floors convert upward and offers downward, so that no rounding
/// carries a bid under a floor or over a budget.
pub fn price(
    rates: &Rates,
    request: &Request<'_>,
    imp: &Imp<'_>,
    deal: Option<&Deal<'_>>,
    (campaign, creative): (&Campaign, &Creative),
    cur: Currency,
) -> Result<Price, NoBidReason> {
    let offer = |amount| rates.convert(amount, campaign.cur, cur, Rounding::Down).ok_or(NoBidReason::Rate);
    let most = offer(campaign.max_cpm)?;
    let (floor, from) = floor(imp, deal, creative);
    let floor = demand(rates, floor, from, cur)?;
    if most < floor || most <= Micros::ZERO {
        return Err(NoBidReason::Floor);
    }
    let at = deal.map(|deal| deal.at).filter(|at| *at != 0).unwrap_or(request.at);
    let bid = match at {
        FIXED_PRICE if deal.is_some() && floor > Micros::ZERO => floor,
        FIRST_PRICE => offer(campaign.shaded_cpm)?.clamp(floor.max(Micros(1)), most),
        _ => most,
    };
    Ok(Price { most, floor, bid })
}

/// The currency of a response's prices: the first of `request.cur` that has a rate.
#[must_use]
pub fn response_currency(request: &Request<'_>, rates: &Rates) -> Option<Currency> {
    if request.cur.is_empty() {
        return Some(Currency::USD);
    }
    request.cur.iter().copied().find(|cur| rates.has(*cur))
}

/// The floor that the creative has to reach, and its currency. Per second and by duration go
/// before the plain floor where they say something about this duration; where both do, the
/// greater counts.
#[must_use]
pub fn floor(imp: &Imp<'_>, deal: Option<&Deal<'_>>, creative: &Creative) -> (Micros, Currency) {
    let (offer, dur) = match &creative.media {
        Media::Video(ad) => (imp.video, Some(ad.dur)),
        Media::Audio(ad) => (imp.audio, Some(ad.dur)),
        Media::Banner(_) | Media::Native(_) => (None, None),
    };
    let (per_second, by_duration, plain, cur) = match (deal, offer) {
        (Some(deal), _) => (deal.mincpmpersec, deal.durfloors, deal.bidfloor, deal.bidfloorcur),
        (None, Some(Linear { mincpmpersec, durfloors, .. })) => {
            (mincpmpersec, durfloors, imp.bidfloor, imp.bidfloorcur)
        }
        (None, None) => (Micros::ZERO, &[][..], imp.bidfloor, imp.bidfloorcur),
    };
    let Some(dur) = dur else { return (plain, cur) };
    let per_second = (per_second > Micros::ZERO).then(|| Micros(per_second.0.saturating_mul(dur.max(0))));
    (per_second.max(floor_of_duration(by_duration, dur)).unwrap_or(plain), cur)
}

/// The floor of the range that the duration is in, the greatest of several; `None` outside of all.
fn floor_of_duration(floors: &[DurFloor], dur: i64) -> Option<Micros> {
    let holds = |range: &&DurFloor| range.mindur <= dur && (range.maxdur <= 0 || dur <= range.maxdur);
    floors.iter().filter(holds).map(|range| range.bidfloor).max()
}

/// A floor in the response's currency. No floor needs no rate.
fn demand(rates: &Rates, floor: Micros, from: Currency, to: Currency) -> Result<Micros, NoBidReason> {
    if floor <= Micros::ZERO {
        return Ok(Micros::ZERO);
    }
    rates.convert(floor, from, to, Rounding::Up).ok_or(NoBidReason::Rate)
}
