//! Decodes JSON into typed objects and reports every deviation from the types as a finding.
//!
//! [`quote_decimals`] first refuses texts that are not JSON; serde-json-wasm then reads the text into types declared by
//! `object!`. An unreadable value leaves its attribute absent. There are no floats, and no limits except on depth: the
//! caller limits the length of the text.

mod attribute;
mod finding;
mod inherit;
mod json;
mod limit;
mod nearest;
mod number;
mod object;
mod quote;
mod stream;
mod value;

pub use attribute::{Attribute, Decimal, Field, Flag, each_item};
pub use finding::{Context, Finding, Rule};
pub use inherit::{Given, Inherits, place_of};
pub use json::{Json, JsonObject};
pub use limit::{ANY, Limit, POSITIVE, explained, text, within};
pub(crate) use nearest::{distance, nearest};
pub(crate) use object::object;
pub use object::{AttributeName, Object, Slot, check_one_of, read_object};
pub use quote::{DECIMAL_MARK, JsonError, quote_decimals};
pub use value::{ItemSink, Items, MemberSink, Members, Value};

/// The message for a text that [`has_mark`].
pub(crate) const MARKED: &str = "not JSON: it starts with a byte order mark (U+FEFF), which some editors write; expected UTF-8 without a byte order mark";

/// Whether a text starts with a byte order mark, which RFC 8259 §8.1 forbids.
pub(crate) fn has_mark(text: &[u8]) -> bool {
    text.starts_with("\u{feff}".as_bytes())
}

/// A decoded document and the findings on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<T> {
    /// `None` if the document is JSON, but does not have the type `T`.
    pub value: Option<T>,
    /// The first [`bidder_wasm::limits::MAX_FINDINGS`] findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The number of findings that are not in `findings`.
    pub findings_left_out: usize,
}

/// Decodes a JSON text. Fails only if it is not JSON or nested deeper than [`bidder_wasm::limits::MAX_DEPTH`].
pub fn from_json<T: Attribute>(text: &[u8]) -> Result<Decoded<T>, JsonError> {
    let quoted = quote_decimals(text)?;
    // Cannot fail: `quote_decimals` has refused everything that serde-json-wasm would refuse.
    let root: stream::Root<T> =
        serde_json_wasm::from_slice(&quoted).map_err(|_| JsonError { at: text.len(), expected: "a JSON text" })?;
    Ok(Decoded { value: root.value, findings: root.cx.findings, findings_left_out: root.cx.left_out })
}

#[cfg(test)]
mod tests;
