//! The findings on whole documents.

mod mistakes;
mod ssps;
mod templates;

use serde_json::{Value, json};

use super::{Compiled, Zone, compile};
use base::limits::MAX_FINDINGS;
use document::decode::{Finding, Rule};

/// A document without findings: one campaign shows one banner at one SSP.
pub(crate) fn right() -> Value {
    json!({
        "format": 1,
        "privacy": { "vendor_id": 1 },
        "rates": [{ "cur": "EUR", "usd": "1.1" }],
        "ssps": [{ "id": "a" }],
        "creatives": [{ "crid": "c", "attr": [16], "api": [8], "banner": { "w": 1, "h": 1, "adm": "<b>" } }],
        "campaigns": [{ "cid": "c", "seat": "s", "adomain": ["x.example"], "max_cpm": "1", "creatives": ["c"] }],
    })
}

/// The same document, with these members of the first entries of lists: `[("campaigns", {"cur": "EUR"})]`.
pub(crate) fn with<const N: usize>(lists: [(&str, Value); N]) -> Value {
    let mut document = right();
    for (list, more) in lists {
        document[list][0].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    document
}

/// Compiles a document with the zones of Berlin, whose summer time ends on 2026-10-25 at 1:00 UTC, and Kolkata, and with
/// zones that are plain offsets.
pub(crate) fn compiled(document: &Value) -> Result<Compiled, Vec<Finding>> {
    let berlin = Zone { name: "Europe/Berlin".to_owned(), changes: vec![(0, 120), (1_792_890_000_000, 60)] };
    let kolkata = Zone { name: "Asia/Kolkata".to_owned(), changes: vec![(0, 330)] };
    let plain = [("UTC", 0), ("EST", -300), ("+01:00", 60), ("Etc/GMT+5", -300)];
    let plain = plain.map(|(name, minutes)| Zone { name: name.to_owned(), changes: vec![(0, minutes)] });
    compile(document.to_string().as_bytes(), &[&[berlin, kolkata], plain.as_slice()].concat())
}

/// The errors and notes on a document.
pub(crate) fn found(document: &Value) -> Vec<Finding> {
    compiled(document).map_or_else(|errors| errors, |compiled| compiled.notes)
}

/// `path: message` of each error and note.
pub(crate) fn found_texts(document: &Value) -> Vec<String> {
    found(document).iter().map(ToString::to_string).collect()
}

#[test]
fn an_error_refuses_the_catalog_and_stands_before_the_notes() {
    let creative = json!({ "iurl": "http://x.example/i" });
    let document = with([("creatives", creative), ("campaigns", json!({ "creatives": ["c", "gone"] }))]);
    let rules: Vec<Rule> = compiled(&document).unwrap_err().iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, [Rule::Unknown, Rule::PlainHttp]);
}

#[test]
fn the_last_finding_tells_how_many_are_not_listed() {
    for (notes, errors, listed_notes, more) in [
        (MAX_FINDINGS, 0, MAX_FINDINGS, None),
        (MAX_FINDINGS + 1, 0, MAX_FINDINGS, Some(("1 more note", Rule::PlainHttp))),
        (MAX_FINDINGS, 7, MAX_FINDINGS - 7, Some(("7 more notes", Rule::PlainHttp))),
        (0, MAX_FINDINGS + 1, 0, Some(("1 more error", Rule::OutOfRange))),
        (3, MAX_FINDINGS + 5, 0, Some(("5 more errors and 3 more notes", Rule::OutOfRange))),
    ] {
        let noted = |i| json!({ "crid": format!("c{i}"), "banner": { "w": 1, "h": 1, "adm": "<img src=http://x>" } });
        let wrong = |i| json!({ "crid": format!("w{i}"), "banner": { "w": 0, "h": 1, "adm": "<b>" } });
        let creatives: Vec<Value> = (0..notes).map(noted).chain((0..errors).map(wrong)).collect();
        let shown: Vec<&Value> = creatives.iter().map(|creative| &creative["crid"]).collect();
        let mut document = with([("campaigns", json!({ "creatives": shown }))]);
        document["creatives"] = json!(creatives);
        let mut findings = found(&document);
        let last = findings.pop_if(|last| last.path.is_empty());
        let expected = more.map(|(more, rule)| (rule, format!("{more} not listed")));
        assert_eq!(last.map(|last| (last.rule, last.message)), expected, "{notes} {errors}");
        let kept = findings.iter().filter(|finding| finding.rule == Rule::PlainHttp).count();
        assert_eq!((findings.len(), kept), (MAX_FINDINGS, listed_notes), "{notes} {errors}");
    }
}

#[test]
fn a_campaign_without_a_budget_is_noted_where_most_have_one() {
    for (others, paused, noted) in [(1, false, 0), (2, false, 1), (9, false, 1), (2, true, 0)] {
        let mut document = right();
        let campaign = document["campaigns"][0].clone();
        let numbered = |i| {
            let mut one = campaign.clone();
            one["cid"] = json!(format!("c{i}"));
            one["budget"] = json!({ "daily": format!("5{i}") });
            one
        };
        document["campaigns"] = (0..others).map(numbered).chain([campaign.clone()]).collect();
        document["campaigns"][others]["paused"] = json!(paused);
        let expected = vec![
            format!(
                "campaigns[{others}]: no budget, so its spend has no limit; expected one, as {others} campaigns have"
            );
            noted
        ];
        assert_eq!(found_texts(&document), expected, "{others} {paused}");
    }
}

/// `path (of): message [rule]` of each finding.
fn texts(document: &str) -> Vec<String> {
    let text = |Finding { path, rule, of, message }: &Finding| format!("{path} ({of}): {message} [{rule}]");
    compile(document.as_bytes(), &[]).unwrap_err().iter().map(text).collect()
}

#[test]
fn findings_are_in_the_order_of_the_document_and_name_the_entry() {
    let document = r#"{
        "campaigns":[
            {"cid":"one","seat":"s","adomain":["x"],"max_cpm":2.5,"creatives":["a"]},
            {"cid":"two","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],"seet":1},
            {"cid":"two","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"]}
        ],
        "prebid_code":"",
        "privacy":{"bid_unregistered":false},
        "ssps":[{"id":"no/rth"}],
        "creatives":[{"crid":"a","banner":{"w":1,"h":0,"adm":"<b>"}},{"crid":"b","banner":{"w":1,"h":1,"adm":"<img src=http://b>"}}],
        "rates":[{"cur":"EUR","usd":"-1"}]
    }"#;
    let found = compile(document.as_bytes(), &[]).unwrap_err();
    let found: Vec<(String, String)> = found.into_iter().map(|finding| (finding.path, finding.of)).collect();
    let expected = [
        ("campaigns[0].adomain[0]", "one"),
        ("campaigns[0].max_cpm", "one"),
        ("campaigns[1].seet", "two"),
        ("campaigns[2].cid", "two"),
        ("prebid_code", ""),
        ("ssps[0].id", "no/rth"),
        ("creatives[0].banner.h", "a"),
        ("rates[0].usd", "EUR"),
        ("format", ""),
        ("creatives[1]", "b"),
    ];
    assert_eq!(found, expected.map(|(path, of)| (path.to_owned(), of.to_owned())));
}

#[test]
fn findings_after_an_unreadable_entry_name_no_entry() {
    let mut document = with([("campaigns", json!({ "adomain": ["x"] }))]);
    let creatives = document["creatives"].as_array_mut().unwrap();
    creatives.insert(0, json!(5));
    creatives.push(json!({ "crid": "b", "banner": { "w": 0, "h": 1, "adm": "<b>" } }));
    assert_eq!(
        texts(&document.to_string()),
        [
            "campaigns[0].adomain[0] (c): \"x\"; expected a bare domain such as ford.com [out-of-range]",
            "creatives[0] (): the number 5; expected an object [unreadable]",
            "creatives[2].banner.w (): 0; expected a positive number [out-of-range]",
        ]
    );
}

#[test]
fn every_seat_has_its_name_in_whatever_order_they_are_listed() {
    let names = [("m", "3"), ("a", "1"), ("z", "26"), ("b", "b"), ("c", "2")];
    let seats: Value = names.iter().map(|(seat, name)| json!({ "seat": seat, "name": name })).collect();
    let compiled = compiled(&with([("ssps", json!({ "seats": seats }))])).unwrap();
    let catalog = compiled.snapshot.catalog();
    let ssp = catalog.parts().ssp(0);
    for (seat, name) in names.into_iter().chain([("", ""), ("d", "d"), ("zz", "zz")]) {
        assert_eq!(ssp.name_of(seat), name);
    }
}

#[test]
fn a_json_error_tells_line_and_column() {
    for (text, expected) in [
        ("{\n  \"é\": 1,\n}", " (): line 3, column 1: not JSON: '}'; expected a name in double quotes [not-json]"),
        ("{\"é\" 1}", " (): line 1, column 6: not JSON: '1'; expected a colon [not-json]"),
        (
            "\u{feff}{}",
            " (): not JSON: it starts with a byte order mark (U+FEFF), which some editors write; expected UTF-8 without a byte order mark [not-json]",
        ),
        (
            "{\n",
            " (): line 2, column 1: not JSON: the end of the text; expected a name in double quotes, or } [not-json]",
        ),
        ("[1 é]", " (): line 1, column 4: not JSON: 'é'; expected a comma, or ] [not-json]"),
    ] {
        assert_eq!(texts(text), [expected]);
    }
    assert_eq!(texts("[]"), [" (): an array; expected an object [unreadable]".to_owned()]);
}
