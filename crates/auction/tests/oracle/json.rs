//! Reads and makes JSON values. A path names an attribute: `device/geo/country`.

use serde_json::{Map, Value};

/// The value at a path; `null` without one.
pub fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('/').fold(value, |value, key| value.get(key).unwrap_or(&Value::Null))
}

pub fn has(value: &Value, path: &str) -> bool {
    !at(value, path).is_null()
}

/// The text at a path; empty without one.
pub fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    at(value, path).as_str().unwrap_or("")
}

/// The first text at one of the paths.
pub fn text_of<'v>(value: &'v Value, paths: &[&str]) -> &'v str {
    paths.iter().map(|path| text(value, path)).find(|text| !text.is_empty()).unwrap_or("")
}

pub fn int(value: &Value, path: &str) -> Option<i64> {
    at(value, path).as_i64()
}

/// Whether the integer at a path is 1, OpenRTB's yes.
pub fn flag(value: &Value, path: &str) -> bool {
    int(value, path) == Some(1)
}

/// Whether a signal of privacy or safety is set. Only 0 says no; what nobody can read says yes. `None` if it is absent,
/// `null` or empty.
pub fn signal(value: &Value, path: &str) -> Option<bool> {
    match at(value, path) {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text != "0"),
        Value::Bool(truth) => Some(*truth),
        other => Some(other.as_i64() != Some(0)),
    }
}

pub fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    at(value, path).as_array().map_or(&[], Vec::as_slice)
}

pub fn texts<'v>(value: &'v Value, path: &str) -> Vec<&'v str> {
    super::odd::items(at(value, path)).into_iter().filter_map(super::odd::Item::text).collect()
}

/// Names or codes: an item of the list may hold several, and spaces around them.
pub fn codes<'v>(value: &'v Value, path: &str) -> Vec<&'v str> {
    let items = texts(value, path).into_iter();
    items.flat_map(|item| item.split([' ', ',', ';', '|', '\t', '\r', '\n'])).filter(|code| !code.is_empty()).collect()
}

pub fn ints(value: &Value, path: &str) -> Vec<i64> {
    super::odd::items(at(value, path)).into_iter().filter_map(super::odd::Item::int).collect()
}

/// Merges `over` into `under`: objects key by key; any other value replaces the old one.
pub fn merge(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                merge(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over,
    }
}

/// An object of the fields that are not `null`.
pub fn of_fields<'k>(fields: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(fields.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}
