//! A JSON value as a decode meets it: scalars at hand, arrays and objects still to be read.
//!
//! This is the one narrow place between a source of values (a text, or a tree that is already in
//! memory) and the types that read them. It is not generic, so that a type costs no second copy of
//! the parser.

use core::fmt;

use super::finding::Context;

/// One value. An array or object that nobody reads is skipped by its source.
pub enum Value<'v> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written as a plain integer that fits.
    Integer(i64),
    /// Any other number: its exact text.
    Decimal(String),
    /// A string.
    Text(String),
    /// An array.
    Array(&'v mut dyn Items),
    /// An object.
    Object(&'v mut dyn Members),
}

/// What reads the items of an array.
pub type ItemSink<'s> = dyn FnMut(Value<'_>, &mut Context) + 's;

/// What reads the members of an object, each with its name.
pub type MemberSink<'s> = dyn FnMut(&str, Value<'_>, &mut Context) + 's;

/// An array that has not been read.
pub trait Items {
    /// Hands every item to `sink`, in order. A second call finds none.
    fn each(&mut self, cx: &mut Context, sink: &mut ItemSink<'_>);
}

/// An object that has not been read.
pub trait Members {
    /// Hands every member to `sink`, in order, duplicates too. A second call finds none.
    fn each(&mut self, cx: &mut Context, sink: &mut MemberSink<'_>);
}

/// Most characters of a string that a message repeats.
const SHOWN: usize = 40;

/// As messages name it: `the string "abc"`, `the number 5`, `true`, `an array`.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Integer(number) => write!(f, "the number {number}"),
            Value::Decimal(number) => write!(f, "the number {}", clip(number)),
            Value::Text(text) if clip(text).len() < text.len() => write!(f, "the string {:?}...", clip(text)),
            Value::Text(text) => write!(f, "the string {text:?}"),
            Value::Array(_) => f.write_str("an array"),
            Value::Object(_) => f.write_str("an object"),
        }
    }
}

fn clip(text: &str) -> &str {
    text.char_indices().nth(SHOWN).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}
