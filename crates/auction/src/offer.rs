//! The offer of a campaign for an impression, in its own currency. The floor and the auction come later: `price.rs`.
//!
//! The offer is `max_cpm` times all multipliers whose conditions hold, or the own price of a deal, which no multiplier
//! changes. A condition is a target, and the full scan checks it. So a condition means what the same target means, and
//! sees no data that a bid may not use.

use base::money::{Currency, Micros};
use catalog::{Campaign, Condition, ConditionDraft, Lists, Media, Parts, Rule, RuleDraft, times};
use flat::List;
use openrtb::request::{Deal, Imp};
use reasons::no_bid::NoBidReason;
use rules::targeting::{Facts, Spot, Values, bounds, scan, value};
use rules::work::{self, Meter};

/// An offer per thousand impressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The most that the campaign pays.
    pub most: Micros,
    /// What the campaign bids in a first-price auction: `most`, or less with shading.
    pub shaded: Micros,
    /// Whether it bids what was learned instead of `shaded`.
    pub learned: bool,
    /// The currency of both amounts.
    pub cur: Currency,
}

/// The offers of a campaign on one impression, under one deal or without a deal.
#[derive(Debug, Clone, Copy)]
pub struct Offers<'a> {
    imp: &'a Imp<'a>,
    /// The offer before multipliers.
    pub base: Offer,
    /// Whether `base` is the deal's own price.
    pub is_of_deal: bool,
    /// The multipliers in the order of the document: the number of each condition, and the factor in millionths.
    multipliers: List<'a, (u32, u32)>,
    conditions: List<'a, ConditionDraft>,
    /// The bits of the multipliers whose conditions hold, apart from their rules on the ad object.
    holding: u32,
    /// Multipliers raise an offer up to this amount.
    ceiling: Micros,
}

impl<'a> Offers<'a> {
    /// The offers of `campaign`, which is one of `parts`.
    pub fn of(
        facts: &Facts<'_>,
        imp: &'a Imp<'a>,
        deal: Option<&Deal<'_>>,
        campaign: &Campaign<'a>,
        parts: &Parts<'a>,
        meter: &Meter,
    ) -> Offers<'a> {
        let prices = campaign.prices();
        let own =
            deal.zip(prices).and_then(|(deal, prices)| prices.deals().iter().find(|(id, _)| *id == deal.id.value));
        let (most, shaded) = own.map_or((campaign.max_cpm(), campaign.shaded_cpm()), |(_, own)| (own, own));
        let learned = deal.is_none() && prices.is_some_and(|prices| prices.learned());
        let multipliers = prices.filter(|_| own.is_none()).map(|prices| prices.multipliers()).unwrap_or_default();
        let (conditions, lists) = (parts.conditions(), Lists::of(parts));
        let is_met =
            |number: u32| conditions.get(number as usize).is_some_and(|one| holds(facts, imp, &one, lists, meter));
        let bits = multipliers.iter().zip(0..u32::BITS).filter(|((number, _), _)| is_met(*number));
        Offers {
            imp,
            base: Offer { most, shaded, learned, cur: campaign.cur() },
            is_of_deal: own.is_some(),
            multipliers,
            conditions,
            holding: bits.fold(0, |holding, (_, bit)| holding | 1 << bit),
            ceiling: prices.map_or(Micros::MAX, |prices| prices.ceiling()),
        }
    }

    /// The multipliers that hold for an ad of this type: their places in the campaign's `bids`, and their factors in
    /// millionths.
    pub fn factors(&self, media: &Media<'_>) -> impl Iterator<Item = (u32, u32)> {
        let spot = Spot::of(self.imp, media);
        let Offers { multipliers, conditions, holding, .. } = *self;
        let all = (0..u32::BITS).zip(multipliers.iter()).filter(move |(bit, _)| holding >> bit & 1 == 1);
        let is_met = move |number: u32| conditions.get(number as usize).is_some_and(|one| holds_on(&spot, &one));
        all.filter(move |(_, (number, _))| is_met(*number)).map(|(place, (_, factor))| (place, factor))
    }

    /// The highest offer that multipliers may reach.
    pub fn ceiling(&self) -> Micros {
        self.ceiling
    }

    /// The offer for an ad of this type.
    pub fn with(&self, media: &Media<'_>) -> Offer {
        if self.holding == 0 {
            return self.base;
        }
        let offer = self.factors(media).fold(self.base, |offer, (_, factor)| Offer {
            most: times(offer.most, factor),
            shaded: times(offer.shaded, factor),
            ..offer
        });
        Offer { most: offer.most.min(self.ceiling), shaded: offer.shaded.min(self.ceiling), ..offer }
    }
}

/// Whether a condition holds, apart from its rules on the ad object: see [`holds_on`]. False if `meter` has too little
/// work left for the check.
fn holds(facts: &Facts<'_>, imp: &Imp<'_>, condition: &Condition<'_>, lists: Lists<'_>, meter: &Meter) -> bool {
    meter.charge(cost(facts, imp, condition));
    !meter.is_empty()
        && scan::check_request(facts, condition.request_rules(), lists).is_ok()
        && scan::check_imp(imp, condition.imp_rules(), lists).is_ok()
        && condition.bounds().iter().all(|bounds| {
            bounds::check_request(facts, &bounds).is_ok() && bounds::check_imp(facts, imp, &bounds).is_ok()
        })
}

/// Whether the ad object that a creative would fill meets the condition.
fn holds_on(spot: &Spot<'_>, condition: &Condition<'_>) -> bool {
    let rules = condition.spot_rules();
    rules.is_empty() || scan::check_spot(spot, rules).is_ok()
}

/// The cost of [`holds`] and [`holds_on`].
fn cost(facts: &Facts<'_>, imp: &Imp<'_>, condition: &Condition<'_>) -> usize {
    const PLAIN: usize = 30;
    let bounds = condition.bounds().get(0).map_or(0, |bounds| work::of_bounds(facts, imp, &bounds));
    // An ad object has at most three values in a dimension: those of `slotinpod`.
    PLAIN
        + bounds
        + of_rules(condition.request_rules(), |reason| count(reason, facts))
        + of_rules(condition.imp_rules(), |_| 1)
        + of_rules(condition.spot_rules(), |_| 3)
}

/// The cost of comparing the values of rules with those of the request. `count` says how many the request has in a
/// dimension.
fn of_rules(rules: List<'_, RuleDraft>, count: impl Fn(NoBidReason) -> usize) -> usize {
    // A search in a list compares about twenty values.
    let listed = |rule: &Rule<'_>| rule.values().count() + 20 * rule.lists().count();
    rules.iter().map(|rule| work::of_rule(listed(&rule), count(rule.reason()))).sum()
}

/// How many values a request has in a dimension.
fn count(reason: NoBidReason, facts: &Facts<'_>) -> usize {
    let mut count = 1;
    if let Values::Several = value::request::of(reason, facts) {
        value::request::each(reason, facts, &Meter::unlimited(), |_| count += 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_product_is_rounded_down(amount in 0..=i64::MAX, factor in 0_u32..=100_000_000) {
            let exact = i128::from(amount) * i128::from(factor) / 1_000_000;
            prop_assert_eq!(i128::from(times(Micros(amount), factor).0), exact.min(i128::from(i64::MAX)));
        }
    }
}
