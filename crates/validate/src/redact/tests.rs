//! What is kept, what is left out, and what hostile input does.

use std::collections::BTreeSet;

use base::limits::MAX_DEPTH;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::strict::validate;

use super::{Kept, Type, consent, redact, spec};

/// The names of all attributes below the request that are kept, and of those that are left out.
fn names() -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let (mut kept, mut left_out) = (BTreeSet::new(), BTreeSet::new());
    let mut kinds = vec!["BidRequest"];
    while let Some(kind) = kinds.pop() {
        for known in spec::kept(kind) {
            match known.of {
                _ if known.kept == Kept::Nothing => drop(left_out.insert(known.name)),
                Type::Object(inner) => kinds.push(inner),
                Type::Native => kinds.push("NativeContent"),
                _ => {}
            }
            if known.kept != Kept::Nothing {
                kept.insert(known.name);
            }
        }
    }
    (kept, left_out)
}

/// Attributes that a decision may read and that are never kept.
const IDENTIFYING: &str = "buyeruid data eids id ifa ip ipv6 zip";

fn redacted(request: &Value) -> Value {
    let mut out = String::new();
    redact(request.to_string().as_bytes(), &mut out).expect("an object");
    serde_json::from_str(&out).expect("JSON")
}

/// A core segment of the TCF: version 2, a time twice, policy version 4, and answers.
fn tcf(time: &str) -> String {
    format!("C{time}{time}ABcAAABENEgAAAAAAAAAAAAAAAAAAAAA")
}

#[test]
fn what_a_decision_reads_stays_and_what_names_a_person_goes() {
    let [request, expected] = [include_str!("tests/request.json"), include_str!("tests/redacted.json")]
        .map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
    assert_eq!(redacted(&request), expected);
}

#[test]
fn values_of_other_types_hide_earlier_members_and_keep_nothing() {
    let mut out = String::new();
    let body = r#"{"id":{"secret":1},"imp":"secret","at":[1,[2],{"secret":3},null],"device":{"geo":{"lat":true,"lon":181}},
        "site":{"page":5},"user":{"consent":7},"tmax":1e2,"at":-0,"cur":["\ud83d\ude00\u0000\""]}"#;
    redact(body.as_bytes(), &mut out).expect("an object");
    assert_eq!(
        out,
        concat!(
            r#"{"id":{"?":0},"imp":null,"at":[1,null,null,null],"device":{"geo":{"lat":null,"lon":null}},"#,
            r#""site":{"page":null},"user":{"consent":null},"tmax":1e2,"at":-0,"cur":["😀\u0000\""]}"#
        )
    );
}

#[test]
fn the_document_in_a_native_request_is_redacted_too() {
    let inner = json!({"ver": "1.2", "secret": 1, "assets": [{"id": 1, "title": {"len": 90, "ext": {"secret": 2}}}]});
    let of = |inner: Value| redacted(&json!({"imp": [{"native": {"request": inner, "ver": "1.2"}}]}));
    let kept = json!({"ver": "1.2", "assets": [{"id": 1, "title": {"len": 90}}]});
    let text = of(json!(inner.to_string()))["imp"][0]["native"]["request"].as_str().map(str::to_owned);
    assert_eq!(serde_json::from_str::<Value>(&text.expect("a text")).expect("JSON"), kept);
    assert_eq!(of(json!({"native": inner}))["imp"][0]["native"]["request"], json!({"native": kept}));
    assert_eq!(of(json!("secret"))["imp"][0]["native"]["request"], json!(""));
}

#[test]
fn consent_strings_keep_answers_without_times() {
    // A time within a day, and the first day with the same rules: 1970-01-01, 2023-10-01, 2026-03-01.
    for (time, day) in [("Py69RA", "AAAAAA"), ("Py-QNA", "Py9yEA"), ("QgV8JA", "Py9yEA"), ("QgZPFA", "QgYw8A")] {
        let kept = consent::tcf(&format!("{}.YAAAAAAAAAA.IADkIAAA.QADkIAAA", tcf(time)));
        assert_eq!(kept, format!("{}.IADkIAAA", tcf(day)), "{time}");
    }
    assert_eq!(consent::tcf(&tcf("QgV8JA")), tcf("Py9yEA"));
    let refused = [tcf("QgZPFA"), tcf("QgZPFA") + ".secret", tcf("AAAAAA") + ".IADkIAAA.IADkIAAA"];
    let unreadable = ["secret", "BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA", "C", "CPé", "CQABCDEFGHIJK secret"];
    for text in unreadable.into_iter().chain(refused.iter().map(String::as_str)) {
        assert_eq!(consent::tcf(text), "-", "{text}");
    }
    assert_eq!(consent::tcf(""), "");
    // Sections 2 and 6, as in the specification's example.
    let gpp = format!("DBACNYA~{}~1YNN", "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA");
    let kept = consent::gpp(&gpp);
    assert_eq!(kept.split('~').next(), gpp.split('~').next());
    assert!(!kept.contains("PXxRfAPXxRf"), "{kept}");
    assert_eq!(consent::gpp("secret~secret"), "-");
    assert_eq!(consent::gpp(""), "");
    assert_eq!(consent::us_privacy("1YNN-secret"), "-");
}

/// The positions and rules of the findings on a request.
fn findings(body: &[u8]) -> BTreeSet<(String, String)> {
    let found = validate(body).unwrap_or_default();
    found.into_iter().map(|finding| (finding.path, format!("{:?}", finding.rule))).collect()
}

#[test]
fn a_kept_request_has_no_mistake_that_the_exchange_did_not_make() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/");
    let mut with_chain = 0;
    for folder in ["bid", "no-bid"] {
        for file in std::fs::read_dir(format!("{fixtures}{folder}")).expect("a folder") {
            let body = std::fs::read(file.expect("a file").path()).expect("a fixture");
            let mut kept = String::new();
            redact(&body, &mut kept).expect("an object");
            let [before, after] = [findings(&body), findings(kept.as_bytes())];
            assert!(after.is_subset(&before), "{:?} in {kept}", after.difference(&before));
            with_chain += usize::from(kept.contains("\"schain\""));
        }
    }
    assert!(with_chain > 5, "{with_chain}");
}

#[test]
fn identifiers_are_left_out_and_everything_else_that_a_decision_reads_is_kept() {
    let (kept, left_out) = names();
    assert_eq!(left_out, IDENTIFYING.split(' ').collect());
    assert!(kept.len() > 150, "{}", kept.len());
}

#[test]
fn only_objects_that_are_not_too_deep_are_redacted() {
    let mut out = String::new();
    for body in ["", "null", "[]", "[{}]", "\"text\"", "{", "{\"id\":1}x", "\u{feff}{}", "{\"a\":\u{1}}"] {
        assert!(redact(body.as_bytes(), &mut out).is_err(), "{body}");
    }
    for (deep, is_taken) in [(MAX_DEPTH - 2, true), (MAX_DEPTH, false)] {
        let body = format!("{{\"imp\":{}{}}}", "[".repeat(deep), "]".repeat(deep));
        assert_eq!(redact(body.as_bytes(), &mut String::new()).is_ok(), is_taken);
    }
}

/// The text that a generated request has in each position with an identifier.
const PLANTED: &str = "planted-identifier";

/// Any JSON with names that are kept or identifying. An identifying or unknown name always has the planted text below it.
fn any_value() -> impl Strategy<Value = Value> {
    let known: Vec<&str> = names().0.into_iter().collect();
    let secret: Vec<&str> = ["buyeruid", "eids", "uids", "ifa", "mm", "zip"]
        .into_iter()
        .chain(["ip", "ipv6", "customdata", "tid", "didsha1", "macmd5", "idfv", "sessionid", "search", "ref", "zzz"])
        .collect();
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::from),
        (-200.0..200.0).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        Just(Value::Null),
        Just(json!("https://host.example/path?query")),
    ];
    leaf.prop_recursive(6, 80, 8, move |inner| {
        let planted = prop_oneof![
            Just(json!(PLANTED)),
            Just(json!([{"id": PLANTED}])),
            Just(json!({"uids": [{"id": PLANTED}], "id": PLANTED}))
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            (
                prop::collection::vec((prop::sample::select(known.clone()), inner), 0..6),
                prop::collection::vec((prop::sample::select(secret.clone()), planted), 0..3),
            )
                .prop_map(|(kept, secret)| {
                    kept.into_iter().chain(secret).map(|(name, value)| (name.to_owned(), value)).collect()
                }),
        ]
    })
}

proptest! {
    #[test]
    fn no_identifier_of_a_generated_request_survives(device in any_value(), imp in any_value(), ext in any_value(), position in any_value()) {
        let request = json!({
            "id": "r1", "device": device, "imp": [imp], "ext": ext, "site": position, "buyeruid": PLANTED,
            "user": {"id": PLANTED, "ext": {"consent": PLANTED, "eids": PLANTED}, "data": [{"segment": {"value": PLANTED}}]},
            "regs": {"gpp": PLANTED, "us_privacy": PLANTED},
        });
        let text = request.to_string();
        let mut once = String::new();
        redact(text.as_bytes(), &mut once).expect("an object");
        prop_assert!(!once.contains(PLANTED), "{}", once);
        // A consent string, a position and a page may each become a few bytes longer.
        prop_assert!(once.len() <= 4 * text.len());
        let mut twice = String::new();
        redact(once.as_bytes(), &mut twice).expect("an object");
        let [once, twice]: [Value; 2] = [once, twice].map(|text| serde_json::from_str(&text).expect("JSON"));
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,40}", cut in 0..400_usize) {
        let _ = redact(&bytes, &mut String::new());
        let whole = json!({"imp": [{"native": {"request": text}}], "user": {"consent": text}, "site": {"page": text},
            "device": {"geo": {"lat": text}}, "regs": {"gpp": format!("DBACNYA~{text}~{text}"), "us_privacy": text}}).to_string();
        let mut out = String::new();
        redact(whole.as_bytes(), &mut out).expect("an object");
        prop_assert!(serde_json::from_str::<Value>(&out).is_ok());
        let _ = redact(whole.as_bytes().get(..cut).unwrap_or_default(), &mut String::new());
    }
}
