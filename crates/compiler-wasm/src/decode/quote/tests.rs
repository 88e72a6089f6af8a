//! Tables of accepted and refused texts, and a comparison with `serde_json`.

use proptest::prelude::*;

use super::quote_decimals;
use bidder_wasm::limits::MAX_DEPTH;

/// The offset at which a text is refused.
fn refused(text: &[u8]) -> Option<usize> {
    quote_decimals(text).err().map(|error| error.at)
}

#[test]
fn an_error_tells_what_is_allowed() {
    for (text, at, expected) in [
        ("{\"a\":1,}", 7, "a name in double quotes"),
        ("{a:1}", 1, "a name in double quotes, or }"),
        ("{\"a\" 1}", 5, "a colon"),
        ("{\"a\":}", 5, "a value"),
        ("{\"a\":1 \"b\":2}", 7, "a comma, or }"),
        ("[1 2]", 3, "a comma, or ]"),
        ("[1,]", 3, "a value"),
        ("[}", 1, "a value"),
        ("{} x", 3, "nothing more"),
        ("\"a\nb\"", 2, "the double quote that ends the string"),
        ("[01]", 2, "a comma, or ]"),
        ("-", 1, "a digit"),
        ("tru", 3, "true, false or null"),
        ("[", 1, "a value, or ]"),
    ] {
        let error = quote_decimals(text.as_bytes()).unwrap_err();
        assert_eq!((error.at, error.expected), (at, expected), "{text:?}");
    }
    assert_eq!(quote_decimals(b"\"\xff").unwrap_err().expected, "UTF-8");
}

#[test]
fn accepted_texts() {
    for (text, expected) in [
        ("null", "null"),
        (" \t\r\n{ } ", " \t\r\n{ } "),
        ("[]", "[]"),
        (r#"[true,false,null,"",{"":[]}]"#, r#"[true,false,null,"",{"":[]}]"#),
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#),
        ("0", "0"),
        ("-1", "-1"),
        ("999999999999999999", "999999999999999999"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "\"\u{1}9223372036854775808\""),
        ("-9223372036854775809", "\"\u{1}-9223372036854775809\""),
        ("-0", "\"\u{1}-0\""),
        ("0.0", "\"\u{1}0.0\""),
        ("[1, 2.50 ,3]", "[1, \"\u{1}2.50\" ,3]"),
        ("1E400", "\"\u{1}1E400\""),
        ("1e+05", "\"\u{1}1e+05\""),
        ("{\"a\":-0.5e-7}", "{\"a\":\"\u{1}-0.5e-7\"}"),
        (r#""\"\\\/\b\f\n\r\t\u00e9\u0000""#, r#""\"\\\/\b\f\n\r\t\u00e9\u0000""#),
        ("\"\u{7f}\u{e9}\u{20ac}\u{1f600}\u{feff}\"", "\"\u{7f}\u{e9}\u{20ac}\u{1f600}\u{feff}\""),
        (r#""\ud83d\uDE00""#, r#""\ud83d\uDE00""#),
        (r#""\ud800""#, r#""\ufffd""#),
        (r#""\uDC00x""#, r#""\ufffdx""#),
        (r#""\ud800\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
        (r#""\ud800\n\udfff""#, r#""\ufffd\n\ufffd""#),
        (r#""\ud800\\udc00""#, r#""\ufffd\\udc00""#),
        (r#"{"\ud800":"\ud800\u0041"}"#, r#"{"\ufffd":"\ufffd\u0041"}"#),
    ] {
        let quoted = quote_decimals(text.as_bytes()).map(|quoted| String::from_utf8(quoted.into_owned()).unwrap());
        assert_eq!(quoted.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn refused_texts() {
    for (text, at) in [
        ("", 0),
        (" \n", 2),
        ("\u{feff}{}", 0),
        ("{", 1),
        ("[", 1),
        ("[1", 2),
        ("[1,", 3),
        ("[1,]", 3),
        ("[,1]", 1),
        ("[1,,2]", 3),
        ("[1 2]", 3),
        ("[1}", 2),
        ("[1:2]", 2),
        ("{]", 1),
        ("{\"a\"}", 4),
        ("{\"a\",1}", 4),
        ("{\"a\":}", 5),
        ("{\"a\" 1}", 5),
        ("{\"a\"::1}", 5),
        ("{\"a\":1]", 6),
        ("{\"a\":1,}", 7),
        ("{\"a\":1,,\"b\":2}", 7),
        ("{\"a\":1 \"b\":2}", 7),
        ("{,}", 1),
        ("{a:1}", 1),
        ("{'a':1}", 1),
        ("{1:1}", 1),
        ("{null:1}", 1),
        ("]", 0),
        ("}", 0),
        (",", 0),
        ("{}{}", 2),
        ("[]]", 2),
        ("1 2", 2),
        ("[1]x", 3),
        ("[1]\0", 3),
        ("\u{c}1", 0),
        ("\u{a0}1", 0),
        ("/**/1", 0),
        ("1//", 1),
        ("tru", 3),
        ("trUe", 2),
        ("truee", 4),
        ("True", 0),
        ("nul1", 3),
        ("falsy", 4),
        ("NaN", 0),
        ("Infinity", 0),
        ("-Infinity", 1),
        ("undefined", 0),
        ("+1", 0),
        (".5", 0),
        ("-", 1),
        ("-a", 1),
        ("--1", 1),
        ("01", 1),
        ("-01", 2),
        ("00", 1),
        ("1.", 2),
        ("1.]", 2),
        ("[1.,2]", 3),
        ("1.e5", 2),
        ("1.5.5", 3),
        ("1e", 2),
        ("1e+", 3),
        ("1e+-5", 3),
        ("1e5.5", 3),
        ("0x10", 1),
        ("1_000", 1),
        ("1,5", 1),
        ("0e", 2),
        ("\"", 1),
        ("\"a", 2),
        ("'a'", 0),
        ("\"\t\"", 1),
        ("\"a\nb\"", 2),
        ("\"\0\"", 1),
        ("\"\u{1f}\"", 1),
        ("\"\u{1}2.5\"", 1),
        ("\"\\", 2),
        ("\"\\\"", 3),
        ("\"\\x\"", 2),
        ("\"\\'\"", 2),
        ("\"\\U0041\"", 2),
        ("\"\\u\"", 3),
        ("\"\\u12\"", 5),
        ("\"\\u12G4\"", 5),
        ("\"\\u+123\"", 3),
        ("\"\\ud800\\u12\"", 11),
        ("\"\\ud800\\ud\"", 10),
        ("\"\\ud800\\udc0\"", 12),
        ("\"\\ud800\\", 8),
        ("{\"\\x\":1}", 3),
        ("{\"a\":1.}", 7),
    ] {
        assert_eq!(refused(text.as_bytes()), Some(at), "{text:?}");
    }
}

#[test]
fn invalid_utf8_is_refused_at_its_first_byte_unless_an_earlier_byte_is_wrong() {
    for (text, at) in [
        (&b"\"\xff\""[..], 1),
        (b"\"ab\xe2\x28\xa1\"", 3),
        (b"\"\xf0\xa4\xad\"", 1),
        (b"\"\xc0\xaf\"", 1),
        (b"\"\xed\xa0\x80\"", 1),
        (b"\"\xe2\x82", 1),
        (b"{\"\xff\":1}", 2),
        (b"\xff", 0),
        (b"[]\xff", 2),
        (b"[1,] \"\xff\"", 3),
        (b"\xff\xfe[\0]\0", 0),
    ] {
        assert_eq!(refused(text), Some(at), "{text:?}");
    }
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!("{}{}", "[{\"a\":".repeat(depth / 2), "[".repeat(depth % 2));
    let closed = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(quote_decimals(closed(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(refused(closed(MAX_DEPTH + 1).as_bytes()), Some(MAX_DEPTH));
    let text = nested(MAX_DEPTH + 1);
    assert_eq!(refused(text.as_bytes()), Some(text.len() - 1));
    assert_eq!(refused("[".repeat(1_000_000).as_bytes()), Some(MAX_DEPTH));
}

fn json_text() -> impl Strategy<Value = String> {
    let number = "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?";
    let string = r#""([a-zé€😀 ]|\\["\\/bfnrt]|\\u00[0-9a-fA-F]{2}|\\ud83d\\ude0[0-9]){0,4}""#;
    let space = "[ \t\r\n]{0,2}";
    let leaf = prop_oneof!["null|true|false", number, string];
    let spaced = (space, leaf, space).prop_map(|(before, leaf, after)| before + &leaf + &after);
    spaced.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            (space, prop::collection::vec(inner.clone(), 0..6))
                .prop_map(|(space, items)| format!("[{}]{space}", items.join(","))),
            prop::collection::vec((string, space, inner), 0..6).prop_map(|members| {
                let members: Vec<String> =
                    members.into_iter().map(|(name, space, value)| format!("{name}{space}:{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// Changes of a text: the place as a share of its length, the number of bytes to delete, and the bytes to insert.
fn mutations() -> impl Strategy<Value = Vec<(f64, usize, Vec<u8>)>> {
    let piece = prop_oneof![
        prop::sample::select(&b"{}[]:,\"\\-+.eEu0123456789tfnab \n\x00\x01\x1f\x7f\xc3\xa9\xff"[..])
            .prop_map(|byte| vec![byte]),
        prop::sample::select(vec!["\\u", "\\ud83d", "\\ude00", "true", "null", "\"\":", "1e9", "-0", "//"])
            .prop_map(|piece| piece.as_bytes().to_vec()),
        Just(Vec::new()),
    ];
    prop::collection::vec((0.0..1.0, 0..3_usize, piece), 0..4)
}

fn mutate(text: &str, mutations: &[(f64, usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, removed, piece) in mutations {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let start = (place * (bytes.len() + 1) as f64) as usize;
        let start = start.min(bytes.len());
        let end = (start + removed).min(bytes.len());
        bytes.splice(start..end, piece.iter().copied());
    }
    bytes
}

/// Whether `serde_json` accepts the text. `None` if it refuses the text for a reason other than the grammar.
fn serde_json_accepts(text: &[u8]) -> Option<bool> {
    match serde_json::from_slice::<serde_json::Value>(text) {
        Ok(_) => Some(true),
        Err(error) => {
            let message = error.to_string();
            let special = ["number out of range", "surrogate", "unexpected end of hex escape"];
            (!special.iter().any(|special| message.contains(special))).then_some(false)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn accepts_what_serde_json_accepts(text in json_text(), mutations in mutations()) {
        let text = mutate(&text, &mutations);
        let ours = quote_decimals(&text);
        if let Some(accepted) = serde_json_accepts(&text) {
            prop_assert_eq!(ours.is_ok(), accepted, "{:?}", String::from_utf8_lossy(&text));
        }
        if let Ok(quoted) = &ours {
            // The decoder must accept it.
            let decoded = crate::decode::from_json::<crate::decode::Json>(&text);
            prop_assert!(decoded.is_ok(), "{:?}", String::from_utf8_lossy(quoted));
        }
    }

    /// The text before the offset is the start of a JSON text, and the text after the wrong byte makes no difference.
    #[test]
    fn the_offset_is_that_of_the_first_wrong_byte(text in json_text(), mutations in mutations()) {
        let text = mutate(&text, &mutations);
        if let Some(at) = refused(&text)
            && core::str::from_utf8(&text).is_ok()
        {
            let before = &text[..at];
            if let Err(error) = quote_decimals(before) {
                prop_assert_eq!(error.at, at, "ends too early");
            }
            if at < text.len() && core::str::from_utf8(&text[..=at]).is_ok() {
                prop_assert_eq!(refused(&text[..=at]), Some(at));
            }
        }
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = quote_decimals(&bytes);
    }
}
