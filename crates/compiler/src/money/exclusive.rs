//! Whether two conditions can never hold together, seen from the dimensions in which a request has one value.
//!
//! It may miss a pair that excludes each other, but never calls a pair exclusive that can hold together.

use std::collections::HashSet;

use base::domain::and_parents;
use base::limits::MAX_COMPARED_VALUES;
use catalog::{ConditionDraft, HoursDraft, RuleDraft, Side};
use reasons::kind::{Kind, is_single, kind_of};

/// Whether no bid can meet both conditions: in some dimension, each value that one of them includes is a value that the
/// other one refuses.
pub(crate) fn exclude_each_other(a: &ConditionDraft, b: &ConditionDraft) -> bool {
    let blocks = [(&a.request_rules, &b.request_rules), (&a.imp_rules, &b.imp_rules), (&a.spot_rules, &b.spot_rules)];
    let in_rules = blocks.iter().any(|(a, b)| refuses_all(a, b) || refuses_all(b, a));
    let in_bounds = || {
        a.bounds.iter().zip(&b.bounds).any(|(a, b)| {
            let years = a.yob.zip(b.yob).is_some_and(|(a, b)| a.1 < b.0 || b.1 < a.0);
            years || are_apart(&a.hours, &b.hours)
        })
    };
    in_rules || in_bounds()
}

/// Whether one of `wanted` includes only values that a rule of `others` refuses.
fn refuses_all(wanted: &[RuleDraft], others: &[RuleDraft]) -> bool {
    wanted.iter().filter(|rule| rule.side() == Side::Include && is_single(rule.reason())).any(|rule| {
        // An unknown value is refused, but which values are known says nothing about a listed value.
        let compared = |other: &&RuleDraft| other.reason() == rule.reason() && other.side() != Side::Known;
        let same = others.iter().filter(compared);
        let kind = kind_of(rule.reason());
        let is_domain = kind == Some(Kind::Domain);
        let fold = |text: &str| if kind.is_some_and(Kind::folds) { text.to_ascii_lowercase() } else { text.to_owned() };
        let is_short =
            |rule: &RuleDraft| rule.lists().next().is_none() && rule.values().nth(MAX_COMPARED_VALUES).is_none();
        let mut same = same.filter(|other| is_short(rule) && is_short(other)).peekable();
        let own: Vec<String> =
            same.peek().into_iter().flat_map(|_| rule.values()).map(|(value, _)| fold(value)).collect();
        same.any(|other| {
            let listed: HashSet<String> = other.values().map(|(value, _)| fold(value)).collect();
            // A domain includes its subdomains, so both rules match a subdomain of both.
            let is_within =
                |text: &str| listed.contains(text) || is_domain && and_parents(text).any(|up| listed.contains(up));
            if other.side() == Side::Exclude {
                return own.iter().all(|value| is_within(value));
            }
            let own_set: HashSet<&str> = own.iter().map(String::as_str).collect();
            let has_above = || listed.iter().any(|value| and_parents(value).any(|up| own_set.contains(up)));
            !(own.iter().any(|value| is_within(value)) || is_domain && has_above())
        })
    })
}

/// Whether both name hours of the same clock, and none in common.
fn are_apart(a: &HoursDraft, b: &HoursDraft) -> bool {
    !a.week.is_empty() && !b.week.is_empty() && a.zone == b.zone && !a.week.iter().any(|hour| b.week.contains(hour))
}
