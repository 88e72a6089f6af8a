//! What each reading of [`super::table`] takes: the JSON that the pass keeps, the types in protobuf and in the
//! specification, and its weight.

use super::rows::{Action, ProtobufType};
use super::types::Type;

/// A reading, as a row names it.
pub(super) struct Reading {
    pub(super) action: Action,
    pub(super) protobuf: ProtobufType,
    /// The type in the specification; [`Type::Anything`] for objects of a kind.
    pub(super) of: Type,
    /// How much one occurrence of an attribute adds to the count of values that
    /// [`MAX_VALUES`](base::limits::MAX_VALUES) limits. Decimal numbers take several times the work of other values,
    /// lists twice the work.
    pub(super) weight: usize,
}

/// The reading with this name; `inner` is what it has in brackets. A name that is not listed reads a text.
pub(super) const fn reading(name: &str, inner: &'static str) -> Reading {
    use Action::{Object, Objects, Value, Values, Whole};
    use ProtobufType::{Bool, Double, Integer, Integers, Message, Messages, Text, Texts};
    let (action, protobuf, of, weight) = match name.as_bytes() {
        b"required" => return Reading { weight: 2, ..reading(inner, "") },
        b"optional" => return reading(inner, ""),
        b"custom" if matches!(inner.as_bytes(), b"NativeContent") => (Object, Message, Type::Native, 1),
        b"object" | b"object_ref" | b"chain" | b"nested" | b"nested_always" | b"flatten" | b"custom" => {
            (Object, Message, Type::Anything, 1)
        }
        b"whole" => (Whole, Message, Type::Anything, 1),
        b"list" | b"joined" | b"imps" | b"custom_list" | b"event_trackers" | b"segment_ids" => {
            (Objects, Messages, Type::Anything, 1)
        }
        b"texts" | b"codes" | b"domains" => (Values, Texts, Type::Text, 2),
        b"currencies" => (Values, Texts, Type::Text, 1),
        // A text in protobuf, but a list in some requests in JSON.
        b"text_array" => (Values, Text, Type::Keywords, 1),
        b"integers" | b"dedupe" | b"sections" => (Values, Integers, Type::Integer, 2),
        b"integer" | b"untracked" | b"taxonomy" => (Value, Integer, Type::Integer, 1),
        b"int32_flag" => (Value, Integer, Type::Flag, 1),
        b"flag" | b"signal" => (Value, Bool, Type::Flag, 1),
        b"floor" | b"amount" => (Value, Double, Type::Number, 8),
        b"decimal" | b"truncated" => (Value, Double, Type::Number, 1),
        _ => (Value, Text, Type::Text, 1),
    };
    Reading { action, protobuf, of, weight }
}
