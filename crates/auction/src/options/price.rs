//! The second seam: what to bid in a first-price auction in place of the campaign's own price.

use super::shading;
use crate::offer::Offer;
use base::money::{Currency, Micros, Rates};
use catalog::Creative;
use openrtb::request::Imp;
use rules::targeting::Facts;

pub(crate) use ::shading::Spot;

/// Returns two values. First: the learned bid in `cur`, never above `most`, or `None` for the campaign's own price. Second:
/// the spot whose prices are learned from the notices of the bid.
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
