//! Findings on a document, and the context that collects them while the document is decoded.
//!
//! Findings never change the decoded value.

use core::fmt::{self, Write as _};
use std::collections::HashMap;

use super::json::Json;
use base::limits::MAX_FINDINGS;

/// One error or note on a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The position in the document, e.g. `imp[0].banner.w`. Empty for the document itself.
    pub path: String,
    /// The rule that the document breaks.
    pub rule: Rule,
    /// What is wrong, and what was expected.
    pub message: String,
    /// The id of the entry that the path leads into, e.g. the `cid` of a campaign. Empty if there is none.
    pub of: String,
}

impl Finding {
    /// A finding without the id of an entry.
    #[must_use]
    pub fn new(path: String, rule: Rule, message: String) -> Finding {
        Finding { path, rule, message, of: String::new() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// The rules that a finding can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The object has no attribute with this name. Its value is skipped.
    UnknownAttribute,
    /// The value has another type, but its meaning is clear. It is used.
    WrongType,
    /// The meaning of the value is not clear. It is ignored.
    Unreadable,
    /// A required attribute is absent or `null`.
    Missing,
    /// The attribute occurs more than once. The last one counts.
    DuplicateKey,
    /// The value has the right type, but the attribute does not allow it.
    OutOfRange,
    /// A name refers to something that does not exist.
    Unknown,
    /// The text, or a string that must contain JSON, is not JSON.
    NotJson,
    /// A URL without TLS. Impressions with `secure` 1 do not take it. This rule and those below are notes.
    PlainHttp,
    /// The value can mean more than one thing.
    Ambiguous,
    /// The value is in the list already.
    Repeated,
    /// Two rules contradict each other. One of them counts.
    Contradiction,
    /// The entry never leads to a bid.
    NoBids,
    /// A bid alone is longer than the `max_response_bytes` of an SSP. The SSP never gets it.
    TooLong,
    /// The catalog has no id on the Global Vendor List, so no consent string can name us.
    NotRegistered,
    /// No billing notice of the campaign's impressions reaches edgebid.
    Unbilled,
    /// The SSP's profile needs an attribute that only the buyer knows, and the record does not name it.
    Incomplete,
}

impl Rule {
    /// Whether a catalog with such a finding can be used.
    #[must_use]
    pub fn is_note(self) -> bool {
        self >= Rule::PlainHttp
    }
}

/// The name in JSON, in kebab-case.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, letter) in format!("{self:?}").char_indices() {
            let hyphen = if position > 0 && letter.is_ascii_uppercase() { "-" } else { "" };
            write!(f, "{hyphen}{}", letter.to_ascii_lowercase())?;
        }
        Ok(())
    }
}

/// The state of a decode: the path of the current value, and the findings so far.
#[derive(Debug, Default)]
pub struct Context {
    path: String,
    pub(super) findings: Vec<Finding>,
    pub(super) left_out: usize,
    /// The texts that must be unique, each with its list, and the position of the first entry that has it.
    unique: HashMap<(String, String), usize>,
    /// Whether a finding refuses the document. Messages then do not say that an unreadable value is ignored.
    pub refuses: bool,
}

impl Context {
    /// Adds a finding on the current value. After [`MAX_FINDINGS`], findings are only counted.
    pub fn report(&mut self, rule: Rule, message: fmt::Arguments<'_>) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding::new(self.path.clone(), rule, message.to_string()));
        } else {
            self.left_out += 1;
        }
    }

    /// Reports that the current value has another type than expected and is used.
    pub fn coerced(&mut self, value: &Json, expected: &str) {
        self.report(Rule::WrongType, format_args!("{value}; expected {expected}"));
    }

    /// Reports that the current value is ignored: it is read as `None`.
    pub fn ignored<T>(&mut self, value: &Json, expected: &str) -> Option<T> {
        let consequence = self.consequence();
        self.report(Rule::Unreadable, format_args!("{value}{consequence}; expected {expected}"));
        None
    }

    /// Adds a finding if another entry of the list has this text in the current attribute.
    pub(super) fn check_unique(&mut self, text: &str) {
        let path = self.path.clone();
        let Some((list, (position, key))) =
            path.rsplit_once('[').and_then(|(list, rest)| Some((list, rest.split_once("].")?)))
        else {
            return;
        };
        let position = position.parse().unwrap_or_default();
        let first = *self.unique.entry((list.to_owned(), text.to_owned())).or_insert(position);
        if first != position && !text.is_empty() {
            let message = format_args!("{text:?} is already used in {list}[{first}]; expected a unique {key}");
            self.report(Rule::OutOfRange, message);
        }
    }

    /// What a message says about the use of an unreadable value.
    pub(super) fn consequence(&self) -> &'static str {
        if self.refuses { "" } else { ", ignored" }
    }

    /// Runs `decode` with the attribute `name` added to the path.
    pub fn at_attribute<R>(&mut self, name: &str, decode: impl FnOnce(&mut Context) -> R) -> R {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.at(format_args!("{dot}{name}"), decode)
    }

    /// Runs `decode` with the item number `index`, from 0, added to the path.
    pub fn at_item<R>(&mut self, index: usize, decode: impl FnOnce(&mut Context) -> R) -> R {
        self.at(format_args!("[{index}]"), decode)
    }

    fn at<R>(&mut self, part: fmt::Arguments<'_>, decode: impl FnOnce(&mut Context) -> R) -> R {
        let length = self.path.len();
        // Writing into a `String` cannot fail.
        let _ = self.path.write_fmt(part);
        let result = decode(self);
        self.path.truncate(length);
        result
    }
}
