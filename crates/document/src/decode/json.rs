//! JSON as a tree in memory. [`from_json`](super::from_json) reads every text into one, before types are read from it.

use core::fmt;

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
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
    Array(Vec<Json>),
    /// An object.
    Object(JsonObject),
}

/// The members of an object in order, with duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JsonObject(pub Vec<(String, Json)>);

impl JsonObject {
    /// The last member with this name. `None` if it is `null`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        let (_, value) = self.0.iter().rev().find(|(known, _)| known == name)?;
        (*value != Json::Null).then_some(value)
    }
}

impl Json {
    /// About the bytes of the value: those of its texts, and eight for each value.
    pub fn bytes(&self) -> usize {
        8 + match self {
            Json::Text(text) => text.len(),
            Json::Array(items) => items.iter().map(Json::bytes).sum(),
            Json::Object(object) => object.0.iter().map(|(name, value)| name.len() + value.bytes()).sum(),
            _ => 0,
        }
    }
}

/// The most characters of a string that a message shows.
const SHOWN: usize = 40;

/// The value in a message: `the string "abc"`, `the number 5`, `true`, `an array`.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Integer(number) => write!(f, "the number {number}"),
            Json::Decimal(number) => write!(f, "the number {number:.SHOWN$}"),
            Json::Text(text) => {
                let end = text.char_indices().nth(SHOWN).map(|(end, _)| end);
                let shown = end.and_then(|end| text.get(..end));
                write!(f, "the string {:?}{}", shown.unwrap_or(text), if shown.is_some() { "..." } else { "" })
            }
            Json::Array(_) => f.write_str("an array"),
            Json::Object(_) => f.write_str("an object"),
        }
    }
}
