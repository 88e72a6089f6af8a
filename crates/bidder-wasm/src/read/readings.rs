//! What each reading of [`super::table`] takes: the JSON that the pass keeps, the type in protobuf, and its weight.

use super::rows::{Action, Wire};
use super::spec::Type;

/// A reading, as a row names it.
pub(super) struct Reading {
    pub(super) action: Action,
    pub(super) wire: Wire,
    /// How much one occurrence of an attribute adds to the count of values that
    /// [`MAX_VALUES`](crate::limits::MAX_VALUES) limits. Decimal numbers take several times the work of other values,
    /// lists twice the work.
    pub(super) weight: usize,
}

/// The reading with this name; `inner` is what it has in brackets. A name that is not listed reads a text.
pub(super) const fn reading(name: &str, inner: &str) -> Reading {
    let (action, wire, weight) = match name.as_bytes() {
        b"object" | b"object_ref" | b"nested" | b"nested_always" | b"flatten" | b"custom" => {
            (Action::Object, Wire::Message, 1)
        }
        b"list" | b"imps" | b"custom_list" | b"event_trackers" | b"segment_ids" => (Action::Objects, Wire::Messages, 1),
        b"required" => (Action::Value, reading(inner, "").wire, 2),
        b"texts" | b"codes" | b"domains" => (Action::Values, Wire::Texts, 2),
        b"currencies" => (Action::Values, Wire::Texts, 1),
        // A text in protobuf, but a list in some requests in JSON.
        b"text_array" => (Action::Values, Wire::Text, 1),
        b"integers" | b"dedupe" | b"sections" => (Action::Values, Wire::Integers, 2),
        b"integer" | b"int32_flag" => (Action::Value, Wire::Integer, 1),
        b"flag" | b"signal" => (Action::Value, Wire::Bool, 1),
        b"floor" | b"amount" => (Action::Value, Wire::Double, 8),
        b"decimal" | b"truncated" => (Action::Value, Wire::Double, 1),
        _ => (Action::Value, Wire::Text, 1),
    };
    Reading { action, wire, weight }
}

/// The type in the specification of what a reading reads; `inner` is what it has in brackets.
pub(super) const fn spec_type(name: &str, inner: &'static str) -> Type {
    match (name.as_bytes(), inner.as_bytes()) {
        (b"custom", b"NativeContent") => return Type::Native,
        (b"text_array", _) => return Type::Keywords,
        (b"int32_flag", _) => return Type::Flag,
        _ => {}
    }
    match reading(name, inner).wire {
        Wire::Message | Wire::Messages => Type::Object(inner),
        Wire::Integer | Wire::Integers => Type::Integer,
        Wire::Bool => Type::Flag,
        Wire::Double => Type::Number,
        Wire::Text | Wire::Texts => Type::Text,
    }
}

impl Wire {
    /// Whether an attribute is a list in the specification.
    pub(super) const fn is_list(self) -> bool {
        matches!(self, Wire::Texts | Wire::Integers | Wire::Messages)
    }
}
