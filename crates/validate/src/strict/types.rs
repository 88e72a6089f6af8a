//! Checks the names, types and values of all attributes in a bid request, and in the native requests inside it.
//!
//! The rules for values of other types are those of [`document::decode`]. It keeps nothing of the request.

use base::limits::MAX_LISTED_OBJECTS;
use openrtb::read::spec::{self, Type};

use super::values;
use document::decode::{
    Attribute, AttributeName, Context, Decimal, Field, Flag, Json, JsonObject, Limit, Rule, Slot, each_item, from_json,
    read_object,
};

/// A bid request that was checked.
pub(super) struct BidRequest;

/// A Native Ads request that was checked.
struct NativeRequest;

impl Attribute for BidRequest {
    const EXPECTED: &'static str = JsonObject::EXPECTED;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        object("BidRequest", value, cx).then_some(BidRequest)
    }
}

impl Attribute for NativeRequest {
    const EXPECTED: &'static str = JsonObject::EXPECTED;

    fn decode(value: Json, cx: &mut Context) -> Option<Self> {
        object("NativeWrapped", value, cx).then_some(NativeRequest)
    }
}

/// Checks an object of this kind. False if the value is not an object.
fn object(kind: &str, value: Json, cx: &mut Context) -> bool {
    if let Json::Object(object) = &value {
        values::check_relations(kind, object, cx);
    }
    let mut positions: Vec<Position<'_>> = spec::all(kind).map(|attribute| Position { kind, attribute }).collect();
    let slots = positions.iter_mut().map(|position| {
        let name = position.attribute.name;
        let name = AttributeName { wire: name, required: spec::is_required(kind, name) };
        Slot::new(name, position)
    });
    read_object(value, &mut slots.collect::<Vec<_>>(), cx).is_some()
}

/// An attribute of an object that is being checked.
struct Position<'k> {
    /// The kind of the object.
    kind: &'k str,
    attribute: spec::Attribute,
}

impl Position<'_> {
    /// Checks one value. False if no reader can read it.
    fn check(&self, value: Json, cx: &mut Context) -> bool {
        values::check(self.kind, self.attribute.name, &value, cx);
        check(self.attribute.of, value, cx)
    }
}

impl Field for Position<'_> {
    fn check(&self, _: &Limit, _: &mut Context) {}

    fn fill(&mut self, value: Json, cx: &mut Context) {
        let spec::Attribute { of, is_list, .. } = self.attribute;
        if !is_list {
            if !matches!(value, Json::Null) {
                self.check(value, cx);
            }
            return;
        }
        let most = if let Type::Object(_) = of { MAX_LISTED_OBJECTS } else { usize::MAX };
        let mut readable = 0;
        each_item(value, self.expected(), cx, &mut |item, cx| {
            if readable < most {
                readable += usize::from(self.check(item, cx));
            } else {
                cx.report(Rule::OutOfRange, format_args!("ignored; expected at most {most} items"));
            }
        });
    }

    fn expected(&self) -> &'static str {
        let (one, list) = match self.attribute.of {
            Type::Text | Type::Keywords => (String::EXPECTED, String::EXPECTED_LIST),
            Type::Integer => (i64::EXPECTED, i64::EXPECTED_LIST),
            Type::Flag => (Flag::EXPECTED, Flag::EXPECTED_LIST),
            Type::Number => (Decimal::EXPECTED, Decimal::EXPECTED_LIST),
            Type::Native => (NATIVE, NATIVE),
            Type::Object(_) | Type::Anything => (JsonObject::EXPECTED, JsonObject::EXPECTED_LIST),
        };
        if self.attribute.is_list { list } else { one }
    }
}

/// Checks the type of one value. False if no reader can read it.
fn check(of: Type, value: Json, cx: &mut Context) -> bool {
    match of {
        Type::Keywords if matches!(value, Json::Array(_)) => {
            cx.coerced(&value, String::EXPECTED);
            Vec::<String>::new().fill(value, cx);
            true
        }
        Type::Text | Type::Keywords => String::decode(value, cx).is_some(),
        Type::Integer => i64::decode(value, cx).is_some(),
        Type::Flag => Flag::decode(value, cx).is_some(),
        Type::Number => Decimal::decode(value, cx).is_some(),
        Type::Object(kind) => object(kind, value, cx),
        Type::Native => native(value, cx),
        Type::Anything => JsonObject::decode(value, cx).is_some(),
    }
}

const NATIVE: &str = "a string that holds a JSON object";

/// Checks the content of `native.request`: a string with JSON, or an object. It may be wrapped in `{"native":…}`.
fn native(value: Json, cx: &mut Context) -> bool {
    let request = match value {
        Json::Text(text) => match from_json::<Json>(text.as_bytes()) {
            Ok(decoded) => decoded.value,
            Err(error) => {
                cx.report(Rule::NotJson, format_args!("not JSON at byte {}; expected {NATIVE}", error.at));
                None
            }
        },
        Json::Object(_) => {
            cx.coerced(&value, NATIVE);
            Json::decode(value, cx)
        }
        other => cx.ignored(&other, NATIVE),
    };
    let Some(request) = request else { return false };
    let inner = if let Json::Object(outer) = &request { outer.get("native") } else { None };
    match inner {
        Some(inner @ Json::Object(_)) => cx.at_attribute("native", |cx| inner.read::<NativeRequest>(cx)).is_some(),
        _ => request.read::<NativeRequest>(cx).is_some(),
    }
}
