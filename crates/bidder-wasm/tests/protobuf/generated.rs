//! Generated requests with all fields of the schema: the reader of JSON and the reader of protobuf read the same.

use std::collections::BTreeSet;

use bidder_wasm::read::{Body, Format, Reader, Wants};
use bumpalo::Bump;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::convert::{Style, encode};
use super::schema::{Field, Schema, schema};

/// Numbers that decide what the request has. Without numbers left, nothing more is in it.
struct Choices(std::vec::IntoIter<u16>);

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
        let request = object(&schema, "BidRequest", likely, &mut Choices(choices.into_iter()));
        let (json, protobuf) = read_both(&schema, &request, Style { is_unpacked, has_native_messages: false });
        prop_assert_eq!(json, protobuf, "{}", request);
    }
}

/// Each field alone, in an otherwise small request, so that no number of a field is missed.
#[test]
fn readers_agree_on_each_field() {
    let schema = schema();
    let mut seen = BTreeSet::new();
    let small = json!({"id": "1", "imp": [{"id": "1"}]});
    let none = read_both(&schema, &small, Style::default()).0;
    for path in paths(&schema, "BidRequest") {
        let Some((last, above)) = path.split_last() else { continue };
        for value in [json!(3), json!(1), json!(0.25), json!("a")] {
            let field = &schema[last.0.as_str()][last.1.as_str()];
            let is_fit = match field.kind.as_str() {
                "string" => value.is_string(),
                "int32" => value.is_i64(),
                "bool" => value == json!(1),
                "double" => value.is_f64(),
                _ => false,
            };
            if !is_fit {
                continue;
            }
            let mut value = if field.is_repeated { json!([value]) } else { value };
            let mut member = last;
            for outer in above.iter().rev() {
                value = object_around(&schema, member, value);
                if schema[outer.0.as_str()][outer.1.as_str()].is_repeated {
                    value = json!([value]);
                }
                member = outer;
            }
            let mut request = small.clone();
            request[member.1.as_str()] = value;
            let (json, protobuf) = read_both(&schema, &request, Style::default());
            assert_eq!(json, protobuf, "{request}");
            if json != none {
                seen.insert(last.clone());
            }
        }
    }
    assert!(seen.len() > 200, "the readers read only {} fields", seen.len());
}

/// The object that has the member, with what it needs to be kept.
fn object_around(schema: &Schema, (message, member): &(String, String), value: Value) -> Value {
    let mut object = json!({});
    for (needed, fill) in [("id", json!("1")), ("source", json!("s")), ("type", json!("t")), ("value", json!(0.5))] {
        if message != "NativeAsset" && schema[message].get(needed).is_some_and(|field| field.kind != "int32") {
            object[needed] = fill;
        }
    }
    if message == "NativeAsset" {
        object["id"] = json!(1);
    }
    if message == "NativeTracker" {
        object = json!({"event": 1, "methods": [1]});
    }
    if message == "Geo" {
        object = json!({"lat": 1.5, "lon": 1.5});
    }
    object[member.as_str()] = value;
    object
}

/// The ways to all fields that are no messages: for each step the message and its field.
fn paths(schema: &Schema, name: &str) -> Vec<Vec<(String, String)>> {
    let mut found = Vec::new();
    for (member, field) in &schema[name] {
        let step = (name.to_owned(), if member == "request_native" { "request" } else { member }.to_owned());
        if schema.contains_key(&field.kind) {
            for inner in paths(schema, &field.kind) {
                found.push([vec![step.clone()], inner].concat());
            }
        } else if !(name == "Native" && member == "request") {
            found.push(vec![step]);
        }
    }
    found
}
