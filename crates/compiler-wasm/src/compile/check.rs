//! Checks that several parts of a document share. A check adds a finding if a value fails.

use crate::decode::{Finding, Rule, nearest};
use bidder_wasm::domain::{MAX_DOMAIN_BYTES, to_ascii};
use bidder_wasm::limits::MAX_FINDINGS;

pub(super) fn out_of_range(path: &str, message: String, findings: &mut Vec<Finding>) {
    findings.push(Finding::new(path.to_owned(), Rule::OutOfRange, message));
}

/// The value must be above 0.
pub(super) fn positive(value: i64, path: &str, findings: &mut Vec<Finding>) {
    if value <= 0 {
        out_of_range(path, format!("{value}; expected a positive number"), findings);
    }
}

/// The URL must be absolute, http or https, without spaces and control characters.
pub(super) fn url(url: Option<&str>, path: &str, findings: &mut Vec<Finding>) {
    let Some(url) = url else { return };
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let ok = host.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        && !url.chars().any(|c| c.is_whitespace() || c.is_control());
    if !ok {
        out_of_range(path, format!("{url:?} is not an absolute URL; expected https://…"), findings);
    }
}

/// The domain must have no scheme, port or path. Returns it in lower case and ASCII.
pub(super) fn bare_domain(domain: &str, path: &str, findings: &mut Vec<Finding>) -> String {
    let mut labels = domain.split('.');
    let plausible = domain.contains('.')
        && domain.len() <= MAX_DOMAIN_BYTES
        && labels.all(|label| !label.is_empty() && !label.contains(['/', ':', ' ', '@']));
    if !plausible {
        out_of_range(path, format!("{domain:?} is not a bare domain; expected a domain such as ford.com"), findings);
    }
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

/// The entries of `list` must have ids in their attribute `key`, all different.
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
        } else if let [_, ("", i)] = pair {
            out_of_range(&format!("{list}[{i}].{key}"), format!("empty; expected a unique {key}"), findings);
        }
    }
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
