//! What the values of an attribute must be like. `object!` declares it, e.g. `where within(1, 100)`, and the reader
//! checks it.
//!
//! A value that is not allowed is a finding, and is kept, so that no other check takes it for missing.

use super::finding::{Context, Rule};

/// Which values an attribute may have, and how many if it is a list.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    values: Values,
    least: usize,
    most: usize,
    is_unique: bool,
    pub(super) kind: Option<TextKind>,
}

/// What a text is that browsers, players or exchanges get. All such texts are declared, so that checks of texts need no
/// list of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A URL that is called or opened when the ad is shown.
    Url,
    /// A text that is the same for all requests: a URL that only the exchange opens, before it shows any ad, or the
    /// parameters of a measuring script.
    Fixed,
    /// HTML.
    Markup,
    /// A VAST or DAAST document.
    Vast,
    /// Words that people read in a native ad.
    Words,
}

#[derive(Debug, Clone, Copy)]
enum Values {
    All,
    /// Integers, both ends included.
    Within(i64, i64),
    /// Texts that a function allows, and what a message says is expected.
    Text(fn(&str) -> bool, &'static str),
    /// Texts of which a function says what is wrong and what is expected.
    Explained(fn(&str) -> Result<(), String>),
}

/// All values.
pub const ANY: Limit = Limit { values: Values::All, least: 0, most: usize::MAX, is_unique: false, kind: None };

/// Integers above 0.
pub const POSITIVE: Limit = within(1, i64::MAX);

/// Integers from `least` to `most`.
#[must_use]
pub const fn within(least: i64, most: i64) -> Limit {
    Limit { values: Values::Within(least, most), ..ANY }
}

/// Texts that `allows` takes. A message says that `expected` is expected.
#[must_use]
pub const fn text(allows: fn(&str) -> bool, expected: &'static str) -> Limit {
    Limit { values: Values::Text(allows, expected), ..ANY }
}

/// Texts that `check` takes, or of which it says what is wrong.
#[must_use]
pub const fn explained(check: fn(&str) -> Result<(), String>) -> Limit {
    Limit { values: Values::Explained(check), ..ANY }
}

impl Limit {
    /// At least one item.
    #[must_use]
    pub const fn some(self) -> Limit {
        Limit { least: 1, ..self }
    }

    /// At most so many items.
    #[must_use]
    pub const fn most(self, most: usize) -> Limit {
        Limit { most, ..self }
    }

    /// A text that no other entry of the list has in this attribute.
    #[must_use]
    pub const fn unique(self) -> Limit {
        Limit { is_unique: true, ..self }
    }

    /// A text of this kind.
    #[must_use]
    pub const fn of(self, kind: TextKind) -> Limit {
        Limit { kind: Some(kind), ..self }
    }

    /// Adds a finding if a list has too few or too many items.
    pub(super) fn check_length(&self, length: usize, cx: &mut Context) {
        if length < self.least {
            cx.report(Rule::OutOfRange, format_args!("empty; expected at least one entry"));
        } else if length > self.most {
            cx.report(Rule::OutOfRange, format_args!("{length} entries; expected at most {}", self.most));
        }
    }

    pub(super) fn check_integer(&self, number: i64, cx: &mut Context) {
        let Values::Within(least, most) = self.values else { return };
        if (least..=most).contains(&number) {
            return;
        }
        match (least, most) {
            (1, i64::MAX) => cx.report(Rule::OutOfRange, format_args!("{number}; expected a positive number")),
            _ => cx.report(Rule::OutOfRange, format_args!("{number}; expected {least} to {most}")),
        }
    }

    pub(super) fn check_text(&self, text: &str, cx: &mut Context) {
        if self.is_unique {
            cx.check_unique(text);
        }
        match self.values {
            Values::Text(allows, expected) if !allows(text) => {
                cx.report(Rule::OutOfRange, format_args!("{text:?}; expected {expected}"));
            }
            Values::Explained(check) => {
                if let Err(message) = check(text) {
                    cx.report(Rule::OutOfRange, format_args!("{text:?} {message}"));
                }
            }
            _ => {}
        }
    }
}
