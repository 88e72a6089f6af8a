//! The full scan: checks one campaign's rules without the index, and must give the same answer as the index.
//!
//! Explanations and tests use it. Bidding uses [`check_spot`] too: the index does not decide on banner, video and audio
//! objects, because a campaign may have creatives for several of them.

use super::facts::Facts;
use super::spot::Spot;
use super::value::{self, Value};
use catalog::index::Key;
use catalog::{Lists, RuleDraft, Side};
use flat::List;
use openrtb::request::Imp;
use reasons::kind::{Kind, kind_of};
use reasons::no_bid::{Checked, NoBidReason, require};

/// Checks a campaign's rules on the request.
pub fn check_request(facts: &Facts<'_>, rules: List<'_, RuleDraft>, lists: Lists<'_>) -> Checked {
    check(rules, lists, |reason, take| value::request::all(reason, facts, take))
}

/// Checks a campaign's rules on the impression.
pub fn check_imp(imp: &Imp<'_>, rules: List<'_, RuleDraft>, lists: Lists<'_>) -> Checked {
    check(rules, lists, |reason, take| value::imp::all(reason, imp, take))
}

/// Checks a campaign's rules on the object that a creative would fill.
pub fn check_spot(spot: &Spot<'_>, rules: List<'_, RuleDraft>) -> Checked {
    // These rules compare numbers, and lists hold only texts, so no lists are needed.
    check(rules, Lists::default(), |reason, take| value::spot::all(reason, spot, take))
}

/// `all` calls its second argument with each value of a dimension.
fn check(
    rules: List<'_, RuleDraft>,
    lists: Lists<'_>,
    all: impl Fn(NoBidReason, &mut dyn FnMut(Value<'_>)),
) -> Checked {
    for rule in rules.iter() {
        let reason = rule.reason();
        let mut is_found = false;
        all(reason, &mut |value| {
            is_found = is_found
                || match rule.side() {
                    Side::Exclude if is_mid_roll(reason, value) && rule.values().any(listed(reason, MID_ROLL)) => true,
                    Side::Include | Side::Exclude => {
                        rule.values().any(listed(reason, value))
                            || rule.lists().any(|list| is_in(lists, list, reason, value))
                    }
                    Side::Known => value.is_known(reason) && rule.values().all(|(_, cattax)| is_of(value, cattax)),
                };
        });
        require(is_found != (rule.side() == Side::Exclude), reason)?;
    }
    Ok(())
}

/// A start at a second of the content that is not known (AdCOM list "Start Delay Modes"). To exclude it excludes each second
/// of the content, but to include it includes none.
const MID_ROLL: Value<'_> = Value::Number(-1);

/// Whether the value is a start at a known second of the content.
fn is_mid_roll(reason: NoBidReason, value: Value<'_>) -> bool {
    reason == NoBidReason::Startdelay && matches!(value, Value::Number(1..))
}

/// Whether a list of a rule has a value. Lists hold texts only.
fn is_in(lists: Lists<'_>, (number, second): (u32, &str), reason: NoBidReason, value: Value<'_>) -> bool {
    match value {
        Value::Text(text) => lists.has(number, &Key::of(reason, text)),
        // Another rule may name the list for another taxonomy.
        Value::Category(cat, cattax) => {
            is(second, cattax) && lists.has(number, &Key { reason, a: cat.as_bytes(), b: second.as_bytes() })
        }
        Value::Number(_) | Value::Segment(..) => false,
    }
}

/// Whether a category is one of this taxonomy.
fn is_of(value: Value<'_>, cattax: &str) -> bool {
    !matches!(value, Value::Category(_, own) if !is(cattax, own))
}

/// A function that says whether a value of a rule equals this value of a request.
fn listed(reason: NoBidReason, value: Value<'_>) -> impl Fn((&str, &str)) -> bool {
    let folds = kind_of(reason).is_some_and(Kind::folds);
    let is_alike = move |own: &str, listed: &str| if folds { own.eq_ignore_ascii_case(listed) } else { own == listed };
    move |(first, second)| match value {
        Value::Text(text) => is_alike(text, first),
        Value::Number(number) => is(first, number),
        Value::Category(cat, cattax) => is_alike(cat, first) && is(second, cattax),
        Value::Segment(provider, id) => provider == first && id == second,
    }
}

/// Whether the digits of a rule mean this number.
fn is(digits: &str, number: i64) -> bool {
    digits.parse() == Ok(number)
}
