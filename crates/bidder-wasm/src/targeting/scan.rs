//! The full scan: checks one campaign's rules without the index, and must give the same answer as the index.
//!
//! Explanations and tests use it. Bidding uses [`check_spot`] too: the index does not decide on banner, video and audio
//! objects, because a campaign may have creatives for several of them.

use super::facts::Facts;
use super::spot::Spot;
use super::value::{self, Value, Values};
use crate::catalog::RuleDraft;
use crate::digits::Digits;
use crate::flat::List;
use crate::kind::{Kind, kind_of};
use crate::no_bid::{Checked, NoBidReason, require};
use crate::request::Imp;
use crate::work::Meter;

/// Checks a campaign's rules on the request.
pub(crate) fn check_request(facts: &Facts<'_>, rules: List<'_, RuleDraft>) -> Checked {
    let unlimited = Meter::unlimited();
    check(rules, |reason, take| match value::of_request(reason, facts) {
        Values::One(value) => take(value),
        Values::Several => value::each_of_request(reason, facts, &unlimited, take),
        Values::Unknown => {}
    })
}

/// Checks a campaign's rules on the impression.
pub(crate) fn check_imp(imp: &Imp<'_>, rules: List<'_, RuleDraft>) -> Checked {
    check(rules, |reason, take| match value::of_imp(reason, imp) {
        Values::One(value) => take(value),
        Values::Unknown | Values::Several => {}
    })
}

/// Checks a campaign's rules on the object that a creative would fill.
pub(crate) fn check_spot(spot: &Spot<'_>, rules: List<'_, RuleDraft>) -> Checked {
    check(rules, |reason, take| match value::of_spot(reason, spot) {
        Values::One(value) => take(value),
        Values::Several => value::each_of_spot(reason, spot, take),
        Values::Unknown => {}
    })
}

/// `each` calls its second argument with each value of a dimension.
fn check(rules: List<'_, RuleDraft>, each: impl Fn(NoBidReason, &mut dyn FnMut(Value<'_>))) -> Checked {
    for rule in rules.iter() {
        let (reason, include, exclude) = (rule.reason(), rule.include(), rule.exclude());
        let (mut is_included, mut is_excluded) = (include.is_empty(), false);
        each(reason, &mut |value| {
            let is_listed = listed(reason, value);
            is_included = is_included || include.iter().any(&is_listed);
            is_excluded = is_excluded || exclude.iter().any(&is_listed);
        });
        require(is_included && !is_excluded, reason)?;
    }
    Ok(())
}

/// A function that says whether a value of a rule equals this value of a request.
fn listed(reason: NoBidReason, value: Value<'_>) -> impl Fn((&str, &str)) -> bool {
    let folds = kind_of(reason).is_some_and(Kind::folds);
    let is_alike = move |own: &str, listed: &str| if folds { own.eq_ignore_ascii_case(listed) } else { own == listed };
    let digits = match value {
        Value::Number(number) | Value::Category(_, number) => Digits::of(number),
        Value::Text(_) | Value::Segment(..) => Digits::of(0),
    };
    move |(first, second)| match value {
        Value::Text(text) => is_alike(text, first),
        Value::Number(_) => digits.as_bytes() == first.as_bytes(),
        Value::Category(cat, _) => is_alike(cat, first) && digits.as_bytes() == second.as_bytes(),
        Value::Segment(provider, id) => provider == first && id == second,
    }
}
