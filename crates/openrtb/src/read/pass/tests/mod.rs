//! Compares the pass with the reference parser, and both with `serde_json`, for texts in many positions and for all
//! needs.

mod reference;

use bumpalo::Bump;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::read::{BadRequest, Needs, Reader, Wants};
use base::limits::MAX_DEPTH;
use reference::validate;

/// The offset at which the reader refuses a text as not JSON. Needs must not change it.
fn read(text: &[u8]) -> Result<(), usize> {
    let mut reader = Reader::default();
    let mut at = |needs| match reader.read(text, &Wants { prebid_code: "", needs }, &Bump::new()) {
        Err(BadRequest::NotJson { at }) => Err(at),
        _ => Ok(()),
    };
    let everything = at(Needs::ALL);
    assert_eq!(at(Needs::default()), everything, "{}", text.escape_ascii());
    everything
}

/// The reader and the reference parser must refuse the same texts at the same byte. The first byte that is not UTF-8
/// counts as an error, too.
fn check(text: &[u8]) {
    let grammar = validate(text).err();
    let encoding = core::str::from_utf8(text).err().map(|error| error.valid_up_to());
    let first = grammar.into_iter().chain(encoding).min();
    assert_eq!(read(text), first.map_or(Ok(()), Err), "{}", text.escape_ascii());
}

/// Checks a text as the value of all types of attributes, of an unknown attribute, and as an item.
fn check_inside(text: &str) {
    for name in ["k", "id", "badv", "imp", "device", "sixteen_letters_", "more_than_sixteen_letters", "\\u0069d"] {
        check(format!("{{\"{name}\":{text}}}").as_bytes());
        check(format!("{{\"{name}\":[{text}]}}").as_bytes());
        check(format!("{{ \"{name}\" : [ 1 , {text} , \"a\" ] , \"b\" : {text} }}").as_bytes());
    }
    check(
        format!("{{\"imp\":[{{\"id\":1,\"ext\":{text},\"a\":{text}}},{text},{{\"a\":[{text},{text}]}}]}}").as_bytes(),
    );
}

/// Checks a text at every distance from the start of a lane.
fn check_everywhere(text: &str) {
    check(text.as_bytes());
    check_inside(text);
    for distance in 0..=33 {
        check(format!("{}{text}{}", " ".repeat(distance), "\n".repeat(distance)).as_bytes());
        check(format!("{{\"{}\":{text}}}", "k".repeat(distance)).as_bytes());
        check(format!("{{\"k\":{{\"{}\":{text}}}}}", "k".repeat(distance)).as_bytes());
    }
}

const VALID: &[&str] =
    &["{}", "[]", "{ }", "[ \n ]", r#""\\""#, "-0.5e+10", "true", "false", "null", "10", "0", "\"\"", "\"é\""];

const LONG_VALID: &[&str] = &[
    r#"{"a":1}"#,
    r#"{"a" : 1 , "b" : [ 2 , "c" ] }"#,
    r#"{"a":{"b":{"c":[[],[{}]]}}}"#,
    r#"["a","b"]"#,
    r#"["a",{"b":"c"},"d"]"#,
    r#"[{"a":1},{"b":2}]"#,
    r#""a\"b""#,
    r#""\\\"""#,
    r#""\\\\\\\\""#,
    r#""\u00e9\n\/""#,
    r#""{[:,]}""#,
    "\"\u{7f}\"",
    "[1,2.5,-3,1e5,true,null]",
];

const REFUSED: &[&str] = &[
    "", "}", "]", "{", "[", ",", ":", "{]", "[}", "{}}", "[]]", "{}{}", "{},{}", "{},", "{}:", "{} 1", "{}\"\"", "[,]",
    "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "{,}", r#"{"a"}"#, "{1:2}", "{null:1}", "{{}:1}", "{[]:1}", "{:1}",
    "\"", r#""\""#, r#""\x""#, r"\", r#"\"a""#, "\"\n\"", "\"\t\"", "\"\0\"", "\u{1}", "\u{b}", "\u{c}", "\u{a0}",
    "01", "-01", "00", "1.", ".5", "+1", "1e", "-", "--1", "1-", "1.5.5", "1e5e5", "tru", "truE", "nul", "nulll",
    "True", "NaN", "Infinity", "0x1", "1a", "'a'", "// a", "/**/1", "1_000", "[1]a", "a[1]", "{}a", "1\"a\"", "\"a\"1",
    "12\u{1}", "1{", "1[", "é",
];

const LONG_REFUSED: &[&str] = &[
    r#"["a" "b"]"#,
    r#"["a""b"]"#,
    r#"["a":1]"#,
    r#"[1,"a":1]"#,
    r#"[{},"a":1]"#,
    r#"[{"b":1},"a":1]"#,
    r#"{"a",}"#,
    r#"{"a":}"#,
    r#"{"a":1,}"#,
    r#"{"a":1,"b"}"#,
    r#"{"a":1,"b",}"#,
    r#"{"a":{},"b"}"#,
    r#"{"a":{},1}"#,
    r#"{"a":1,2}"#,
    r#"{"a":1,{}}"#,
    r#"{"a":1,[]}"#,
    r#"{"a"::1}"#,
    r#"{"a":1:2}"#,
    r#"{"a":"b":"c"}"#,
    r#"{"a" 1}"#,
    r#"{"a":1 "b":2}"#,
    r#"{"a":[1,"b":2]}"#,
    r#"[{"a":1,"b"]"#,
    r#""\u12g4""#,
    r#""\u12""#,
    "\u{feff}{}",
];

#[test]
fn valid_and_refused_texts_in_all_positions() {
    for (texts, is_valid) in [(VALID, true), (LONG_VALID, true), (REFUSED, false), (LONG_REFUSED, false)] {
        for text in texts {
            check_everywhere(text);
            assert_eq!(validate(text.as_bytes()).is_ok(), is_valid, "{text}");
        }
    }
}

#[test]
fn strings_of_every_length() {
    for length in 0..80 {
        for end in ["", "é", "\\n", "\\\\", "\\", "\n", "\\u00e9", "\\u00g9", "é\\\"é", "\0"] {
            let text = format!("{}{end}", "x".repeat(length));
            check_inside(&format!("\"{text}\""));
            check_inside(&format!("\"{text}x\""));
            check(format!("{{\"k\":{{\"{text}\":1,\"{text}\" :\"a\"}},\"{text}\":2,\"{text}").as_bytes());
        }
    }
}

#[test]
fn invalid_utf8() {
    for bytes in [&b"\xFF"[..], b"\xC3", b"\xC3\xA9\xC3", b"\xED\xA0\x80", b"\xF0\x9F\x98", b"\x80"] {
        for (before, after) in [
            ("{\"k\":\"", "\"}"),
            ("{\"id\":\"a", ""),
            ("{\"a\":01,\"k\":\"", "\"}"),
            ("", ""),
            ("{\"é", "\":1,}"),
            ("{}", ""),
        ] {
            check(&[before.as_bytes(), bytes, after.as_bytes()].concat());
        }
    }
}

#[test]
fn nesting_is_limited_to_max_depth() {
    for depth in MAX_DEPTH - 3..MAX_DEPTH + 3 {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            for around in ["k", "imp", "badv", "site"] {
                let text = format!("{{\"{around}\":{}1{}}}", open.repeat(depth - 1), close.repeat(depth - 1));
                check(text.as_bytes());
                assert_eq!(read(text.as_bytes()).is_ok(), depth <= MAX_DEPTH, "{depth}");
                check(format!("{{\"imp\":[{{\"ext\":{text}}}]}}").as_bytes());
                check(format!("{{\"site\":{{\"content\":{text}}}}}").as_bytes());
            }
            check(format!("{}1{}", open.repeat(depth), close.repeat(depth)).as_bytes());
        }
    }
    for brackets in ["[", "{", "]", "}", "[]", "[[]", "[]]", "{\"a\":", "[{}", "}}"] {
        for count in 1..150 {
            let many = brackets.repeat(count);
            for text in [format!("{{\"k\":{many}"), format!("{{{many}"), format!("{{}}{many},{{")] {
                check(text.as_bytes());
            }
        }
    }
}

#[test]
fn offset_of_the_first_wrong_byte() {
    for (text, at) in [
        ("", 0),
        (" ", 1),
        (r#"{"a":1"#, 6),
        (r#"{"a":1,}"#, 7),
        (r#"{"a":tru}"#, 8),
        (r#"{"a":1}}"#, 7),
        (r#"{"a":"\x"}"#, 7),
        (r#"{"a":"\u00G0"}"#, 10),
        ("{\"a\":\"\n\"}", 6),
        (r#"{"a":01}"#, 6),
        (r#"{"a":1]"#, 6),
        (r#"{"a" "b"}"#, 5),
        (r#"{"a":"b"#, 7),
        ("\u{feff}{}", 0),
        ("{} x", 3),
    ] {
        assert_eq!(read(text.as_bytes()), Err(at), "{text}");
    }
}

/// Bytes that nearly all have a meaning in JSON.
fn rich_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        8 => proptest::sample::select(br#"{}[]:,"\ "#.to_vec()),
        3 => proptest::sample::select(b"0123456789-+.eEtrufalsn/bx\n\t\r\0\x1f".to_vec()),
        1 => any::<u8>(),
    ];
    proptest::collection::vec(byte, 0..300)
}

/// JSON with whitespace in most of the possible places.
fn json() -> impl Strategy<Value = String> {
    let blank =
        || proptest::sample::select(vec!["", "", "", "", " ", "\n", "\t\r\n  ", "                              "]);
    let string = prop_oneof![
        "[a-z]{0,12}",
        r#"([a-z\{\}\[\]:, é😀]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,40}"#,
        r"(\\\\){0,70}",
        "[ -!#-\\[\\]-~]{60,70}",
    ]
    .prop_map(|content| format!("\"{content}\""));
    let scalar = prop_oneof![
        string.clone(),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
        "-?(0|[1-9][0-9]{0,3})",
        proptest::sample::select(vec!["true", "false", "null"]).prop_map(str::to_owned),
    ];
    scalar.prop_recursive(6, 120, 8, move |inner| {
        let items = proptest::collection::vec((blank(), inner.clone(), blank()), 0..8).prop_map(|items| {
            let items: Vec<_> = items.iter().map(|(a, item, b)| format!("{a}{item}{b}")).collect();
            items.join(",")
        });
        let members = proptest::collection::vec((blank(), string.clone(), blank(), blank(), inner, blank()), 0..8);
        let members = members.prop_map(|members| {
            let members: Vec<_> =
                members.iter().map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}")).collect();
            members.join(",")
        });
        prop_oneof![items.prop_map(|items| format!("[{items}]")), members.prop_map(|members| format!("{{{members}}}"))]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn parsers_agree_on_any_bytes(bytes in rich_bytes()) {
        check(&bytes);
        for (before, after) in [("{\"k\":", "}"), ("{\"id\":\"", "\"}"), ("{\"imp\":[{", "}]}"), ("{\"badv\":[", "]}")] {
            check(&[before.as_bytes(), bytes.as_slice(), after.as_bytes()].concat());
        }
    }

    #[test]
    fn the_reader_accepts_json(text in json(), distance in 0_usize..33) {
        check_inside(&text);
        let object = format!("{}{{\"k\":{text}}}", " ".repeat(distance));
        prop_assert_eq!(read(object.as_bytes()), Ok(()));
        prop_assert_eq!(read(text.as_bytes()), Ok(()));
    }

    #[test]
    fn parsers_agree_on_broken_json(
        text in json(),
        name in proptest::sample::select(vec!["k", "id", "imp", "badv", "device"]),
        edits in proptest::collection::vec(
            (any::<Index>(), proptest::sample::select(br#"{}[]:,"\ 0-.1eatn"#.to_vec()), 0..3),
            1..3,
        ),
    ) {
        let mut bytes = format!("{{\"{name}\":{text}}}").into_bytes();
        for (index, byte, action) in edits {
            let at = index.index(bytes.len());
            match action {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
            if bytes.is_empty() { break; }
        }
        check(&bytes);
        // `IgnoredAny`: other types refuse some valid JSON, for example numbers out of range.
        let other = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes);
        let is_valid = other.is_ok() && core::str::from_utf8(&bytes).is_ok();
        prop_assert_eq!(read(&bytes).is_ok(), is_valid, "{}", bytes.escape_ascii());
    }
}
