//! What a decode has to say about a document: findings, and the place in the document where it is.
//!
//! Findings never change what is decoded.

use core::fmt;

use super::value::Value;
use bidder_wasm::limits::MAX_FINDINGS;

/// One deviation of a document from its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where, e.g. `imp[0].banner.w`; empty for the document itself.
    pub path: String,
    /// Which rule the document breaks.
    pub rule: Rule,
    /// What is wrong; expected what.
    pub message: String,
    /// The id of the entry of a list that the path leads into; empty where that has none, or is not known.
    pub of: String,
}

impl Finding {
    /// A finding of a check that comes after the decode.
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
    /// The object has no attribute of that name; its value is not looked at.
    UnknownAttribute,
    /// A value of another type whose meaning is plain; it is used.
    WrongType,
    /// A value whose meaning is not plain; it is ignored.
    Unreadable,
    /// A required attribute is absent or null.
    Missing,
    /// An attribute that occurs more than once; the last one counts.
    DuplicateKey,
    /// A value of the right type outside of what the attribute allows.
    OutOfRange,
    /// A name for something that does not exist.
    Unknown,
    /// A string that has to hold a JSON text and does not.
    NotJson,
    /// A URL without TLS; what has it is not shown where `secure` is 1.
    PlainHttp,
    /// A value that may mean more than one thing.
    Ambiguous,
    /// Two rules that say opposite things; one of them counts.
    Contradiction,
    /// An entry for which there is never a bid.
    NoBids,
    /// A bid that is longer alone than an SSP takes an answer; it is not made there.
    TooLong,
    /// A catalog without our id on the Global Vendor List; no consent string speaks of us.
    NotRegistered,
}

impl Rule {
    /// The name for machines, kebab-case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::UnknownAttribute => "unknown-attribute",
            Rule::WrongType => "wrong-type",
            Rule::Unreadable => "unreadable",
            Rule::Missing => "missing",
            Rule::DuplicateKey => "duplicate-key",
            Rule::OutOfRange => "out-of-range",
            Rule::Unknown => "unknown",
            Rule::NotJson => "not-json",
            Rule::PlainHttp => "plain-http",
            Rule::Ambiguous => "ambiguous",
            Rule::Contradiction => "contradiction",
            Rule::NoBids => "no-bids",
            Rule::TooLong => "too-long",
            Rule::NotRegistered => "not-registered",
        }
    }

    /// Whether a catalog with it can be used all the same.
    #[must_use]
    pub fn is_note(self) -> bool {
        use Rule::{Ambiguous, Contradiction, NoBids, NotRegistered, PlainHttp, TooLong};
        matches!(self, PlainHttp | TooLong | Ambiguous | Contradiction | NoBids | NotRegistered)
    }
}

/// Travels along with a decode: the path to the value at hand, and the findings so far.
#[derive(Debug, Default)]
pub struct Context {
    path: String,
    pub(super) findings: Vec<Finding>,
    pub(super) left_out: usize,
    /// Whether a finding refuses the document.
    pub(crate) refuses: bool,
}

impl Context {
    /// Reports on the value at hand. Beyond [`MAX_FINDINGS`] it only counts.
    pub fn report(&mut self, rule: Rule, message: fmt::Arguments<'_>) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding::new(self.path.clone(), rule, message.to_string()));
        } else {
            self.left_out += 1;
        }
    }

    /// Reports that the value at hand is of another type than expected and is used all the same.
    pub fn coerced(&mut self, value: &Value<'_>, expected: &str) {
        self.report(Rule::WrongType, format_args!("{value}; expected {expected}"));
    }

    /// Reports that the value at hand is ignored.
    pub fn ignored(&mut self, value: &Value<'_>, expected: &str) {
        let fate = self.fate();
        self.report(Rule::Unreadable, format_args!("{value}{fate}; expected {expected}"));
    }

    /// What a message says of a value that nothing is made of.
    pub(super) fn fate(&self) -> &'static str {
        if self.refuses { "" } else { ", ignored" }
    }

    /// Runs `decode` one attribute further down.
    pub fn at_attribute<R>(&mut self, name: &str, decode: impl FnOnce(&mut Context) -> R) -> R {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let result = decode(self);
        self.path.truncate(length);
        result
    }

    /// Runs `decode` inside the array at hand, at the item number `index` from 0.
    pub fn at_item<R>(&mut self, index: usize, decode: impl FnOnce(&mut Context) -> R) -> R {
        let length = self.path.len();
        self.path.push('[');
        self.path.push_str(&index.to_string());
        self.path.push(']');
        let result = decode(self);
        self.path.truncate(length);
        result
    }
}
