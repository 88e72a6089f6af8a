//! A JSON value while it is decoded: scalars are in memory, arrays and objects are not read yet.
//!
//! It connects a source of values (a text, or a tree in memory) with the types that read them. It is not generic, so
//! the module contains only one copy of the parser.

use core::fmt;

use super::finding::Context;

/// One value. The source skips an array or object that is not read.
pub enum Value<'v> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written as an integer that fits into 64 bits.
    Integer(i64),
    /// The exact text of any other number.
    Decimal(String),
    /// A string.
    Text(String),
    /// An array.
    Array(&'v mut dyn Items),
    /// An object.
    Object(&'v mut dyn Members),
}

/// Receives the items of an array.
pub type ItemSink<'s> = dyn FnMut(Value<'_>, &mut Context) + 's;

/// Receives the members of an object with their names.
pub type MemberSink<'s> = dyn FnMut(&str, Value<'_>, &mut Context) + 's;

/// An array that has not been read.
pub trait Items {
    /// Passes every item to `sink`, in order. A second call passes none.
    fn each(&mut self, cx: &mut Context, sink: &mut ItemSink<'_>);
}

/// An object that has not been read.
pub trait Members {
    /// Passes every member to `sink`, in order, with duplicates. A second call passes none.
    fn each(&mut self, cx: &mut Context, sink: &mut MemberSink<'_>);
}

/// The most characters of a string that a message shows.
const SHOWN: usize = 40;

/// The value in a message: `the string "abc"`, `the number 5`, `true`, `an array`.
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
