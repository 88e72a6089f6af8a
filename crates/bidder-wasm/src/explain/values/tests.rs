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

#[test]
fn what_was_outbid_is_told_with_both_prices() {
    let request = |at: i64, deals: &str| {
        format!(r#"{{"id":"r","at":{at},"imp":[{{"id":"i","banner":{{"w":1,"h":1}},"pmp":{{"deals":[{deals}]}}}}]}}"#)
    };
    let safe = r#""creatives":["safe"]"#;
    let held = r#""creatives":["safe"],"deals":["d"],"open":false"#;
    let (high, low) = (format!(r#""max_cpm":"3.5",{safe}"#), format!(r#""max_cpm":"2",{safe}"#));
    let (dear, cheap) = (format!(r#""max_cpm":"3",{held}"#), format!(r#""max_cpm":"2",{held}"#));
    let campaigns = [("high", &*high), ("low", &*low), ("dear", &*dear), ("cheap", &*cheap)];
    let without_price = |document: String| document.replace(r#""max_cpm":"1","#, "");
    let guaranteed = request(2, r#"{"id":"d","guar":1}"#);
    for (ssp, rows) in [
        (
            "",
            r#"[{"cid":"low","reason":"outbid","wanted":"2 USD with safe","found":"3.5 USD of high with safe"},{"cid":"cheap","dealid":"d","reason":"outbid","wanted":"2 USD with safe","found":"3 USD of dear with safe under d"}]"#,
        ),
        (
            r#","one_bid_per_imp":true"#,
            r#"[{"cid":"high","reason":"outbid","wanted":"3.5 USD with safe","found":"3 USD of dear with safe under d"},{"cid":"low","reason":"outbid","wanted":"2 USD with safe","found":"3 USD of dear with safe under d"},{"cid":"cheap","dealid":"d","reason":"outbid","wanted":"2 USD with safe","found":"3 USD of dear with safe under d"}]"#,
        ),
    ] {
        let (report, _) = explained(&without_price(catalog(ssp, &campaigns)), guaranteed.as_bytes());
        let sorted = |text: &str| {
            let row = |row: &str| row.trim_matches(['[', ']', '{', '}']).to_owned();
            let mut rows: Vec<String> = text.split("},{").map(row).collect();
            rows.sort();
            rows
        };
        let told = report.split(r#""rejected":"#).nth(1).unwrap_or_default();
        assert_eq!(sorted(told), sorted(rows), "{report}");
    }
}

#[test]
fn the_missing_asset_is_told_and_no_more_than_that() {
    let native = |number: usize| {
        format!(
            r#"{{"crid":"n{number}","native":{{"title":"A title","link":"https://x.example/","img":[{{"type":1,"url":"https://x.example/i","w":80,"h":80}}]}}}}"#
        )
    };
    let creatives: Vec<String> = (0..40).map(native).collect();
    let crids: Vec<String> = (0..40).map(|number| format!(r#""n{number}""#)).collect();
    let document = catalog("", &[("c", &format!(r#""creatives":[{}]"#, crids.join(",")))])
        .replace(CREATIVES, &creatives.join(","));
    for (assets, sides) in [
        (
            r#"{"id":1,"required":1,"title":{"len":90}},{"id":2,"required":1,"img":{"type":3,"wmin":300,"hmin":250}}"#,
            r#""wanted":"image of type 1, 80x80","found":"asset 2: image of type 3, at least 300x250""#,
        ),
        (
            r#"{"id":7,"required":1,"title":{"len":5}}"#,
            r#""wanted":"title of 7 characters","found":"asset 7: title of at most 5 characters""#,
        ),
        (
            r#"{"id":3,"data":{"type":2,"len":9}},{"id":4,"video":{"minduration":5,"maxduration":15}}"#,
            r#""wanted":"none","found":"asset 3: data of type 2 of at most 9 characters, asset 4: video of 5 to 15 s""#,
        ),
    ] {
        let request = format!(r#"{{"id":"r","imp":[{{"id":"i","native":{{"request":{{"assets":[{assets}]}}}}}}]}}"#);
        let (report, _) = explained(&document, request.as_bytes());
        assert!(report.contains(&format!(r#""reason":"asset",{sides}"#)), "{sides} in {report}");
    }
}

#[test]
fn of_many_creatives_the_first_ones_are_told() {
    let sizes: Vec<String> =
        (1..=40).map(|w| format!(r#"{{"crid":"s{w}","banner":{{"w":{w},"h":9,"adm":"<b>s</b>"}}}}"#)).collect();
    let crids: Vec<String> = (1..=40).map(|w| format!(r#""s{w}","s{w}""#)).collect();
    let document =
        catalog("", &[("c", &format!(r#""creatives":[{}]"#, crids.join(",")))]).replace(CREATIVES, &sizes.join(","));
    let (report, _) = explained(&document, REQUEST);
    assert!(report.contains("1x9, 2x9, 3x9, 4x9, 5x9, 6x9, 7x9, 8x9 and 32 more"), "{report}");
}

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
