use crate::catalog::compile;
use crate::catalog::document::TargetEntry;
use crate::decode::{Finding, Object};

const CREATIVES: &str = r#"{"crid":"banner","banner":{"w":1,"h":1,"adm":"<b>"}},{"crid":"audio","audio":{"dur":5,"protocol":3,"media":[{"url":"https://c.example/1","mime":"audio/mp4"}]}}"#;

/// `path rule` of each note on a catalog of these SSPs and campaigns; it is not refused.
fn noted(ssps: &str, campaigns: &str) -> Vec<String> {
    let document = format!(r#"{{"format":1,"ssps":[{ssps}],"creatives":[{CREATIVES}],"campaigns":[{campaigns}]}}"#);
    let snapshot = compile(document.as_bytes(), &[]).unwrap_or_else(|findings| panic!("{document}: {findings:?}"));
    snapshot.notes().iter().map(|Finding { path, rule, .. }| format!("{path} {}", rule.as_str())).collect()
}

fn campaign(more: &str) -> String {
    format!(r#"{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["banner","audio"],{more}}}"#)
}

/// The same without what is in front of every path.
fn of_target(target: &str) -> Vec<String> {
    let notes = noted(r#"{"id":"a"}"#, &campaign(&format!(r#""target":{{{target}}}"#)));
    notes.iter().map(|note| note.replace("campaigns[0].target.", "")).collect()
}

#[test]
fn what_is_included_and_excluded_is_noted() {
    for (target, notes) in [
        (r#""country":{"include":["DEU","fra"],"exclude":["FRA","ITA"]}"#, &["country.include[1] contradiction"][..]),
        (r#""country":{"include":["DEU"],"exclude":["deu","FRA"]}"#, &["country no-bids"]),
        (r#""devicetype":{"include":[1,2],"exclude":[2]}"#, &["devicetype.include[1] contradiction"]),
        (
            r#""domain":{"include":["a.x.example","y.example"],"exclude":["www.x.example"]}"#,
            &["domain.include[0] contradiction"],
        ),
        (r#""domain":{"include":["x.example"],"exclude":["a.x.example"]}"#, &[]),
        (
            r#""segment":{"include":[{"provider":"p","id":"1"}],"exclude":[{"provider":"p","id":"1"}]}"#,
            &["segment no-bids"],
        ),
        (r#""segment":{"include":[{"provider":"p","id":"1"}],"exclude":[{"provider":"q","id":"1"}]}"#, &[]),
    ] {
        assert_eq!(of_target(target), notes, "{target}");
    }
}

/// So that no list of a target is forgotten.
#[test]
fn every_list_of_a_target_is_looked_at() {
    let mut looked_at = 0;
    for attribute in TargetEntry::ATTRIBUTES {
        let name = attribute.wire;
        for value in [r#""de""#, r#""deu""#, "1"] {
            let target = format!(r#""{name}":{{"include":[{value}],"exclude":[{value}]}}"#);
            let document = format!(
                r#"{{"format":1,"ssps":[],"creatives":[{CREATIVES}],"campaigns":[{}]}}"#,
                campaign(&format!(r#""target":{{{target}}}"#))
            );
            let Ok(snapshot) = compile(document.as_bytes(), &[]) else { continue };
            let is_told = |finding: &Finding| finding.message.starts_with("all that is included is excluded");
            assert!(snapshot.notes().iter().any(is_told), "{target}");
            looked_at += 1;
        }
    }
    assert!(looked_at >= 24 + 9, "{looked_at}");
}

#[test]
fn a_region_without_its_country_is_noted() {
    for (target, notes) in [
        (r#""region":{"include":["US-CA","BE"]}"#, &["region ambiguous"][..]),
        (r#""region":{"exclude":["CA"]},"country":{"exclude":["USA"]}"#, &["region ambiguous"]),
        (r#""region":{"include":["CA"]},"country":{"include":["USA"]}"#, &[]),
        (r#""region":{"include":["US-CA"]}"#, &[]),
        (r#""region":{"include":["US-CA","US-NY"]},"country":{"include":["DEU"]}"#, &["region no-bids"]),
        (r#""region":{"include":["US-CA","DE-BE"]},"country":{"include":["DEU"]}"#, &[]),
        (r#""region":{"include":["US-CA"]},"country":{"exclude":["USA"]}"#, &["region no-bids"]),
    ] {
        assert_eq!(of_target(target), notes, "{target}");
    }
}

#[test]
fn targets_that_exclude_each_other_are_noted() {
    for (target, notes) in [
        (r#""channel":["site"],"bundle":{"include":["a"]}"#, &["bundle no-bids"][..]),
        (r#""channel":["site","app"],"bundle":{"include":["a"]}"#, &[]),
        (r#""channel":["site"],"bundle":{"exclude":["a"]}"#, &[]),
        (r#""channel":["dooh"],"buyeruid":true"#, &["buyeruid no-bids"]),
        (r#""channel":["dooh","app"],"eids":{"include":["a"]}"#, &[]),
        (r#""osv":{"min":"17.5","max":"16"}"#, &["osv no-bids"]),
        (r#""osv":{"min":"17.5","max":"17"}"#, &[]),
        (r#""plcmt":{"include":[1]}"#, &["plcmt no-bids"]),
        (r#""plcmt":{"exclude":[1]},"startdelay":{"include":[0]},"pos":{"include":[1]},"topframe":true"#, &[]),
    ] {
        assert_eq!(of_target(target), notes, "{target}");
    }
}

#[test]
fn what_there_is_never_a_bid_for_is_noted() {
    let (both, one) = (r#"{"id":"a"},{"id":"b"}"#, campaign(r#""ssps":["b"]"#));
    assert_eq!(noted(both, ""), ["campaigns no-bids"]);
    assert_eq!(noted(both, &one), ["ssps[0] no-bids"]);
    let all = one.replace(r#""ssps":["b"]"#, r#""ssps":[]"#).replace(r#""cid":"c""#, r#""cid":"d""#);
    assert_eq!(noted(both, &format!("{one},{all}")), [""; 0]);
}
