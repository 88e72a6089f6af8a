//! The quick judge against the slow one, and both against `serde_json`.

use proptest::prelude::*;

use super::{Index, plain, scan};

/// What the judges must agree on, for a text that is an object.
fn check(text: &[u8]) {
    let (mut quick, mut slow) = (Index::default(), Index::default());
    let judged = plain::scan(&mut slow, text);
    let is_object = text.trim_ascii_start().first() == Some(&b'{');
    let accepted = scan::scan(&mut quick, text);
    assert_eq!(accepted, judged.is_ok() && is_object, "{judged:?}: {}", text.escape_ascii());
    if accepted {
        let blocks = text.len().div_ceil(64);
        assert_eq!(quick.blocks[..blocks], slow.blocks[..blocks]);
        check_closes(&quick, text);
    }
}

/// Compares the ends of containers with those that a stack finds.
fn check_closes(index: &Index, text: &[u8]) {
    let mut open = Vec::new();
    for at in 0..text.len() {
        if index.blocks[at / 64].open >> (at % 64) & 1 == 1 {
            open.push(at);
        } else if index.blocks[at / 64].close >> (at % 64) & 1 == 1 {
            assert_eq!(index.close_of(open.pop().unwrap()), at, "{}", text.escape_ascii());
        }
    }
}

/// Checks a text at every distance from a block's start.
fn check_everywhere(text: &str) {
    for distance in 0..=64 {
        check(format!("{}{text}", " ".repeat(distance)).as_bytes());
        check(format!("{{\"{}\":{text}}}", "k".repeat(distance)).as_bytes());
        check(format!("{{\"k\":[{}{text}]\n}}", "0 , ".repeat(distance)).as_bytes());
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn accepted_and_refused_at_every_distance() {
    for text in [
        "{}",
        "[]",
        "{ }",
        "[ \n ]",
        r#"{"a":1}"#,
        r#"{"a" : 1 , "b" : [ 2 , "c" ] }"#,
        r#"{"a":{"b":{"c":[[],[{}]]}}}"#,
        r#"["a","b"]"#,
        r#"["a",{"b":"c"},"d"]"#,
        r#"[{"a":1},{"b":2}]"#,
        r#""a\"b""#,
        r#""\\""#,
        r#""\\\"""#,
        r#""\\\\\\\\""#,
        r#""\u00e9\n\/""#,
        r#""{[:,]}""#,
        "-0.5e+10",
        "true",
        "false",
        "null",
        "10",
        "0",
        "\"\"",
        "\"é\"",
        "\"\u{7f}\"",
        "[1,2.5,-3,1e5,true,null]",
        // Refused:
        "",
        "}",
        "]",
        "{",
        "[",
        ",",
        ":",
        "{]",
        "[}",
        "{}}",
        "[]]",
        "{}{}",
        "{},{}",
        "{},",
        "{}:",
        "{} 1",
        "{}\"\"",
        "[,]",
        "[1,]",
        "[,1]",
        "[1,,2]",
        "[1 2]",
        r#"["a" "b"]"#,
        r#"["a""b"]"#,
        "[1:2]",
        r#"["a":1]"#,
        r#"[1,"a":1]"#,
        r#"[{},"a":1]"#,
        r#"[{"b":1},"a":1]"#,
        "{,}",
        r#"{"a"}"#,
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
        "{1:2}",
        "{null:1}",
        "{{}:1}",
        "{[]:1}",
        r#"{"a" 1}"#,
        "{:1}",
        r#"{"a":1 "b":2}"#,
        r#"{"a":[1,"b":2]}"#,
        r#"[{"a":1,"b"]"#,
        "\"",
        r#""\""#,
        r#""\x""#,
        r#""\u12g4""#,
        r#""\u12""#,
        r"\",
        r#"\"a""#,
        "\"\n\"",
        "\"\t\"",
        "\"\0\"",
        "\u{1}",
        "\u{b}",
        "\u{c}",
        "\u{a0}",
        "\u{feff}{}",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "--1",
        "1-",
        "1.5.5",
        "1e5e5",
        "tru",
        "truE",
        "nul",
        "nulll",
        "True",
        "NaN",
        "Infinity",
        "0x1",
        "1a",
        "'a'",
        "// a",
        "/**/1",
        "1_000",
        "[1]a",
        "a[1]",
        "{}a",
        "1\"a\"",
        "\"a\"1",
        "12\u{1}",
        "1{",
        "1[",
        "é",
    ] {
        check_everywhere(text);
    }
}

#[test]
fn nesting_ends_at_the_limit() {
    for depth in 60..70 {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = format!("{{\"k\":{}1{}}}", open.repeat(depth - 1), close.repeat(depth - 1));
            let mut index = Index::default();
            // The quick judge leaves the deepest allowed levels to the slow one.
            assert_eq!(scan::scan(&mut index, text.as_bytes()), depth < crate::limits::MAX_DEPTH - 1, "{depth}");
            assert_eq!(index.build(text.as_bytes()).is_ok(), depth <= crate::limits::MAX_DEPTH, "{depth}");
        }
    }
    // Far too deep, and closed only in part.
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for closed in 0..=140 {
            for value in ["1", "{\"a\":", "[{", "[]"] {
                let text = format!("{{\"k\":{}{value}{}", open.repeat(70), close.repeat(closed));
                assert!(!scan::scan(&mut Index::default(), text.as_bytes()), "{text}");
                assert!(Index::default().build(text.as_bytes()).is_err(), "{text}");
            }
        }
    }
    for brackets in ["[", "{", "]", "}", "[]", "[[]", "[]]", "{\"a\":", "[{}", "}}"] {
        for count in 1..150 {
            let many = brackets.repeat(count);
            for text in
                [format!("{{\"k\":{many}"), format!("{{{many}"), format!("{{}}{many},{{"), format!("{{}}{many},{{}}")]
            {
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
        assert_eq!(Index::default().build(text.as_bytes()), Err(at), "{text}");
    }
}

#[test]
fn an_index_can_be_used_again() {
    let mut index = Index::default();
    for text in [r#"{"a":["\n",{}]}"#, "{", "[1,2]", "{}"] {
        let mut fresh = Index::default();
        assert_eq!(index.build(text.as_bytes()), fresh.build(text.as_bytes()));
        if fresh.build(text.as_bytes()).is_ok() {
            assert_eq!(index.blocks[0], fresh.blocks[0]);
            assert_eq!(index.blocks[1].marks, 0);
            assert_eq!(index.close_of(0), text.len() - 1);
        }
    }
}

/// Bytes of which nearly all mean something.
fn rich_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        8 => proptest::sample::select(br#"{}[]:,"\ "#.to_vec()),
        3 => proptest::sample::select(b"0123456789-+.eEtrufalsn/bx\n\t\r\0\x1f".to_vec()),
        1 => any::<u8>(),
    ];
    proptest::collection::vec(byte, 0..300)
}

/// JSON, with white space in most places where it may be.
pub(super) fn json() -> impl Strategy<Value = String> {
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
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn judges_agree_on_anything(bytes in rich_bytes()) {
        check(&bytes);
        check(&[b"{\"k\":", bytes.as_slice(), b"}"].concat());
        check(&[b"{\"k\":\"", bytes.as_slice(), b"\"}"].concat());
    }

    #[test]
    fn judges_accept_json(text in json(), distance in 0_usize..64) {
        let object = format!("{}{{\"k\":{text}}}", " ".repeat(distance));
        check(object.as_bytes());
        prop_assert_eq!(Index::default().build(object.as_bytes()), Ok(()));
        prop_assert_eq!(Index::default().build(text.as_bytes()), Ok(()));
    }

    #[test]
    fn judges_agree_on_broken_json(
        text in json(),
        distance in 0_usize..64,
        wounds in proptest::collection::vec((any::<proptest::sample::Index>(), proptest::sample::select(br#"{}[]:,"\ 0-.1eatn"#.to_vec()), 0..3), 1..3),
    ) {
        let mut bytes = format!("{}{{\"k\":{text}}}", " ".repeat(distance)).into_bytes();
        for (place, byte, act) in wounds {
            let place = place.index(bytes.len());
            match act {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => { bytes.remove(place); }
            }
            if bytes.is_empty() { break; }
        }
        check(&bytes);
        // serde_json refuses some JSON when it has to read it (numbers out of range), but not when
        // it ignores it; and it checks UTF-8 where this does not.
        if core::str::from_utf8(&bytes).is_ok() {
            let other = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes);
            prop_assert_eq!(Index::default().build(&bytes).is_ok(), other.is_ok(), "{}", bytes.escape_ascii());
        }
    }
}
