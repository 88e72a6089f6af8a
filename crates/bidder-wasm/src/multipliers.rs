//! Multipliers of a campaign's price: whether the condition of one holds, and what it makes of an amount.
//!
//! A condition is a target, and the full scan checks it. So a condition means what the same target means, and sees no
//! data that a bid may not use.

use crate::catalog::{Condition, Lists, Rule, RuleDraft};
use crate::flat::List;
use crate::money::Micros;
use crate::no_bid::NoBidReason;
use crate::request::Imp;
use crate::targeting::{Facts, Spot, Values, bounds, scan, value};
use crate::work::{self, Meter};

/// A factor of 1: factors are in millionths.
pub const ONE: u32 = 1_000_000;

/// An amount, not negative, times `factor` millionths, rounded down.
///
/// ```
/// use bidder_wasm::money::Micros;
/// use bidder_wasm::multipliers::times;
///
/// assert_eq!(times(Micros(1_800_000), 1_250_000), Micros(2_250_000));
/// assert_eq!(times(Micros(3), 500_000), Micros(1));
/// assert_eq!(times(Micros::MAX, 100_000_000), Micros::MAX);
/// ```
pub fn times(Micros(amount): Micros, factor: u32) -> Micros {
    let (one, factor) = (i64::from(ONE), i64::from(factor));
    // Whole units and the rest apart, because the product of both may not fit.
    let (units, rest) = (amount / one, amount % one);
    Micros((units.saturating_mul(factor)).saturating_add(rest * factor / one))
}

/// Whether a condition holds, apart from what it asks of the ad object: see [`holds_on`]. False if `meter` cannot pay
/// for the check.
pub(crate) fn holds(
    facts: &Facts<'_>,
    imp: &Imp<'_>,
    condition: &Condition<'_>,
    lists: Lists<'_>,
    meter: &Meter,
) -> bool {
    meter.charge(cost(facts, imp, condition));
    !meter.is_empty()
        && scan::check_request(facts, condition.request_rules(), lists).is_ok()
        && scan::check_imp(imp, condition.imp_rules(), lists).is_ok()
        && condition.bounds().iter().all(|bounds| {
            bounds::check_request(facts, &bounds).is_ok() && bounds::check_imp(facts, imp, &bounds).is_ok()
        })
}

/// Whether the ad object that a creative would fill is as the condition asks.
pub(crate) fn holds_on(spot: &Spot<'_>, condition: &Condition<'_>) -> bool {
    let rules = condition.spot_rules();
    rules.is_empty() || scan::check_spot(spot, rules).is_ok()
}

/// The cost of [`holds`] and [`holds_on`].
fn cost(facts: &Facts<'_>, imp: &Imp<'_>, condition: &Condition<'_>) -> usize {
    const PLAIN: usize = 30;
    let bounds = condition.bounds().get(0).map_or(0, |bounds| work::of_bounds(facts.request, imp, &bounds));
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
