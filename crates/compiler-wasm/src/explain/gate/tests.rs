//! Explanations of requests on which no campaign may bid.

use crate::compile::compile;
use crate::explain::explain;
use bidder_wasm::context::Context;
use bidder_wasm::limits::MAX_TEXT_BYTES;
use bidder_wasm::stop::Stop;

/// A TCF string that grants vendor 42 nothing.
const REFUSAL: &str = "CPzHq4APzHq4AAMABBENAUEAAAAAAAAAAAAAAAAAAAAA";

fn explained(privacy: &str, has_campaign: bool, request: &str) -> String {
    let campaign = r#"{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"]}"#;
    let document = format!(
        r#"{{"format":1,"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"a","latency_ms":30}}],"privacy":{privacy},
        "creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],"campaigns":[{}]}}"#,
        if has_campaign { campaign } else { "" }
    );
    let compiled = compile(document.as_bytes(), &[]).unwrap();
    let (catalog, context, mut report) = (compiled.snapshot.catalog(), Context::default(), String::new());
    explain(request.as_bytes(), 0, &catalog, &context, None, &mut report).unwrap();
    report
}

#[test]
fn a_refused_request_has_both_sides_of_the_failed_check() {
    let imp = r#"{"id":"i","banner":{"w":1,"h":1}}"#;
    let request = |imps: &str, more: &str| format!(r#"{{"id":"r","imp":[{imps}]{more}}}"#);
    let (one, twice) = (|more: &str| request(imp, more), format!("{imp},{imp}"));
    let gdpr = |consent: &str| one(&format!(r#","regs":{{"gdpr":1}},"user":{{"consent":"{consent}"}}"#));
    let registered = r#"{"vendor_id":42}"#;
    for (privacy, request, expected) in [
        ("{}", request(r#"{"banner":{}}"#, ""), r#""no-imp","wanted":"an impression with an id","found":"none""#),
        (
            "{}",
            request(&twice, ""),
            r#""duplicate-imp","wanted":"an impression with a unique id","found":"\"i\" several times""#,
        ),
        (
            "{}",
            request(r#"{"id":"i","banner":{"w":1,"h":1},"qty":{"multiplier":1.5}}"#, r#","dooh":{}"#),
            r#""multiplier","wanted":"at most 1 impressions a play (max_multiplier)","found":"multiplier 1.5""#,
        ),
        ("{}", one(r#","tmax":30"#), r#""tmax","wanted":"more than 30 ms (latency_ms)","found":"tmax 30""#),
        (
            "{}",
            one(r#","device":{"ua":"Googlebot/2.1"}"#),
            r#""crawler","wanted":"a user agent without bot/, bot;, spider or crawler","found":"Googlebot/2.1""#,
        ),
        (
            "{}",
            one(r#","cur":["JPY","CHF"]"#),
            r#""currency","wanted":"a currency with a rate: USD, EUR","found":"cur JPY, CHF""#,
        ),
        (
            r#"{"bid_unregistered":false}"#,
            gdpr(REFUSAL),
            r#""privacy","wanted":"privacy.vendor_id, or bid_unregistered true","found":"GDPR applies, the catalog has no vendor_id, so no consent string can name it""#,
        ),
        (
            registered,
            gdpr(""),
            r#""privacy","wanted":"a TCF string, or bid_without_string true","found":"GDPR applies, no TCF string""#,
        ),
        (
            registered,
            gdpr("?"),
            r#""privacy","wanted":"a TCF string, or bid_without_string true","found":"GDPR applies, a TCF string that cannot be read""#,
        ),
        (
            registered,
            one(r#","regs":{"gdpr":0,"gpp":"garbage","gpp_sid":[2]}"#),
            r#""privacy","wanted":"a TCF string, or bid_without_string true","found":"gpp_sid 2, a GPP string that cannot be read""#,
        ),
        (
            registered,
            one(&format!(r#","user":{{"consent":"{REFUSAL}"}}"#)),
            r#""privacy","wanted":"purpose 2 by consent or legitimate interest for vendor 42","found":"gdpr unknown, a TCF string that does not grant that""#,
        ),
        (
            r#"{"vendor_id":7,"contextual":[{"purpose":1},{"purpose":2,"basis":"legitimate-interest"}]}"#,
            gdpr(REFUSAL),
            r#""privacy","wanted":"purpose 1 by consent, purpose 2 by legitimate interest for vendor 7","found":"GDPR applies, a TCF string that does not grant that""#,
        ),
    ] {
        let report = explained(privacy, true, &request);
        assert!(report.contains(&format!(r#""outcome":{expected}"#)), "{expected} in {report}");
    }
    let report = explained("{}", false, &one(""));
    let expected = r#""outcome":"no-campaign","wanted":"a campaign in the catalog","found":"none""#;
    assert!(report.contains(expected), "{expected} in {report}");
}

#[test]
fn a_stop_is_explained() {
    let campaign =
        |cid: &str| format!(r#"{{"cid":"{cid}","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"]}}"#);
    let document = format!(
        r#"{{"format":1,"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
        "campaigns":[{},{}]}}"#,
        campaign("one"),
        campaign("two")
    );
    let compiled = compile(document.as_bytes(), &[]).unwrap();
    let catalog = compiled.snapshot.catalog();
    let sides = r#""wanted":"campaigns that no operator has stopped","found":"stopped by edgebid stop""#;
    for (cids, all, expected) in [
        ("", true, format!(r#""outcome":"stopped",{sides}"#)),
        ("two\n", false, format!(r#""rejected":[{{"cid":"two","reason":"stopped",{sides}}}]"#)),
    ] {
        let (stop, _) = Stop::read(cids, all, &catalog);
        let context = Context { stop: stop.as_ref(), ..Context::default() };
        let (request, mut report) = (r#"{"id":"r","imp":[{"id":"i","banner":{"w":1,"h":1}}]}"#, String::new());
        explain(request.as_bytes(), 0, &catalog, &context, None, &mut report).unwrap();
        assert!(report.contains(&expected), "{expected} in {report}");
    }
}

#[test]
fn a_text_that_is_too_long_is_explained() {
    let text = "x".repeat(MAX_TEXT_BYTES + 1);
    let request = format!(r#"{{"id":"r","imp":[{{"id":"i","banner":{{"w":1,"h":1}}}}],"site":{{"page":"{text}"}}}}"#);
    let report = explained("{}", true, &request);
    for expected in [
        r#""outcome":"list-length","wanted":"at most "#.to_owned(),
        format!(r#" values in all lists and objects, and texts of at most {MAX_TEXT_BYTES} bytes","found":"more""#),
    ] {
        assert!(report.contains(&expected), "{expected} in {report}");
    }
}

#[test]
fn the_outcome_has_no_sides_if_campaigns_were_checked() {
    for size in [1, 2] {
        let request = format!(r#"{{"id":"r","imp":[{{"id":"i","banner":{{"w":{size},"h":1}}}}]}}"#);
        let report = explained("{}", true, &request);
        let outcome = if size == 1 { "bid" } else { "size" };
        assert!(report.contains(&format!(r#""outcome":"{outcome}","imps""#)), "{report}");
    }
}
