//! JSON as a tree in memory, for values without a declared type, such as `ext`.

use super::attribute::{Attribute, Field};
use super::finding::Context;
use super::value::{ItemSink, Items, MemberSink, Members, Value};

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
            cx.at_attribute(name, |cx| value.visit(cx, |value, cx| field.fill(value, cx)));
        }
        field
    }
}

impl Json {
    /// Reads the value as a `T`, by the rules for attributes.
    pub fn read<T: Attribute>(&self, cx: &mut Context) -> Option<T> {
        self.visit(cx, |value, cx| T::decode(value, cx))
    }

    fn visit<R>(&self, cx: &mut Context, read: impl FnOnce(Value<'_>, &mut Context) -> R) -> R {
        match self {
            Json::Null => read(Value::Null, cx),
            Json::Bool(truth) => read(Value::Bool(*truth), cx),
            Json::Integer(number) => read(Value::Integer(*number), cx),
            Json::Decimal(text) => read(Value::Decimal(text.clone()), cx),
            Json::Text(text) => read(Value::Text(text.clone()), cx),
            Json::Array(items) => read(Value::Array(&mut items.iter()), cx),
            Json::Object(object) => read(Value::Object(&mut object.0.iter()), cx),
        }
    }
}

impl Items for core::slice::Iter<'_, Json> {
    fn each(&mut self, cx: &mut Context, sink: &mut ItemSink<'_>) {
        for item in self {
            item.visit(cx, &mut *sink);
        }
    }
}

impl Members for core::slice::Iter<'_, (String, Json)> {
    fn each(&mut self, cx: &mut Context, sink: &mut MemberSink<'_>) {
        for (name, value) in self {
            value.visit(cx, |value, cx| sink(name, value, cx));
        }
    }
}

impl Attribute for Json {
    const EXPECTED: &'static str = "any value";
    const EXPECTED_LIST: &'static str = "an array";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        Some(match value {
            Value::Null => Json::Null,
            Value::Bool(truth) => Json::Bool(truth),
            Value::Integer(number) => Json::Integer(number),
            Value::Decimal(text) => Json::Decimal(text),
            Value::Text(text) => Json::Text(text),
            Value::Array(items) => {
                let mut array = Vec::new();
                items.each(cx, &mut |item, cx| array.extend(Json::decode(item, cx)));
                Json::Array(array)
            }
            Value::Object(members) => Json::Object(collect(members, cx)),
        })
    }
}

impl Attribute for JsonObject {
    const EXPECTED: &'static str = "an object";
    const EXPECTED_LIST: &'static str = "an array of objects";

    fn decode(value: Value<'_>, cx: &mut Context) -> Option<Self> {
        let Value::Object(members) = value else {
            cx.ignored(&value, Self::EXPECTED);
            return None;
        };
        Some(collect(members, cx))
    }
}

fn collect(members: &mut dyn Members, cx: &mut Context) -> JsonObject {
    let mut object = Vec::new();
    members.each(cx, &mut |name, value, cx| {
        object.extend(Json::decode(value, cx).map(|value| (name.to_string(), value)));
    });
    JsonObject(object)
}
