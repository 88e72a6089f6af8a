//! Checks the lists of the document: their ids and values, and whether a campaign uses them.

use std::collections::{HashMap, HashSet};

use super::check::{note_letters, out_of_range, unique_ids, unmatched_domain};
use super::dimensions::rules;
use super::document::{Document, ListEntry};
use super::target;
use crate::decode::{Finding, Rule};
use bidder_wasm::limits::{MAX_LISTED_VALUES, MAX_TEXT_BYTES};
use bidder_wasm::no_bid::NoBidReason;

pub(super) fn check(document: &Document, findings: &mut Vec<Finding>) {
    if document.lists.is_empty() {
        return;
    }
    unique_ids("lists", "id", document.lists.iter().map(|entry| entry.id.as_deref().unwrap_or_default()), findings);
    let all: usize = document.lists.iter().map(|entry| entry.values.len()).sum();
    if all > MAX_LISTED_VALUES {
        out_of_range("lists", format!("{all} values in all lists; expected at most {MAX_LISTED_VALUES}"), findings);
        return;
    }
    let uses = uses(document);
    for (i, entry) in document.lists.iter().enumerate() {
        let is_used = |reason: Option<NoBidReason>| {
            let id = entry.id.as_deref().unwrap_or_default();
            uses.iter().any(|(own, name)| name == id && reason.is_none_or(|reason| reason == *own))
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

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// The findings on a catalog with these lists, and a campaign with this target.
    fn findings(lists: &str, target: &str) -> Vec<String> {
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s"}}],"lists":[{lists}],
            "creatives":[{{"crid":"a","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
            "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"],"target":{{{target}}}}}]}}"#
        );
        let found = compile(document.as_bytes(), &[]).map_or_else(|errors| errors, |compiled| compiled.notes);
        found.iter().map(|finding| format!("{} {} {}", finding.path, finding.rule.as_str(), finding.message)).collect()
    }

    fn is_found(lists: &str, target: &str, expected: &[(&str, &str)]) {
        let found = findings(lists, target);
        assert_eq!(found.len(), expected.len(), "{lists} {target}: {found:?}");
        for (one, (start, part)) in found.iter().zip(expected) {
            assert!(one.starts_with(start) && one.contains(part), "{one}, not {start} {part}");
        }
    }

    #[test]
    fn values_that_match_nothing_are_refused() {
        let domains = r#""domain":{"exclude_lists":["a"]}"#;
        let long = format!(r#""{}.example""#, "a".repeat(250));
        for value in
            [r#""https://x.example""#, r#""x.example/a""#, r#""*.x.example""#, r#"".x.example""#, r#""x y""#, &long]
        {
            let list = format!(r#"{{"id":"a","values":["x.example",{value}]}}"#);
            is_found(&list, domains, &[("lists[0].values[1] out-of-range", "domain")]);
            is_found(&list, r#""city":{"exclude_lists":["a"]}"#, &[]);
        }
        is_found(r#"{"id":"a","values":["com","www.x.example"]}"#, domains, &[]);
        let letters = ("lists[0].values[0] ambiguous", "xn--");
        is_found(r#"{"id":"a","values":["bücher.example"]}"#, domains, &[letters]);
        is_found(r#"{"id":"a","values":["Köln"]}"#, r#""city":{"exclude_lists":["a"]}"#, &[]);
        is_found(r#"{"id":"a","values":["x.example",""]}"#, domains, &[("lists[0].values[1] out-of-range", "empty")]);
        is_found(r#"{"id":"a","values":[]}"#, domains, &[("lists[0].values out-of-range", "empty")]);
    }

    #[test]
    fn unknown_unused_and_repeated_names_are_found() {
        let list = r#"{"id":"brand-safety","values":["x.example"]}"#;
        let named = r#""domain":{"exclude_lists":["brand-safety"]}"#;
        is_found(list, named, &[]);
        let wrong = r#""domain":{"exclude":["y.example"],"exclude_lists":["brand-safety","brand-safty"]}"#;
        is_found(
            list,
            wrong,
            &[("campaigns[0].target.domain.exclude_lists[1] unknown", r#"did you mean "brand-safety"?"#)],
        );
        is_found(list, "", &[("lists[0] no-bids", "no campaign uses it")]);
        is_found(&format!("{list},{list}"), named, &[("lists[1].id out-of-range", "already used")]);
        let twice = r#"{"id":"a","values":["x.example","y.example","x.example"]}"#;
        is_found(twice, r#""domain":{"exclude_lists":["a"]}"#, &[("lists[0].values[2] repeated", "at [0]")]);
        let both = r#""domain":{"include_lists":["a"],"exclude_lists":["a"]}"#;
        is_found(
            r#"{"id":"a","values":["x"]}"#,
            both,
            &[("campaigns[0].target.domain no-bids", "every included list")],
        );
        let matched = r#""eids":{"include_lists":["a"]},"mm":{"include":[3]}"#;
        is_found(r#"{"id":"a","values":["x"]}"#, matched, &[("campaigns[0].target.eids out-of-range", "beside mm")]);
    }
}
