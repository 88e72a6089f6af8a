//! Converts JSON into protobuf and back, by a [`Schema`], without any code of the crate.

use serde_json::{Map, Value, json};

use super::schema::{Field, Schema};

/// How the encoder writes lists of numbers, and where it puts the native request.
#[derive(Clone, Copy, Default)]
pub(crate) struct Style {
    /// Each number of a list in a field of its own.
    pub(crate) is_unpacked: bool,
    /// A native request that is a text becomes a message.
    pub(crate) has_native_messages: bool,
}

/// A message with what protobuf can say of `object`. Paths of other members go to `lost`.
pub(crate) fn encode(schema: &Schema, name: &str, object: &Value, style: Style, lost: &mut Vec<String>) -> Vec<u8> {
    let mut out = Vec::new();
    for (member, value) in object.as_object().unwrap() {
        let mut member = member.as_str();
        let mut value = value.clone();
        if name == "Native" && member == "request" {
            if style.has_native_messages
                && let Some(request) = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok())
                // Protobuf has no message around the native request.
                && request.get("native").is_none()
            {
                value = request;
            }
            if value.is_object() {
                member = "request_native";
            }
        }
        let Some(field) = schema[name].get(member) else {
            lost.push(format!("{name}.{member}"));
            continue;
        };
        let items = match (&value, field.is_repeated) {
            (Value::Array(items), true) => items.clone(),
            (Value::Null, _) => continue,
            (Value::Array(_), false) => {
                lost.push(format!("{name}.{member}"));
                continue;
            }
            // A single value is a list with one.
            _ => vec![value],
        };
        let values = items.iter().filter_map(|item| {
            let value = scalar(schema, field, item, style, lost);
            if value.is_none() {
                lost.push(format!("{name}.{member}"));
            }
            value
        });
        let values: Vec<(u64, Vec<u8>)> = values.collect();
        if field.is_repeated && matches!(field.kind.as_str(), "int32" | "bool") && !style.is_unpacked {
            let packed = values.into_iter().flat_map(|(_, bytes)| bytes).collect::<Vec<u8>>();
            if !packed.is_empty() {
                varint(field.number << 3 | 2, &mut out);
                varint(packed.len() as u64, &mut out);
                out.extend(packed);
            }
            continue;
        }
        for (wire_type, bytes) in values {
            varint(field.number << 3 | wire_type, &mut out);
            if wire_type == 2 {
                varint(bytes.len() as u64, &mut out);
            }
            out.extend(bytes);
        }
    }
    out
}

/// The wire type and the bytes of a value; `None` if the field cannot have it.
fn scalar(
    schema: &Schema,
    field: &Field,
    value: &Value,
    style: Style,
    lost: &mut Vec<String>,
) -> Option<(u64, Vec<u8>)> {
    let mut bytes = Vec::new();
    let wire_type = match (field.kind.as_str(), value) {
        ("string", Value::String(text)) => {
            bytes.extend(text.as_bytes());
            2
        }
        // As the reader of JSON takes it: a number instead of a text becomes its text, and the other way round.
        ("string", Value::Number(number)) => {
            bytes.extend(number.to_string().as_bytes());
            2
        }
        ("double", Value::Number(number)) => {
            bytes.extend(number.as_f64()?.to_le_bytes());
            1
        }
        ("double" | "int32" | "bool", Value::String(text)) => {
            let number: Value = serde_json::from_str(text.trim()).ok().filter(Value::is_number)?;
            return scalar(schema, field, &number, style, lost);
        }
        ("bool", Value::Bool(flag)) => {
            varint(u64::from(*flag), &mut bytes);
            0
        }
        ("int32" | "bool", Value::Number(number)) => {
            let whole = number.as_i64().or_else(|| number.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64))?;
            let is_possible =
                if field.kind == "bool" { (0..=1).contains(&whole) } else { i32::try_from(whole).is_ok() };
            if !is_possible {
                return None;
            }
            varint(whole.cast_unsigned(), &mut bytes);
            0
        }
        (name, Value::Object(_)) if schema.contains_key(name) => {
            bytes.extend(encode(schema, name, value, style, lost));
            2
        }
        _ => return None,
    };
    Some((wire_type, bytes))
}

pub(crate) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value > 0x7f {
        out.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap());
}

/// The object in a message. Panics if the message is malformed, or has a field that the schema does not have.
pub(crate) fn decode(schema: &Schema, name: &str, mut message: &[u8]) -> Value {
    let mut object = Map::new();
    while !message.is_empty() {
        let tag = take_varint(&mut message);
        let (member, field) = schema[name].iter().find(|(_, field)| field.number == tag >> 3).unwrap();
        let values: Vec<Value> = match (tag & 7, field.kind.as_str()) {
            (0, "int32" | "bool") => vec![json!(take_varint(&mut message).cast_signed())],
            (1, "double") => {
                let (bytes, rest) = message.split_first_chunk().unwrap();
                message = rest;
                vec![json!(f64::from_le_bytes(*bytes))]
            }
            (2, kind) => {
                let length = usize::try_from(take_varint(&mut message)).unwrap();
                let (mut bytes, rest) = message.split_at(length);
                message = rest;
                match kind {
                    "string" => vec![json!(str::from_utf8(bytes).unwrap())],
                    "int32" => {
                        assert!(field.is_repeated);
                        let mut values = Vec::new();
                        while !bytes.is_empty() {
                            values.push(json!(take_varint(&mut bytes).cast_signed()));
                        }
                        values
                    }
                    _ => vec![decode(schema, kind, bytes)],
                }
            }
            other => panic!("{name}.{member}: {other:?}"),
        };
        if field.is_repeated {
            let list = object.entry(member.clone()).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().extend(values);
        } else {
            assert_eq!(values.len(), 1);
            assert!(object.insert(member.clone(), values[0].clone()).is_none(), "{name}.{member} twice");
        }
    }
    Value::Object(object)
}

fn take_varint(message: &mut &[u8]) -> u64 {
    let length = message.iter().position(|byte| *byte < 0x80).unwrap() + 1;
    let (bytes, rest) = message.split_at(length);
    *message = rest;
    bytes.iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f))
}

/// What protobuf has of a JSON object: members of the schema, prices as doubles, lists that are not empty.
pub(crate) fn known(schema: &Schema, name: &str, object: &Value) -> Value {
    let mut members = Map::new();
    for (member, value) in object.as_object().unwrap() {
        let Some(field) = schema[name].get(member) else { continue };
        let convert = |value: &Value| match field.kind.as_str() {
            "double" => json!(value.as_f64().unwrap()),
            kind if schema.contains_key(kind) => known(schema, kind, value),
            _ => value.clone(),
        };
        let value = match value {
            Value::Array(items) => Value::Array(items.iter().map(convert).collect()),
            single => convert(single),
        };
        members.insert(member.clone(), value);
    }
    Value::Object(members)
}
