//! Generated requests with all fields of the schema: the reader of JSON and the reader of protobuf read the same.

use bumpalo::Bump;
use openrtb::read::{Body, Format, Reader, Wants};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::convert::{Style, encode};
use super::schema::{Field, Schema, schema};

/// Numbers that decide what the request has. Without numbers left, nothing more is in it.
struct Choices(Box<dyn Iterator<Item = u16>>);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        usize::from(self.0.next().unwrap_or_default()) % count
    }

    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }
}

const TEXTS: &[&str] = &["", "1", "a", "USD", "eur", "1.0", "é \"\\\n😀", "x.example", "-3", "IAB1-2"];
const INTEGERS: &[i32] = &[0, 1, 2, 3, 7, -1, 250, 300, 1 << 20, i32::MAX, i32::MIN];
const DOUBLES: &[f64] = &[
    0.0,
    0.1,
    2.5,
    -1.0,
    0.300_000_000_000_000_04,
    1e-9,
    52.520_008,
    13.404_954,
    123_456.789_012_3,
    1.7e12,
    1e20,
    1e300,
];

/// An object of this message. `likely` of ten fields are in it.
fn object(schema: &Schema, name: &str, likely: usize, choices: &mut Choices) -> Value {
    let mut members = Map::new();
    for (member, field) in &schema[name] {
        if choices.below(10) >= likely || member == "request_native" {
            continue;
        }
        let value = if name == "Native" && member == "request" {
            let request = object(schema, "NativeRequest", likely, choices);
            if choices.below(2) == 0 { request } else { json!(request.to_string()) }
        } else if field.is_repeated {
            let count = choices.below(4);
            (0..count).map(|_| one(schema, field, likely, choices)).collect()
        } else {
            one(schema, field, likely, choices)
        };
        members.insert(member.clone(), value);
    }
    Value::Object(members)
}

fn one(schema: &Schema, field: &Field, likely: usize, choices: &mut Choices) -> Value {
    match field.kind.as_str() {
        "string" => json!(choices.one_of(TEXTS)),
        "int32" => json!(choices.one_of(INTEGERS)),
        "bool" => json!(choices.below(2)),
        "double" => json!(choices.one_of(DOUBLES)),
        message => object(schema, message, likely, choices),
    }
}

/// What both readers read, as text.
fn read_both(schema: &Schema, request: &Value, style: Style) -> (String, String) {
    let text = request.to_string();
    let mut lost = Vec::new();
    let message = encode(schema, "BidRequest", request, style, &mut lost);
    assert!(lost.is_empty(), "{lost:?}");
    let read = |bytes: &[u8], format| {
        let arena = Bump::new();
        let body = Body::from(bytes).encoded_as(format);
        match Reader::default().read(body, &Wants::everything(""), &arena) {
            // Literals may be escaped in several ways.
            Ok(request) => without_literals(&format!("{request:#?}")),
            Err(bad) => bad.to_string(),
        }
    };
    (read(text.as_bytes(), Format::Json), read(&message, Format::Protobuf))
}

fn without_literals(debug: &str) -> String {
    debug.lines().filter(|line| !line.trim_start().starts_with("literal:")).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn readers_agree(choices in prop::collection::vec(any::<u16>(), 0..4000), likely in 3..10_usize, is_unpacked: bool) {
        let schema = schema();
        let request = object(&schema, "BidRequest", likely, &mut Choices(Box::new(choices.into_iter())));
        let (json, protobuf) = read_both(&schema, &request, Style { is_unpacked, has_native_messages: false });
        prop_assert_eq!(json, protobuf, "{}", request);
    }
}

/// Requests with every field, and with most: an asset has only the first of its kinds. A wrong number loses a value.
#[test]
fn readers_agree_on_every_field() {
    let schema = schema();
    let mut state = 1_u64;
    let numbers = std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from(state >> 48).unwrap()
    });
    let mut choices = Choices(Box::new(numbers));
    for likely in [10, 8, 6, 5].into_iter().cycle().take(4000) {
        let request = object(&schema, "BidRequest", likely, &mut choices);
        let (json, protobuf) = read_both(&schema, &request, Style::default());
        assert_eq!(json, protobuf, "{request}");
    }
}
