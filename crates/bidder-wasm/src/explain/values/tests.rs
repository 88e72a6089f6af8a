//! What explanations say that name creatives and count bytes.

use crate::catalog::compile;
use crate::context::Context;
use crate::{Scratch, bid, explain};

const CREATIVES: &str = r#"{"crid":"safe","banner":{"w":1,"h":1,"adm":"<b>s</b>"}},
    {"crid":"old","banner":{"w":1,"h":1,"adm":"<img src='http://old.example/'>"}},
    {"crid":"large","banner":{"w":2,"h":2,"adm":"<b>s</b>"}}"#;

fn catalog(ssp: &str, campaigns: &[(&str, &str)]) -> String {
    let campaign = |(cid, more): &(&str, &str)| {
        format!(r#"{{"cid":"{cid}","seat":"s","adomain":["{cid}.example"],"max_cpm":"1",{more}}}"#)
    };
    let campaigns: Vec<String> = campaigns.iter().map(campaign).collect();
    format!(
        r#"{{"format":1,"ssps":[{{"id":"a"{ssp}}}],"creatives":[{CREATIVES}],"campaigns":[{}]}}"#,
        campaigns.join(",")
    )
}

const REQUEST: &[u8] = br#"{"id":"r","at":1,"imp":[{"id":"i","secure":1,"banner":{"format":[{"w":1,"h":1}]}}]}"#;

/// The explanation of the request, and how long its answer is.
fn explained(document: &str, request: &[u8]) -> (String, usize) {
    let snapshot = compile(document.as_bytes(), &[]).unwrap();
    let (catalog, context) = (snapshot.catalog(), Context::default());
    let (mut report, mut answer) = (String::new(), String::new());
    explain(&mut Scratch::default(), request, 0, &catalog, &context, &mut report).unwrap();
    bid(&mut Scratch::default(), request, 0, &catalog, &context, &mut (), &mut answer);
    (report, answer.len())
}

#[test]
fn plain_http_is_named() {
    for (campaign, found) in [
        (r#""creatives":["large","old"]"#, "plain http in old"),
        (r#""creatives":["safe"],"burl":"http://b.example/1""#, "the notice http://b.example/1"),
        (r#""creatives":["old"],"nurl":"http://n.example/1""#, "the notice http://n.example/1, plain http in old"),
    ] {
        let (report, _) = explained(&catalog("", &[("c", campaign)]), REQUEST);
        let expected = format!(r#""reason":"secure","wanted":"https only","found":"{found}""#);
        assert!(report.contains(&expected), "{expected} in {report}");
    }
}

#[test]
fn impressions_that_are_not_looked_at_are_told_of() {
    let document = catalog("", &[("c", r#""creatives":["safe"]"#)]);
    for (imps, told) in [(64, false), (65, true)] {
        let imps: Vec<String> = (0..imps).map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
        let (report, _) = explained(&document, format!(r#"{{"id":"r","imp":[{}]}}"#, imps.join(",")).as_bytes());
        assert_eq!(report.contains(r#""more_imps":"only the first 64 impressions are looked at""#), told, "{report}");
    }
}

/// Each creative is judged by the object that it would fill, and so it is told.
#[test]
fn objects_tell_where_they_are() {
    let document = catalog("", &[("c", r#""creatives":["safe"],"target":{"pos":{"include":[1]}}"#)]);
    let request =
        br#"{"id":"r","imp":[{"id":"i","banner":{"w":1,"h":1,"pos":3},"video":{"mimes":["video/mp4"],"pos":1}}]}"#;
    let (report, _) = explained(&document, request);
    let expected = r#""reason":"pos","wanted":"1","found":"banner 3""#;
    assert!(report.contains(expected), "{expected} in {report}");
}

#[test]
fn bytes_are_counted() {
    let one = &[("c", r#""creatives":["large","safe"]"#)][..];
    let (_, bytes) = explained(&catalog("", one), REQUEST);
    let found = |report: &str, most: usize, found: &str| {
        let expected = format!(r#""reason":"response-bytes","wanted":"at most {most} bytes","found":"{found}""#);
        assert!(report.contains(&expected), "{expected} in {report}");
    };
    let (report, answered) = explained(&catalog(&format!(r#","max_response_bytes":{}"#, bytes - 1), one), REQUEST);
    found(&report, bytes - 1, &format!("{bytes} with safe"));
    assert_eq!(answered, 0);

    // With room for one bid, the second impression has none.
    let document = catalog(&format!(r#","max_response_bytes":{bytes}"#), one);
    let two = String::from_utf8_lossy(REQUEST)
        .replace("[{\"id\":\"i\"", r#"[{"id":"j","secure":1,"banner":{"w":1,"h":1}},{"id":"i""#);
    let (report, answered) = explained(&document, two.as_bytes());
    found(&report, bytes, &format!("{bytes} with safe and no other bid"));
    assert!(answered > 0 && answered <= bytes);
}
