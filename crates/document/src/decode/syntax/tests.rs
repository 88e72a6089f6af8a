//! Which texts are refused, and what the others become. The tests of [`openrtb::read::check_json`] have the
//! grammar.

use proptest::prelude::*;
use serde_json::Value;

use super::read;
use crate::decode::{Json, JsonObject};
use base::limits::MAX_DEPTH;

#[test]
fn an_error_tells_where_it_is_and_what_is_allowed() {
    let deep = "[".repeat(MAX_DEPTH + 1);
    let end = "the rest of a string in double quotes";
    for (text, at, expected) in [
        ("", 0, "a value"),
        ("\u{feff}{}", 0, "a value"),
        ("{\"a\":1,}", 7, "a name in double quotes"),
        ("{a:1}", 1, "a name in double quotes, or }"),
        ("{\"a\" 1}", 5, "a colon"),
        ("{\"a\":[],\"b\"", 11, "a colon"),
        ("{\"a\":}", 5, "a value"),
        ("{\"a\":1 \"b\":2}", 7, "a comma, or }"),
        ("{\"a\":\"b\"", 8, "a comma, or }"),
        ("[1 2]", 3, "a comma, or ]"),
        ("[\"a\" 2]", 5, "a comma, or ]"),
        ("[1,]", 3, "a value"),
        ("[}", 1, "a value, or ]"),
        ("{} x", 3, "nothing more"),
        ("\"a\nb\"", 2, end),
        ("\"\\x\"", 2, end),
        ("\"", 1, end),
        ("[01]", 2, "a comma, or ]"),
        ("-", 1, "a digit"),
        ("[1.]", 3, "a digit"),
        ("tru", 3, "true, false or null"),
        ("[", 1, "a value, or ]"),
        (&deep, MAX_DEPTH, "less nesting"),
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!((error.at, error.expected), (at, expected), "{text:?}");
    }
    for (text, at, expected) in
        [(&b"\"\xff\""[..], 1, "UTF-8"), (b"[]\xff", 2, "UTF-8"), (b"[1,] \"\xff\"", 3, "a value")]
    {
        let error = read(text).unwrap_err();
        assert_eq!((error.at, error.expected), (at, expected), "{text:?}");
    }
}

#[test]
fn numbers_keep_their_digits_and_lone_surrogates_are_replaced() {
    let decimal = |text: &str| Json::Decimal(text.to_owned());
    let text = |text: &str| Json::Text(text.to_owned());
    for (json, expected) in [
        ("0", Json::Integer(0)),
        ("-1", Json::Integer(-1)),
        ("9223372036854775807", Json::Integer(i64::MAX)),
        ("-9223372036854775808", Json::Integer(i64::MIN)),
        ("9223372036854775808", decimal("9223372036854775808")),
        ("-9223372036854775809", decimal("-9223372036854775809")),
        ("-0", decimal("-0")),
        ("1E400", decimal("1E400")),
        (" -0.5e-7 ", decimal("-0.5e-7")),
        ("[1, 2.50 ,3]", Json::Array(vec![Json::Integer(1), decimal("2.50"), Json::Integer(3)])),
        ("\"\u{7f}\u{e9}\u{20ac}\u{1f600}\u{feff}\"", text("\u{7f}\u{e9}\u{20ac}\u{1f600}\u{feff}")),
        (r#""\ud83d\uDE00""#, text("😀")),
        (r#""\ud800\ud83d\ude00""#, text("\u{fffd}😀")),
        (r#""\ud800\\udc00""#, text("\u{fffd}\\udc00")),
    ] {
        assert_eq!(read(json.as_bytes()), Ok(expected), "{json}");
    }
}

/// The tree as `serde_json` has it.
fn plain(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => (*truth).into(),
        Json::Integer(number) => (*number).into(),
        Json::Decimal(number) => serde_json::from_str(number).unwrap(),
        Json::Text(text) => text.as_str().into(),
        Json::Array(items) => items.iter().map(plain).collect(),
        Json::Object(JsonObject(members)) => members.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        "[\\PC\"\\\\/\n\u{0}]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let members = prop::collection::btree_map("[a-c\"\\\\{},:]{0,3}", inner.clone(), 0..5);
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(Value::from),
            members.prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn a_text_is_read_as_serde_json_reads_it(value in any_value(), is_pretty: bool) {
        let text = if is_pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(read(text.as_bytes()).map(|json| plain(&json)), Ok(serde_json::from_str(&text).unwrap()));
    }
}
