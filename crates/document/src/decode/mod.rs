//! Decodes JSON into typed objects and reports every deviation from the types as a finding.
//!
//! A text that is not JSON is refused. The others become a tree, from which the types declared by `object!` are read. An
//! unreadable value leaves its attribute absent. There are no floats, and no limits except on depth: the caller limits
//! the length of the text.

mod attribute;
mod declare;
mod finding;
mod given;
mod inherit;
mod json;
mod limit;
mod nearest;
mod object;
mod syntax;

pub use attribute::{Attribute, Decimal, Field, Flag, VisitText, each_item};
pub use finding::{Context, Finding, Rule};
pub use given::Given;
pub use inherit::{Inherits, position_of};
pub use json::{Json, JsonObject};
pub use limit::{ANY, Limit, POSITIVE, TextKind, explained, text, within};
pub use nearest::{distance, nearest};
pub use object::{AttributeName, Object, Slot, read_object};
pub use syntax::JsonError;

/// The message for a text that [`has_mark`].
pub const MARKED: &str = "not JSON: it starts with a byte order mark (U+FEFF), which some editors write; expected UTF-8 without a byte order mark";

/// Whether a text starts with a byte order mark, which RFC 8259 §8.1 forbids.
pub fn has_mark(text: &[u8]) -> bool {
    text.starts_with("\u{feff}".as_bytes())
}

/// A decoded document and the findings on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<T> {
    /// `None` if the document is JSON, but does not have the type `T`.
    pub value: Option<T>,
    /// The first [`base::limits::MAX_FINDINGS`] findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The number of findings that are not in `findings`.
    pub findings_left_out: usize,
}

/// Decodes a JSON text. Fails only if it is not JSON or nested deeper than [`base::limits::MAX_DEPTH`].
pub fn from_json<T: Attribute>(text: &[u8]) -> Result<Decoded<T>, JsonError> {
    let tree = syntax::read(text)?;
    let mut cx = Context::default();
    let value = T::decode(tree, &mut cx);
    Ok(Decoded { value, findings: cx.findings, findings_left_out: cx.left_out })
}

#[cfg(test)]
mod tests;
