//! Writes a bid request again without what identifies a person, so that it may be kept for replay.
//!
//! It keeps only what [`spec::kept`] lists: the attributes that a decision reads, without those that name a person or a
//! device, and the others that the specification requires.
//! An attribute that is unknown today, and every `ext` beside the listed ones, is left out. So a new identifier of an
//! exchange is never kept by mistake.
//!
//! Listed attributes keep their values, with these exceptions:
//! - A latitude or longitude keeps one decimal, about 11 km.
//! - A page keeps only its scheme and host.
//! - Consent strings keep the answers, but not the times and the segments that no decision reads: [`consent`].
//! - The document in `native.request` is redacted like the request around it.
//!
//! It refuses to guess: what people write into a listed attribute, such as the id of a segment, stays as it is.

mod consent;

use core::fmt::Write as _;

use base::domain;
use base::json::{Object, escape};
use openrtb::read::spec::{self, Attribute, Kept, Type};

use document::decode::{Json, JsonError, JsonObject};

/// Appends the redacted request to `out`. Fails if `body` is not a JSON object, or is nested deeper than
/// [`base::limits::MAX_DEPTH`].
pub fn redact(body: &[u8], out: &mut String) -> Result<(), JsonError> {
    let request =
        document::decode::from_json::<JsonObject>(body)?.value.ok_or(JsonError { at: 0, expected: "an object" })?;
    members(out, &request, "BidRequest");
    Ok(())
}

/// Appends the object with the members that its kind keeps.
fn members(out: &mut String, JsonObject(all): &JsonObject, kind: &str) {
    let mut object = Object::begin(out);
    for (name, value) in all {
        let known = spec::kept(kind).find(|known| known.name == name);
        if let Some(known) = known.filter(|known| known.kept != Kept::Nothing) {
            object.raw(known.name, |out| kept(out, value, &known));
        }
    }
    object.end();
}

/// Appends what is kept of a value. A value of a type that no decision reads becomes `null`: the member still hides an
/// earlier one of the same name. A restriction of such a type stays unreadable, because it refuses bids.
fn kept(out: &mut String, value: &Json, known: &Attribute) {
    match (known.kept, known.of, value) {
        (Kept::All, Type::Native, Json::Object(object)) => members(out, object, "NativeContent"),
        (Kept::All, Type::Native, Json::Text(text)) => match document::decode::from_json::<JsonObject>(text.as_bytes())
        {
            Ok(document::decode::Decoded { value: Some(object), .. }) => {
                let mut inner = String::new();
                members(&mut inner, &object, "NativeContent");
                string(out, &inner);
            }
            _ => out.push_str("\"\""),
        },
        (Kept::All, Type::Native, _) => out.push_str("null"),
        (Kept::All, _, Json::Array(items)) => list(out, items, known),
        (Kept::All, Type::Object(kind), Json::Object(object)) => members(out, object, kind),
        (Kept::All, Type::Object(_), value) => {
            let says_nothing = matches!(value, Json::Null) || matches!(value, Json::Text(text) if text.is_empty());
            out.push_str(if known.restricts.is_some() && !says_nothing { "\"?\"" } else { "null" });
        }
        (Kept::All, _, Json::Object(JsonObject(all))) => numbered(out, all, known),
        (Kept::All, _, scalar) => self::scalar(out, scalar),
        (Kept::Tenth, _, Json::Integer(_) | Json::Decimal(_) | Json::Text(_)) => tenth(out, value),
        (Kept::Host, _, Json::Text(page)) => string(out, &host(page)),
        (Kept::Tcf, _, Json::Text(text)) => string(out, &consent::tcf(text)),
        (Kept::Gpp, _, Json::Text(text)) => string(out, &consent::gpp(text)),
        (Kept::UsPrivacy, _, Json::Text(text)) => string(out, consent::us_privacy(text)),
        _ => out.push_str("null"),
    }
}

/// Appends a list. Only of restrictions is something read from a list or an object in a list of scalars.
fn list<'a>(out: &mut String, items: impl IntoIterator<Item = &'a Json>, known: &Attribute) {
    out.push('[');
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        let is_object = matches!(known.of, Type::Object(_) | Type::Native);
        let is_nested = matches!(item, Json::Array(_)) || matches!(item, Json::Object(_)) && !is_object;
        if is_nested && known.restricts.is_none() {
            out.push_str("null");
        } else {
            kept(out, item, known);
        }
    }
    out.push(']');
}

/// Appends an object in place of a list of scalars: as a list if its names are numbers, as the reader takes it. An empty
/// one stays as it is. Any other object stays unreadable: an unreadable taxonomy is not the default one.
fn numbered(out: &mut String, all: &[(String, Json)], known: &Attribute) {
    if all.is_empty() {
        out.push_str("{}");
    } else if all.iter().all(|(name, _)| name.bytes().all(|byte| byte.is_ascii_digit())) {
        list(out, all.iter().map(|(_, value)| value), known);
    } else {
        out.push_str(r#"{"?":0}"#);
    }
}

fn scalar(out: &mut String, value: &Json) {
    match value {
        Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Json::Integer(number) => out.push_str(&number.to_string()),
        Json::Decimal(number) => out.push_str(number),
        Json::Text(text) => string(out, text),
        Json::Null | Json::Array(_) | Json::Object(_) => out.push_str("null"),
    }
}

/// Appends a degree with one decimal.
fn tenth(out: &mut String, value: &Json) {
    let degrees = match value {
        Json::Integer(number) => number.to_string().parse(),
        Json::Decimal(text) | Json::Text(text) => text.trim().parse::<f64>(),
        _ => return out.push_str("null"),
    };
    match degrees {
        Ok(degrees) if degrees.abs() <= 180.0 => {
            // Writing into a `String` cannot fail.
            let _ = write!(out, "{degrees:.1}");
        }
        _ => out.push_str("null"),
    }
}

/// The page's scheme and host as decisions read them. Paths, queries and fragments may name people.
fn host(page: &str) -> String {
    let host = domain::host(page);
    if host.is_empty() { String::new() } else { format!("https://{host}/") }
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

#[cfg(test)]
mod tests;
