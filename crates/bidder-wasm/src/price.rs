//! What a campaign bids: its most, unless the deal's price is fixed, and never under the floor.

use crate::catalog::{Campaign, Catalog};
use crate::money::{Currency, Micros, Rates, Rounding};
use crate::no_bid::NoBidReason;
use crate::request::{Deal, Imp, Request};

/// `deal.at`: the deal's floor is the agreed price (§3.2.12).
const FIXED_PRICE: i64 = 3;

/// The price per thousand impressions in `cur`, or why there is none.
///
/// A bid under a deal answers to the deal's floor alone, any other to the impression's (§7.11.2
/// of the implementation guide). Floors convert upward and offers downward, so that no rounding
/// carries a bid under a floor or over a budget.
pub fn price(
    campaign: &Campaign,
    imp: &Imp<'_>,
    deal: Option<&Deal<'_>>,
    catalog: &Catalog,
    cur: Currency,
) -> Result<Micros, NoBidReason> {
    let rates = &catalog.rates;
    let most = rates.convert(campaign.max_cpm, campaign.cur, cur, Rounding::Down).ok_or(NoBidReason::Rate)?;
    let (floor, fixed) = match deal {
        Some(deal) => (floor(rates, deal.bidfloor, deal.bidfloorcur, cur)?, deal.at == FIXED_PRICE),
        None => (floor(rates, imp.bidfloor, imp.bidfloorcur, cur)?, false),
    };
    if most < floor || most <= Micros::ZERO {
        return Err(NoBidReason::Floor);
    }
    Ok(if fixed && floor > Micros::ZERO { floor } else { most })
}

/// The currency of a response's prices: the first of `request.cur` that has a rate.
#[must_use]
pub fn response_currency(request: &Request<'_>, catalog: &Catalog) -> Option<Currency> {
    if request.cur.is_empty() {
        return Some(Currency::USD);
    }
    request.cur.iter().copied().find(|cur| catalog.rates.has(*cur))
}

/// No floor needs no rate.
fn floor(rates: &Rates, floor: Micros, from: Currency, to: Currency) -> Result<Micros, NoBidReason> {
    if floor <= Micros::ZERO {
        return Ok(Micros::ZERO);
    }
    rates.convert(floor, from, to, Rounding::Up).ok_or(NoBidReason::Rate)
}
