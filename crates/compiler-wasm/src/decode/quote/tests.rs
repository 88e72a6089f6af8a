//! Which texts are refused, and how the others are changed. The tests of [`bidder_wasm::read::check_json`] have the
//! grammar.

use super::quoted;
use bidder_wasm::limits::MAX_DEPTH;

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
        let error = quoted(text.as_bytes()).unwrap_err();
        assert_eq!((error.at, error.expected), (at, expected), "{text:?}");
    }
    for (text, at, expected) in
        [(&b"\"\xff\""[..], 1, "UTF-8"), (b"[]\xff", 2, "UTF-8"), (b"[1,] \"\xff\"", 3, "a value")]
    {
        let error = quoted(text).unwrap_err();
        assert_eq!((error.at, error.expected), (at, expected), "{text:?}");
    }
}

#[test]
fn only_decimals_and_lone_surrogates_are_changed() {
    for (text, expected) in [
        (r#" [true,false, null ,"",{"":[]}]"#, r#" [true,false, null ,"",{"":[]}]"#),
        ("0", "0"),
        ("-1", "-1"),
        ("999999999999999999", "999999999999999999"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "\"\u{1}9223372036854775808\""),
        ("-9223372036854775809", "\"\u{1}-9223372036854775809\""),
        ("-0", "\"\u{1}-0\""),
        ("[1, 2.50 ,3]", "[1, \"\u{1}2.50\" ,3]"),
        ("1E400", "\"\u{1}1E400\""),
        ("{\"a\":-0.5e-7}", "{\"a\":\"\u{1}-0.5e-7\"}"),
        (r#""\"\\\/\b\f\n\r\t\u00e9\u0000 1.5""#, r#""\"\\\/\b\f\n\r\t\u00e9\u0000 1.5""#),
        ("\"\u{7f}\u{e9}\u{20ac}\u{1f600}\u{feff}\"", "\"\u{7f}\u{e9}\u{20ac}\u{1f600}\u{feff}\""),
        (r#""\ud83d\uDE00""#, r#""\ud83d\uDE00""#),
        (r#""\ud800""#, r#""\ufffd""#),
        (r#""\uDC00x""#, r#""\ufffdx""#),
        (r#""\ud800\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
        (r#""\ud83d\ude00\ude00""#, r#""\ud83d\ude00\ufffd""#),
        (r#""\ud800\n\udfff""#, r#""\ufffd\n\ufffd""#),
        (r#""\ud800\\udc00""#, r#""\ufffd\\udc00""#),
        (r#"{"\ud800":"\ud800\u0041"}"#, r#"{"\ufffd":"\ufffd\u0041"}"#),
    ] {
        let quoted = quoted(text.as_bytes()).map(|quoted| String::from_utf8(quoted.into_owned()).unwrap());
        assert_eq!(quoted.as_deref(), Ok(expected), "{text}");
    }
}
