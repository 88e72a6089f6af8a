//! Checks the lists of the document: their ids and values, and whether a campaign uses them.

use std::collections::{HashMap, HashSet};

use super::dimensions::rules;
use super::target;
use crate::compile::check::{note_letters, out_of_range, unmatched_domain};
use crate::compile::document::{Document, ListEntry};
use crate::decode::{Finding, Rule};
use bidder_wasm::limits::{MAX_LISTED_VALUES, MAX_TEXT_BYTES};
use bidder_wasm::no_bid::NoBidReason;

pub(crate) fn check(document: &Document, findings: &mut Vec<Finding>) {
    if document.lists.is_empty() {
        return;
    }
    let all: usize = document.lists.iter().map(|entry| entry.values.len()).sum();
    if all > MAX_LISTED_VALUES {
        out_of_range("lists", format!("{all} values in all lists; expected at most {MAX_LISTED_VALUES}"), findings);
        return;
    }
    let uses = uses(document);
    for (i, entry) in document.lists.iter().enumerate() {
        let is_used = |reason: Option<NoBidReason>| {
            uses.iter().any(|(own, name)| *name == entry.id && reason.is_none_or(|reason| reason == *own))
        };
        values(entry, is_used(Some(NoBidReason::Domain)), &format!("lists[{i}].values"), findings);
        if !is_used(None) {
            let message = "no campaign uses it; expected its id in include_lists or exclude_lists of a target";
            findings.push(Finding::new(format!("lists[{i}]"), Rule::NoBids, message.to_owned()));
        }
    }
}

/// The lists that campaigns name, each with the dimension.
fn uses(document: &Document) -> HashSet<(NoBidReason, String)> {
    let targets = document.campaigns.iter().enumerate().flat_map(|(i, campaign)| target::all(campaign, i));
    let of = |rule: &super::dimensions::Rule| rule.lists().map(|name| (rule.reason, name.clone())).collect::<Vec<_>>();
    targets.flat_map(|(_, target)| rules(target).all().flat_map(of).collect::<Vec<_>>()).collect()
}

/// Reports values that match nothing, and notes values that the list has twice.
fn values(entry: &ListEntry, has_domains: bool, path: &str, findings: &mut Vec<Finding>) {
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
            out_of_range(&format!("{path}[{i}]"), message, findings);
        } else if has_domains {
            note_letters(value, &format!("{path}[{i}]"), findings);
        }
        let first = *places.entry(value).or_insert(i);
        if first != i {
            let message = format!("{value:?} is in this list already, at [{first}]; expected it once");
            findings.push(Finding::new(format!("{path}[{i}]"), Rule::Repeated, message));
        }
    }
}
