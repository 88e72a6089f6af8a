//! Checks the lists of the document: their ids and values, and whether a campaign uses them.

use std::collections::{BTreeSet, HashMap, HashSet};

use base::limits::{MAX_INDEXED_VALUES, MAX_LISTED_VALUES, MAX_TEXT_BYTES};
use catalog::RuleDraft;
use document::check::{At, unmatched_domain};
use document::decode::Rule;
use document::{Document, ListEntry};
use reasons::no_bid::NoBidReason;

/// Checks all lists. `rules` are those of all campaigns and of their multipliers. Lists of addresses are checked by
/// [`super::addresses`], and do not count here unless another attribute uses them too. Returns the lists for the index: none if
/// they are too many, so that a refused catalog takes no longer than another.
pub(crate) fn check<'d, 'r>(
    document: &'d Document,
    rules: impl Iterator<Item = &'r RuleDraft>,
    of_addresses: &BTreeSet<&str>,
    at: &At<'_>,
) -> &'d [ListEntry] {
    let entry_of = |list| document.lists.get(usize::try_from(list).ok()?);
    let indexed: HashSet<_> =
        rules.flat_map(|rule| rule.lists().map(|(list, second)| (rule.reason(), list, second))).collect();
    let named = indexed.iter().filter_map(|(reason, list, _)| Some((*reason, entry_of(*list)?.id.as_str())));
    let uses: HashSet<(NoBidReason, &str)> = named.collect();
    let named: HashSet<&str> = uses.iter().map(|(_, id)| *id).collect();
    let has_addresses = |entry: &&ListEntry| of_addresses.contains(entry.id.as_str()) && !named.contains(&*entry.id);
    let others = document.lists.iter().filter(|entry| !has_addresses(entry));
    let all: usize = others.map(|entry| entry.values.len()).sum();
    if all > MAX_LISTED_VALUES {
        at.attribute("lists").error(format!("{all} values in all lists; expected at most {MAX_LISTED_VALUES}"));
        return &[];
    }
    let all: usize = indexed.iter().filter_map(|(_, list, _)| Some(entry_of(*list)?.values.len())).sum();
    if all > MAX_INDEXED_VALUES {
        let message = format!(
            "{all} values, where each list counts once for each attribute that uses it; expected at most {MAX_INDEXED_VALUES}"
        );
        at.attribute("lists").error(message);
        return &[];
    }
    for (i, entry) in document.lists.iter().enumerate() {
        let at = at.item("lists", i);
        if has_addresses(&entry) {
            continue;
        }
        check_values(entry, uses.contains(&(NoBidReason::Domain, &entry.id)), &at.attribute("values"));
        if !named.contains(&*entry.id) {
            let message = "no campaign uses it; expected its id in include_lists or exclude_lists of a target";
            at.report(Rule::NoBids, message);
        }
    }
    &document.lists
}

/// Reports values that match nothing, and notes values that the list has twice.
fn check_values(entry: &ListEntry, has_domains: bool, at: &At<'_>) {
    let mut positions: HashMap<&str, usize> = HashMap::with_capacity(entry.values.len());
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
        let first = *positions.entry(value).or_insert(i);
        if first != i {
            let message = format!("{value:?} is in this list already, at [{first}]; expected it once");
            at.entry(i).report(Rule::Repeated, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{found, right};
    use base::limits::MAX_INDEXED_VALUES;
    use serde_json::{Map, Value, json};

    #[test]
    fn a_list_counts_once_for_each_attribute_that_uses_it() {
        let values: Vec<String> = (0..MAX_INDEXED_VALUES / 8).map(|n| format!("v{n}.example")).collect();
        let refused = |attributes: &[&str]| {
            let mut document = right();
            document["lists"] = json!([{"id": "l", "values": values}]);
            let rule = json!({"include_lists": ["l"]});
            let target: Map<String, Value> = attributes.iter().map(|name| ((*name).to_owned(), rule.clone())).collect();
            let bids: Vec<Value> = (0..4).map(|_| json!({"when": target, "times": "1.1"})).collect();
            document["campaigns"][0]["bids"] = json!(bids);
            found(&document)
                .into_iter()
                .any(|finding| finding.path == "lists" && finding.message.contains("counts once"))
        };
        assert!(!refused(&["domain", "bundle", "city"]));
        assert!(refused(&["domain", "bundle", "city", "zip", "keywords", "region", "metro", "make", "model"]));
    }
}
