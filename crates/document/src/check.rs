//! What checks of a document share: the position at which they add findings, references to entries by their ids, and
//! what domains must be like.

use crate::decode::{Finding, Rule, nearest};
use base::domain::{MAX_DOMAIN_BYTES, host, to_ascii};
use base::limits::MAX_FINDINGS;
use std::cell::{RefCell, RefMut};
use std::collections::HashMap;

/// A position in the document, at which checks add findings.
#[derive(Clone)]
pub struct At<'f> {
    path: String,
    findings: &'f RefCell<Vec<Finding>>,
}

impl<'f> At<'f> {
    /// The document itself.
    pub fn document(findings: &'f RefCell<Vec<Finding>>) -> At<'f> {
        At { path: String::new(), findings }
    }

    /// An attribute of the object at this position.
    #[must_use]
    pub fn attribute(&self, name: &str) -> At<'f> {
        let dot = if self.path.is_empty() { "" } else { "." };
        At { path: format!("{}{dot}{name}", self.path), ..*self }
    }

    /// An entry of the list at this position.
    #[must_use]
    pub fn entry(&self, position: usize) -> At<'f> {
        At { path: format!("{}[{position}]", self.path), ..*self }
    }

    /// An entry of the list `name` of the object at this position.
    #[must_use]
    pub fn item(&self, name: &str, position: usize) -> At<'f> {
        self.attribute(name).entry(position)
    }

    /// The path of this position.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// All findings so far.
    pub fn findings(&self) -> RefMut<'f, Vec<Finding>> {
        self.findings.borrow_mut()
    }

    /// Whether this position, or one within it, has a finding.
    pub fn is_found(&self) -> bool {
        self.findings.borrow().iter().any(|finding| {
            finding.path.strip_prefix(&self.path).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// Adds a finding.
    pub fn report(&self, rule: Rule, message: impl Into<String>) {
        self.findings().push(Finding::new(self.path.clone(), rule, message.into()));
    }

    /// Adds an error: the value is not allowed.
    pub fn error(&self, message: impl Into<String>) {
        self.report(Rule::OutOfRange, message);
    }

    /// Adds an error at each of these attributes that is given.
    pub fn refuse(&self, attributes: &[(&str, bool)], message: &str) {
        attributes.iter().filter(|(_, is_given)| *is_given).for_each(|(name, _)| self.attribute(name).error(message));
    }

    /// See [`suggestion`].
    pub fn suggestion<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>, expected: &str) -> String {
        suggestion(name, known, expected, &self.findings())
    }
}

/// A domain in lower case and ASCII.
pub fn ascii_domain(domain: &str) -> String {
    let mut ascii = String::new();
    to_ascii(domain, |c| ascii.push(c.to_ascii_lowercase()));
    ascii
}

/// Why a text matches no domain; `None` if it may match one.
pub fn unmatched_domain(text: &str) -> Option<String> {
    let is_name = text.split('.').all(is_label);
    if text.len() > MAX_DOMAIN_BYTES {
        Some(format!("{text:?} is too long for a domain; expected at most {MAX_DOMAIN_BYTES} bytes"))
    } else if text.contains([',', ';', '|']) {
        Some(format!("{text:?} matches no domain; expected each domain as an entry of its own"))
    } else if !is_name {
        let name = Some(host(text)).filter(|name| name.contains('.') && !name.contains('*')).unwrap_or("news.example");
        Some(format!("{text:?} matches no domain; expected only a name such as {name}, which includes its subdomains"))
    } else {
        None
    }
}

/// Whether a text may be a part of a domain. Requests also have names with `_`.
pub fn is_label(label: &str) -> bool {
    !label.is_empty() && label.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// The message for a text that is none of `names`.
pub fn unknown(text: &str, names: &[&str], expected: &str) -> String {
    format!("{text:?} is unknown; {}", suggestion(text, names.iter().copied(), expected, &[]))
}

/// `did you mean "x"?` if one of `names` is similar to `name`, else `expected …`.
pub fn suggestion<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str>,
    expected: &str,
    findings: &[Finding],
) -> String {
    // A large catalog has many names, and nobody sees more findings than MAX_FINDINGS.
    let nearest = if findings.len() < MAX_FINDINGS { nearest(name, names) } else { None };
    nearest.map_or_else(|| format!("expected {expected}"), |nearest| format!("did you mean {nearest:?}?"))
}

/// The entries of a list, by their ids. Of several with one id, the first counts.
pub struct Names<'a> {
    positions: HashMap<&'a str, u32>,
    /// The ids in the order of the document.
    ids: Vec<&'a str>,
    /// What a message says is expected, e.g. `an id in ssps`.
    expected: &'static str,
}

impl<'a> Names<'a> {
    /// The names of these entries.
    pub fn of<T>(entries: &'a [T], id: fn(&T) -> &str, expected: &'static str) -> Names<'a> {
        let ids: Vec<&str> = entries.iter().map(id).collect();
        let mut positions = HashMap::new();
        for (id, position) in ids.iter().zip(0..).filter(|(id, _)| !id.is_empty()) {
            positions.entry(*id).or_insert(position);
        }
        Names { positions, ids, expected }
    }

    /// The position of the entry with this id.
    pub fn get(&self, id: &str) -> Option<usize> {
        self.positions.get(id).and_then(|position| usize::try_from(*position).ok())
    }

    /// The position of the entry that is named at this position of the document. Adds a finding if there is none.
    pub fn position(&self, id: &str, at: &At<'_>) -> Option<u32> {
        let position = self.positions.get(id).copied();
        if position.is_none() {
            let suggestion = at.suggestion(id, self.ids.iter().copied(), self.expected);
            at.report(Rule::Unknown, format!("{id:?} does not exist; {suggestion}"));
        }
        position
    }

    /// The positions of the entries that the list at this position names. Adds a finding for each unknown name.
    pub fn positions<'n>(&self, ids: impl Iterator<Item = &'n str>, at: &At<'_>) -> Vec<u32> {
        ids.enumerate().filter_map(|(i, id)| self.position(id, &at.entry(i))).collect()
    }
}
