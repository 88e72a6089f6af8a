//! JSON as a tree in memory. [`from_json`](super::from_json) reads every text into one, before types are read from it.

use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::attribute::{Attribute, Field};
use super::finding::Context;
use super::quote::DECIMAL_MARK;

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

    /// Reads the member `name` as an `Option` or `Vec`, by the rules for attributes.
    pub fn read<F: Field + Default>(&self, name: &str, cx: &mut Context) -> F {
        let mut field = F::default();
        if let Some(value) = self.get(name) {
            cx.at_attribute(name, |cx| field.fill(value.clone(), cx));
        }
        field
    }
}

impl Json {
    /// Reads the value as a `T`, by the rules for attributes.
    pub fn read<T: Attribute>(&self, cx: &mut Context) -> Option<T> {
        T::decode(self.clone(), cx)
    }
}

impl Attribute for Json {
    const EXPECTED: &'static str = "any value";
    const EXPECTED_LIST: &'static str = "an array";

    fn decode(value: Json, _: &mut Context) -> Option<Self> {
        Some(value)
    }
}

impl Attribute for JsonObject {
    const EXPECTED: &'static str = "an object";
    const EXPECTED_LIST: &'static str = "an array of objects";

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        match value {
            Json::Object(object) => Some(object),
            other => cx.ignored(&other, Self::EXPECTED),
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

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Makes a value of what serde-json-wasm finds in a text that [`quoted`](super::quote::quoted) prepared.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or_else(|_| Json::Decimal(number.to_string()), Json::Integer))
    }

    /// A string without escapes: only such a string can start with the unescaped mark.
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json, E> {
        let number = text.strip_prefix(DECIMAL_MARK).map(|number| Json::Decimal(number.to_owned()));
        Ok(number.unwrap_or_else(|| Json::Text(text.to_owned())))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(JsonObject(members)))
    }
}
