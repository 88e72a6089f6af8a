//! The findings on whole documents.

mod mistakes;
mod ssps;

use super::compile;
use crate::decode::{Finding, Rule};
use bidder_wasm::limits::MAX_FINDINGS;

const CREATIVE: &str = r#"{"crid":"a","banner":{"w":1,"h":1,"adm":"<b>a</b>"}}"#;
const CAMPAIGN: &str = r#"{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"]}"#;

fn document(creatives: &str, campaigns: &str) -> String {
    format!(
        r#"{{"format":1,"privacy":{{"bid_unregistered":false}},"ssps":[{{"id":"north"}}],"creatives":[{creatives}],"campaigns":[{campaigns}]}}"#
    )
}

/// Whether the document is refused, and its findings.
fn found(document: &str) -> (bool, Vec<Finding>) {
    match compile(document.as_bytes(), &[]) {
        Ok(compiled) => (false, compiled.notes),
        Err(findings) => (true, findings),
    }
}

#[test]
fn an_error_refuses_the_catalog_and_stands_before_the_notes() {
    let creative = r#"{"crid":"a","iurl":"http://x.example/i","banner":{"w":1,"h":1,"adm":"<b>"}}"#;
    let (refused, findings) = found(&document(creative, &CAMPAIGN.replace("[\"a\"]", "[\"gone\"]")));
    let rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!((refused, rules), (true, vec![Rule::Unknown, Rule::PlainHttp]));
}

#[test]
fn the_last_finding_tells_how_many_are_not_listed() {
    let listed = |count: usize, entry: &dyn Fn(usize) -> String| (0..count).map(entry).collect::<Vec<_>>().join(",");
    let noted = |i: usize| format!(r#"{{"crid":"c{i}","banner":{{"w":1,"h":1,"adm":"http://{i}"}}}}"#);
    let wrong = |i: usize| format!(r#"{{"crid":"w{i}","banner":{{"w":0,"h":1,"adm":"<b>"}}}}"#);
    for (notes, errors, listed_notes, more) in [
        (MAX_FINDINGS, 0, MAX_FINDINGS, None),
        (MAX_FINDINGS + 1, 0, MAX_FINDINGS, Some(("1 more note", Rule::PlainHttp))),
        (MAX_FINDINGS, 7, MAX_FINDINGS - 7, Some(("7 more notes", Rule::PlainHttp))),
        (0, MAX_FINDINGS + 1, 0, Some(("1 more error", Rule::OutOfRange))),
        (3, MAX_FINDINGS + 5, 0, Some(("5 more errors and 3 more notes", Rule::OutOfRange))),
    ] {
        let all = [listed(notes, &noted), listed(errors, &wrong)];
        let all: Vec<&str> = all.iter().map(String::as_str).filter(|list| !list.is_empty()).collect();
        let (refused, mut findings) = found(&document(
            &all.join(","),
            &CAMPAIGN.replace("[\"a\"]", if notes > 0 { "[\"c0\"]" } else { "[\"w0\"]" }),
        ));
        let last = findings.pop_if(|last| last.path.is_empty());
        let expected = more.map(|(more, rule)| (rule, format!("{more} not listed")));
        assert_eq!((refused, last.map(|last| (last.rule, last.message))), (errors > 0, expected), "{notes} {errors}");
        let kept = findings.iter().filter(|finding| finding.rule == Rule::PlainHttp).count();
        assert_eq!((findings.len(), kept), (MAX_FINDINGS, listed_notes), "{notes} {errors}");
    }
}

/// `path (of): message [rule]` of each finding.
fn texts(document: &str) -> Vec<String> {
    let text = |Finding { path, rule, of, message }: &Finding| format!("{path} ({of}): {message} [{rule}]");
    found(document).1.iter().map(text).collect()
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
        "creatives":[{"crid":"a","banner":{"w":1,"h":0,"adm":"<b>"}},{"crid":"b","banner":{"w":1,"h":1,"adm":"http://b"}}],
        "rates":[{"cur":"EUR","usd":"-1"}]
    }"#;
    let found: Vec<(String, String)> =
        found(document).1.into_iter().map(|finding| (finding.path, finding.of)).collect();
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
    let creatives = format!(r#"5,{CREATIVE},{{"crid":"b","banner":{{"w":0,"h":1,"adm":"<b>"}}}}"#);
    let campaign = CAMPAIGN.replace("x.example", "x");
    assert_eq!(
        texts(&document(&creatives, &campaign)),
        [
            "creatives[0] (): the number 5; expected an object [unreadable]",
            "creatives[2].banner.w (): 0; expected a positive number [out-of-range]",
            "campaigns[0].adomain[0] (c): \"x\"; expected a bare domain such as ford.com [out-of-range]",
        ]
    );
}

#[test]
fn every_seat_has_its_name_in_whatever_order_they_are_listed() {
    let names = [("m", "3"), ("a", "1"), ("z", "26"), ("b", "b"), ("c", "2")];
    let seats = names.map(|(seat, name)| format!(r#"{{"seat":"{seat}","name":"{name}"}}"#)).join(",");
    let document = document(CREATIVE, CAMPAIGN).replace(r#""north""#, &format!(r#""north","seats":[{seats}]"#));
    let compiled = compile(document.as_bytes(), &[]).unwrap();
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
