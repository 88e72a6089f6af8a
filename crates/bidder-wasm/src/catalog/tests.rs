//! What is told of whole documents.

use super::compile;
use crate::decode::{Finding, Rule};
use crate::limits::MAX_FINDINGS;

const CREATIVE: &str = r#"{"crid":"a","banner":{"w":1,"h":1,"adm":"<b>a</b>"}}"#;
const CAMPAIGN: &str = r#"{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["a"]}"#;

fn document(creatives: &str, campaigns: &str) -> String {
    format!(r#"{{"format":1,"ssps":[{{"id":"north"}}],"creatives":[{creatives}],"campaigns":[{campaigns}]}}"#)
}

/// Whether the document is refused, and all findings.
fn found(document: &str) -> (bool, Vec<Finding>) {
    match compile(document.as_bytes(), &[]) {
        Ok(snapshot) => (false, snapshot.notes().to_vec()),
        Err(findings) => (true, findings),
    }
}

#[test]
fn plain_http_is_noted_and_refuses_nothing() {
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
            campaign(r#""burl":"https://x.example/b","lurl":"https://x.example/?to=http%3A%2F%2Fy""#),
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
fn a_mistake_refuses_the_catalog_with_its_notes() {
    let creative = r#"{"crid":"a","iurl":"http://x.example/i","banner":{"w":1,"h":1,"adm":"<b>"}}"#;
    let (refused, findings) = found(&document(creative, &CAMPAIGN.replace("[\"a\"]", "[\"gone\"]")));
    let rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!((refused, rules), (true, vec![Rule::PlainHttp, Rule::Unknown]));
}

#[test]
fn findings_end_with_how_many_more_there_are() {
    let listed = |count: usize, entry: &dyn Fn(usize) -> String| (0..count).map(entry).collect::<Vec<_>>().join(",");
    let noted = |i: usize| format!(r#"{{"crid":"c{i}","banner":{{"w":1,"h":1,"adm":"http://{i}"}}}}"#);
    let wrong = |i: usize| format!(r#"{{"crid":"w{i}","banner":{{"w":0,"h":1,"adm":"<b>"}}}}"#);
    for (notes, mistakes, noted_in_it, more) in [
        (MAX_FINDINGS, 0, MAX_FINDINGS, None),
        (MAX_FINDINGS + 5, 0, MAX_FINDINGS, Some((5, Rule::PlainHttp))),
        (MAX_FINDINGS, 7, MAX_FINDINGS - 7, Some((7, Rule::OutOfRange))),
        (3, MAX_FINDINGS + 5, 0, Some((8, Rule::OutOfRange))),
    ] {
        let all = [listed(notes, &noted), listed(mistakes, &wrong)];
        let all: Vec<&str> = all.iter().map(String::as_str).filter(|list| !list.is_empty()).collect();
        let (refused, mut findings) = found(&document(&all.join(","), ""));
        let last = findings.pop_if(|last| last.path.is_empty());
        let told = more.map(|(more, rule)| (rule, format!("{more} more findings, which are not listed")));
        assert_eq!((refused, last.map(|last| (last.rule, last.message))), (mistakes > 0, told), "{notes} {mistakes}");
        let kept = findings.iter().filter(|finding| finding.rule == Rule::PlainHttp).count();
        assert_eq!((findings.len(), kept), (MAX_FINDINGS, noted_in_it), "{notes} {mistakes}");
    }
}
