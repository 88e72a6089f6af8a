//! The members of a report that tests of the other files do not show.

use super::*;
use crate::compile::compile;
use bidder_wasm::{Scratch, bid};
use serde_json::{Value, json};

/// The report on a request, and the length of the answer to it.
fn explained(body: &str) -> (Value, usize) {
    let campaign = |cid: &str, more: &str| {
        format!(r#"{{"cid":"{cid}","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"]{more}}}"#)
    };
    let document = format!(
        r#"{{"format":1,"ssps":[{{"id":"a","latency_ms":30}}],"creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
        "campaigns":[{},{}]}}"#,
        campaign("all", ""),
        campaign("german", r#","target":{"country":{"include":["DEU"]}}"#)
    );
    let snapshot = compile(document.as_bytes(), &[]).unwrap().snapshot;
    let (catalog, context) = (snapshot.catalog(), Context::default());
    let (mut report, mut answer) = (String::new(), String::new());
    explain(body.as_bytes(), 0, &catalog, &context, None, &mut report).unwrap();
    bid(&mut Scratch::default(), body.as_bytes(), 0, &catalog, &context, &mut (), &mut answer);
    (serde_json::from_str(&report).unwrap(), answer.len())
}

#[test]
fn the_work_is_that_of_the_serving_decision() {
    let body = r#"{"id":"r","imp":[{"id":"i","banner":{"w":1,"h":1}},{"id":"j","video":{}}],"device":{"geo":{"country":"FRA"}}}"#;
    let (report, answer) = explained(body);
    let work = &report["work"];
    assert_eq!([&work["read"], &work["gate"], &work["write"]], [&json!(body.len()), &json!(2), &json!(answer)]);
    // Only one campaign is a candidate, and on one impression.
    assert_eq!(work["examined"], 1, "{work}");
    assert!(
        answer > 0 && work["match"].as_u64() > Some(0) && work["match"].as_u64() < work["limit"].as_u64(),
        "{work}"
    );
    assert_eq!(report["campaigns"], 2);
    assert_eq!(report["rejected"][0]["at"], json!(["device.geo.country"]));
    assert_eq!(report.get("at"), None);
}

#[test]
fn a_refused_request_tells_where_and_takes_no_work() {
    let (report, _) = explained(r#"{"id":"r","tmax":30,"imp":[{"id":"i","banner":{"w":1,"h":1}}]}"#);
    assert_eq!([&report["outcome"], &report["at"]], [&json!("tmax"), &json!(["tmax"])]);
    for name in ["gate", "examined", "match", "write"] {
        assert_eq!(report["work"][name], 0, "{name}: {report}");
    }
}

#[test]
fn the_checks_are_all_reasons_in_their_order() {
    let (report, _) = explained(r#"{"id":"r","imp":[{"id":"i","banner":{"w":1,"h":1}}]}"#);
    let names: Vec<&str> = R::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(report["checks"], json!(names));
}

#[test]
fn one_impression_or_campaign_can_be_asked_and_too_many_are_not_explained_at_once() {
    let campaign = |n: usize| {
        let country = if n < 10 { "FRA" } else { "DEU" };
        let target = format!(r#""target":{{"country":{{"include":["{country}"]}}}}"#);
        format!(r#"{{"cid":"c{n}","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],{target}}}"#)
    };
    let campaigns: Vec<String> = (0..12_000).map(campaign).collect();
    let document = format!(
        r#"{{"format":1,"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"b","banner":{{"w":1,"h":1,"adm":"<b>"}}}}],"campaigns":[{}]}}"#,
        campaigns.join(",")
    );
    let snapshot = compile(document.as_bytes(), &[]).unwrap().snapshot;
    let imps = |count: usize| {
        let imps: Vec<String> = (0..count).map(|n| format!(r#"{{"id":"i{n}","banner":{{"w":1,"h":1}}}}"#)).collect();
        format!(r#"{{"id":"r","imp":[{}],"device":{{"geo":{{"country":"FRA"}}}}}}"#, imps.join(","))
    };
    let ask = |count, imp, campaign| {
        let (catalog, context, mut report) = (snapshot.catalog(), Context::default(), String::new());
        let only = Some(Only { imp, campaign });
        explain(imps(count).as_bytes(), 0, &catalog, &context, only, &mut report)?;
        Ok::<Value, String>(serde_json::from_str(&report).unwrap())
    };
    let rows = |list: &Value| list.as_array().map_or(0, Vec::len);

    let all = ask(1, "", "").unwrap();
    // Nine are outbid, which is more than to be of another country.
    assert_eq!([rows(&all["imps"][0]["rejected"]), rows(&all["rejected"])], [9, 9_991]);
    let more = "1999 further rejections are not listed (country 1999); ask about one campaign (campaign)";
    assert_eq!(all["more_rows"], more);

    let too_many = "12000 campaigns on 64 impressions are too many to explain at once; ask about one impression (imp), \
                    and perhaps one campaign (campaign)";
    assert_eq!(ask(64, "", "").unwrap_err(), too_many);
    let one = ask(4, "", "c11999").unwrap();
    assert_eq!([rows(&one["imps"]), rows(&one["rejected"]), rows(&one["imps"][0]["rejected"])], [4, 1, 0]);
    assert_eq!(one["rejected"][0]["cid"], "c11999");
    let one = ask(64, "i7", "c3").unwrap();
    assert_eq!([rows(&one["imps"]), rows(&one["rejected"])], [1, 0]);
    assert_eq!(one["imps"][0]["id"], "i7");
    assert_eq!(ask(2, "i2", "").unwrap_err(), r#"the request has no impression "i2""#);
    assert_eq!(ask(2, "i1", "c").unwrap_err(), r#"the catalog has no campaign "c""#);
}
