//! Checks that several parts of a document share, and entries of the document by their ids. A check adds a finding if a
//! value fails.

use crate::decode::{Finding, Rule, nearest};
use bidder_wasm::domain::{MAX_DOMAIN_BYTES, to_ascii};
use bidder_wasm::limits::MAX_FINDINGS;
use std::collections::HashMap;

pub(super) fn out_of_range(path: &str, message: String, findings: &mut Vec<Finding>) {
    findings.push(Finding::new(path.to_owned(), Rule::OutOfRange, message));
}

/// A domain in lower case and ASCII.
pub(super) fn ascii_domain(domain: &str) -> String {
    let mut ascii = String::new();
    to_ascii(domain, |c| ascii.push(c.to_ascii_lowercase()));
    ascii
}

/// Why a text matches no domain; `None` if it may match one.
pub(super) fn unmatched_domain(text: &str) -> Option<String> {
    let is_name = text.split('.').all(|label| !label.is_empty() && !label.contains(['/', ':', '@', '*']));
    if text.len() > MAX_DOMAIN_BYTES {
        Some(format!("{text:?} is too long for a domain; expected at most {MAX_DOMAIN_BYTES} bytes"))
    } else if !is_name || text.contains(char::is_whitespace) {
        Some(format!(
            "{text:?} matches no domain; expected only a name such as news.example, which includes its subdomains"
        ))
    } else {
        None
    }
}

/// Notes a domain with letters that requests hardly ever have.
pub(super) fn note_letters(domain: &str, path: &str, findings: &mut Vec<Finding>) {
    if !domain.is_ascii() {
        let message =
            format!("{domain:?} has other letters than a to z, which requests write as xn--…; expected this form");
        findings.push(Finding::new(path.to_owned(), Rule::Ambiguous, message));
    }
}

/// The entries of `list` must have different ids in their attribute `key`.
pub(super) fn unique_ids<'a>(list: &str, key: &str, ids: impl Iterator<Item = &'a str>, findings: &mut Vec<Finding>) {
    let mut sorted: Vec<(&str, usize)> = ids.enumerate().map(|(i, id)| (id, i)).collect();
    sorted.sort_unstable();
    for pair in sorted.windows(2) {
        if let [(a, first), (b, second)] = pair
            && a == b
            && !a.is_empty()
        {
            let message = format!("{a:?} is already used in {list}[{first}]; expected a unique {key}");
            out_of_range(&format!("{list}[{second}].{key}"), message, findings);
        }
    }
}

/// The message for a text that is none of `names`.
pub(super) fn unknown(text: &str, names: &[&str], expected: &str) -> String {
    format!("{text:?} is unknown; {}", suggestion(text, names.iter().copied(), expected, &[]))
}

/// `did you mean "x"?` if one of `names` is similar to `name`, else `expected …`.
pub(super) fn suggestion<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str>,
    expected: &str,
    findings: &[Finding],
) -> String {
    // A large catalog has many names, and nobody sees more findings than MAX_FINDINGS.
    let nearest = if findings.len() < MAX_FINDINGS { nearest(name, names) } else { None };
    nearest.map_or_else(|| format!("expected {expected}"), |nearest| format!("did you mean {nearest:?}?"))
}

/// The ids of the entries of a list.
pub(super) struct Names<'a> {
    places: HashMap<&'a str, u32>,
    /// The ids in the order of the document.
    names: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn of(names: impl Iterator<Item = Option<&'a str>> + Clone) -> Names<'a> {
        let places = names.clone().zip(0..).filter_map(|(name, place)| Some((name?, place))).collect();
        Names { places, names: names.flatten().collect() }
    }

    /// The places of the named entries. Adds a finding under `path` for each unknown name.
    pub(super) fn places<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        path: &str,
        expected: &str,
        findings: &mut Vec<Finding>,
    ) -> Vec<u32> {
        let place = |(i, name): (usize, &str)| {
            let place = self.places.get(name).copied();
            if place.is_none() {
                let suggestion = suggestion(name, self.names.iter().copied(), expected, findings);
                let message = format!("{name:?} does not exist; {suggestion}");
                findings.push(Finding::new(format!("{path}[{i}]"), Rule::Unknown, message));
            }
            place
        };
        names.enumerate().filter_map(place).collect()
    }
}
