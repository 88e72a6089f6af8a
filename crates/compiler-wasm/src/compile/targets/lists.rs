//! Checks the lists of the document: their ids and values, and whether a campaign uses them.

use std::collections::{HashMap, HashSet};

use crate::compile::check::{At, unmatched_domain};
use crate::compile::document::{Document, ListEntry};
use crate::decode::Rule;
use bidder_wasm::catalog::RuleDraft;
use bidder_wasm::limits::{MAX_LISTED_VALUES, MAX_TEXT_BYTES};
use bidder_wasm::no_bid::NoBidReason;

/// Checks all lists. `rules` are those of all campaigns and of their multipliers.
pub(crate) fn check<'r>(document: &Document, rules: impl Iterator<Item = &'r RuleDraft>, at: &At<'_>) {
    let all: usize = document.lists.iter().map(|entry| entry.values.len()).sum();
    if all > MAX_LISTED_VALUES {
        let message = format!("{all} values in all lists; expected at most {MAX_LISTED_VALUES}");
        return at.attribute("lists").error(message);
    }
    let place = |place| usize::try_from(place).ok();
    let named = rules.flat_map(|rule| rule.lists().map(|(list, _)| (rule.reason(), list)));
    let named = named.filter_map(|(reason, list)| Some((reason, document.lists.get(place(list)?)?.id.as_str())));
    let uses: HashSet<(NoBidReason, &str)> = named.collect();
    for (i, entry) in document.lists.iter().enumerate() {
        let at = at.item("lists", i);
        check_values(entry, uses.contains(&(NoBidReason::Domain, &entry.id)), &at.attribute("values"));
        if !uses.iter().any(|(_, id)| *id == entry.id) {
            let message = "no campaign uses it; expected its id in include_lists or exclude_lists of a target";
            at.report(Rule::NoBids, message);
        }
    }
}

/// Reports values that match nothing, and notes values that the list has twice.
fn check_values(entry: &ListEntry, has_domains: bool, at: &At<'_>) {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(entry.values.len());
    for (i, value) in entry.values.iter().enumerate() {
        let wrong = match value.len() {
            0 => Some("empty; expected a value".to_owned()),
            long if long > MAX_TEXT_BYTES => {
                Some(format!("{long} bytes, so it matches nothing; expected at most {MAX_TEXT_BYTES}"))
            }
            _ => unmatched_domain(value).filter(|_| has_domains),
        };
        if let Some(message) = wrong {
            at.entry(i).error(message);
        } else if has_domains && !value.is_ascii() {
            let message =
                format!("{value:?} has other letters than a to z, which requests write as xn--…; expected this form");
            at.entry(i).report(Rule::Ambiguous, message);
        }
        let first = *places.entry(value).or_insert(i);
        if first != i {
            let message = format!("{value:?} is in this list already, at [{first}]; expected it once");
            at.entry(i).report(Rule::Repeated, message);
        }
    }
}
