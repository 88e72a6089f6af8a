//! The second seam: what to bid in a first-price auction in place of the campaign's own price.

use super::shading;
use crate::offer::Offer;
use base::money::{Currency, Micros, Rates};
use catalog::Creative;
use openrtb::request::Imp;
use rules::targeting::Facts;

pub(crate) use ::shading::Spot;

/// The bid in `cur` of a campaign that pays `most` at most; `None`: the campaign's own price. Also the place whose prices
/// are learned from the notices of the bid.
pub(crate) fn learned(
    facts: &Facts<'_>,
    imp: &Imp<'_>,
    (own, creative): (&Offer, &Creative<'_>),
    most: Micros,
    cur: Currency,
    rates: &Rates,
) -> (Option<Micros>, Spot) {
    if !own.learned {
        return (None, Spot::default());
    }
    let spot = shading::spot_of(facts, imp, creative);
    (facts.shade.bid(facts.shade.curve(spot), most, cur, rates), spot)
}
