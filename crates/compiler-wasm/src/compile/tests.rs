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
fn plain_http_is_only_noted() {
    let creative = |ad: &str| document(&format!(r#"{{"crid":"a",{ad}}}"#), CAMPAIGN);
    let video = |urls: &str| creative(&format!(r#""video":{{"dur":6,"protocol":3,"w":1,"h":1,{urls}}}"#));
    let campaign = |more: &str| document(CREATIVE, &CAMPAIGN.replace(r#""seat""#, &format!(r#"{more},"seat""#)));
    for (document, path, url) in [
        (
            creative(r#""banner":{"w":1,"h":1,"adm":"<img src=\"HTTP://x.example/a?b\">"}"#),
            "creatives[0]",
            "HTTP://x.example/a?b",
        ),
        (
            creative(r#""iurl":"http://x.example/i","banner":{"w":1,"h":1,"adm":"<b>"}"#),
            "creatives[0]",
            "http://x.example/i",
        ),
        (video(r#""media":[{"url":"http://x.example/m","mime":"video/mp4"}]"#), "creatives[0]", "http://x.example/m"),
        (creative(r#""native":{"title":"t","link":"http://x.example/l"}"#), "creatives[0]", "http://x.example/l"),
        (campaign(r#""nurl":"http://x.example/n""#), "campaigns[0].nurl", "http://x.example/n"),
        (
            campaign(r#""nurl":"https://x.example/b","lurl":"https://x.example/?to=http%3A%2F%2Fy""#),
            "campaigns[0].lurl",
            "http%3A%2F%2Fy",
        ),
    ] {
        let (refused, findings) = found(&document);
        let [finding] = &findings[..] else { panic!("{document}: {findings:?}") };
        assert_eq!((refused, finding.path.as_str(), finding.rule), (false, path, Rule::PlainHttp), "{document}");
        assert!(finding.message.starts_with(&format!("{url:?} is plain http")), "{finding}");
    }
    for document in [
        document(CREATIVE, CAMPAIGN),
        creative(r#""iurl":"https://x.example/http","banner":{"w":1,"h":1,"adm":"<a href=\"https://x.example\">"}"#),
        campaign(r#""nurl":"https://x.example/n""#),
    ] {
        assert_eq!(found(&document), (false, vec![]), "{document}");
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
    let text = |Finding { path, rule, of, message }: &Finding| format!("{path} ({of}): {message} [{}]", rule.as_str());
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

#[test]
fn a_price_in_the_wrong_unit_is_noted_or_refused() {
    let priced = |price: &str, ceiling: &str| {
        let campaign = CAMPAIGN.replace(r#""max_cpm":"1""#, &format!(r#""max_cpm":{price}"#));
        let format = format!(r#""format":1,{ceiling}"rates":[{{"cur":"JPY","usd":"0.0065"}}]"#);
        let found = found(&document(CREATIVE, &campaign).replace(r#""format":1"#, &format));
        (
            found.0,
            found.1.into_iter().map(|finding| format!("{finding} [{}]", finding.rule.as_str())).collect::<Vec<_>>(),
        )
    };
    let unit = "expected a decimal string of units such as \"2.50\", or an integer of micros such as 2500000";
    let low = format!("is under 0.01 per thousand impressions; {unit} [ambiguous]");
    let high = format!(
        "is over the catalog's ceiling of 200 US dollars per thousand impressions; {unit}, or a higher max_cpm_ceiling beside campaigns [out-of-range]"
    );
    for (price, refused, message) in [
        ("2500", false, format!("0.0025 USD {low}")),
        ("9999", false, format!("0.009999 USD {low}")),
        (r#""2500000""#, true, format!("2500000 USD {high}")),
        (r#""200.000001""#, true, format!("200.000001 USD {high}")),
        (r#""30769.230770","cur":"JPY""#, true, format!("30769.23077 JPY {high}")),
    ] {
        assert_eq!(priced(price, ""), (refused, vec![format!("campaigns[0].max_cpm: {message}")]), "{price}");
    }
    let (refused, found) = priced("3", "");
    assert!(
        refused && found[0].starts_with("campaigns[0].max_cpm: the number 3; expected a decimal string"),
        "{found:?}"
    );
    for (price, ceiling) in [
        ("10000", ""),
        ("2500000", ""),
        (r#""200""#, ""),
        (r#""30769.230769","cur":"JPY""#, ""),
        (r#""1000""#, r#""max_cpm_ceiling":"1000","#),
    ] {
        assert_eq!(priced(price, ceiling), (false, vec![]), "{price}");
    }
    assert!(priced(r#""10.01""#, r#""max_cpm_ceiling":10000000,"#).1[0].contains("ceiling of 10 US dollars"));
}
