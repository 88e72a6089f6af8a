//! What explanations say where no fixture shows it: `explained.tsv` and `described.tsv` in `fixtures/expected` have the
//! rest.

mod comparisons;
mod left_out;
mod steps;

use super::{Only, explain};
use auction::context::Context;
use auction::{Scratch, bid};
use catalog::Snapshot;
use compiler::{Zone, compile};
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

/// 2026-11-18T12:00Z.
const NOW_MS: i64 = 1_795_003_200_000;

/// An object with the members of both.
pub(super) fn with(mut object: Value, more: &Value) -> Value {
    object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    object
}

/// A catalog in which all campaigns show a banner of 1 x 1. `more` are members of the document.
pub(super) fn catalog(more: &Value, campaigns: &[Value]) -> Snapshot {
    let campaign = |(at, own): (usize, &Value)| {
        let common = json!({"cid": format!("c{at}"), "seat": "s", "adomain": ["x.example"], "max_cpm": "1",
            "creatives": ["b"]});
        with(common, own)
    };
    let campaigns: Vec<Value> = campaigns.iter().enumerate().map(campaign).collect();
    let document = json!({"format": 1, "rates": [{"cur": "EUR", "usd": "1.25"}], "ssps": [{"id": "a"}],
        "creatives": [{"crid": "b", "banner": {"w": 1, "h": 1, "adm": "<b>"}}], "campaigns": campaigns});
    let berlin =
        Zone { name: "Europe/Berlin".to_owned(), changes: vec![(1_774_746_000_000, 120), (1_792_890_000_000, 60)] };
    compile(with(document, more).to_string().as_bytes(), &[berlin]).unwrap().snapshot
}

/// A request for a banner of 1 x 1, with these members of the impression and the request.
fn request(imp: &Value, more: &Value) -> Value {
    let imp = with(json!({"id": "i", "banner": {"w": 1, "h": 1}}), imp);
    with(json!({"id": "r", "imp": [imp]}), more)
}

fn asked(snapshot: &Snapshot, request: &Value, context: &Context<'_>, only: Only<'_>) -> Result<Value, String> {
    let mut report = String::new();
    explain(request.to_string().as_bytes(), 0, &snapshot.catalog(), context, Some(only), &mut report)?;
    Ok(serde_json::from_str(&report).unwrap())
}

fn explained(snapshot: &Snapshot, request: &Value) -> Value {
    asked(snapshot, request, &Context { now_ms: NOW_MS, ..Context::default() }, Only::default()).unwrap()
}

fn rows(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn the_work_is_that_of_the_serving_decision() {
    let german = json!({"target": {"country": {"include": ["DEU"]}}});
    let snapshot = catalog(&json!({}), &[json!({}), german]);
    let mut body = request(&json!({}), &json!({"device": {"geo": {"country": "FRA"}}}));
    body["imp"].as_array_mut().unwrap().push(json!({"id": "j", "video": {}}));
    let (report, mut answer) = (explained(&snapshot, &body), String::new());
    let (body, context) = (body.to_string(), Context::default());
    bid(&mut Scratch::default(), body.as_bytes(), 0, &snapshot.catalog(), &context, &mut (), &mut answer);
    let work = &report["work"];
    assert_eq!([&work["read"], &work["gate"], &work["write"]], [body.len(), 2, answer.len()]);
    // Only one campaign is a candidate, and on one impression.
    assert_eq!(work["examined"], 1, "{work}");
    assert!(!answer.is_empty() && work["match"].as_u64() > Some(0), "{work}");
    assert!(work["match"].as_u64() < work["limit"].as_u64(), "{work}");
    assert_eq!(report["campaigns"], 2);
    let names: Vec<&str> = NoBidReason::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(report["checks"], json!(names));
}

#[test]
fn a_refused_request_takes_no_work() {
    let slow = json!({"ssps": [{"id": "a", "latency_ms": 30}]});
    let report = explained(&catalog(&slow, &[json!({})]), &request(&json!({}), &json!({"tmax": 30})));
    assert_eq!(report["outcome"], "tmax");
    for name in ["gate", "examined", "match", "write"] {
        assert_eq!(report["work"][name], 0, "{name}: {report}");
    }
}

#[test]
fn one_impression_or_campaign_can_be_asked_and_too_many_are_not_explained_at_once() {
    let campaign = |n: usize| {
        let country = if n < 10 { "FRA" } else { "DEU" };
        json!({"target": {"country": {"include": [country]}}})
    };
    let snapshot = catalog(&json!({}), &(0..12_000).map(campaign).collect::<Vec<_>>());
    let ask = |count: usize, imp, campaign| {
        let imp_of = |n| json!({"id": format!("i{n}"), "banner": {"w": 1, "h": 1}});
        let imps: Vec<Value> = (0..count).map(imp_of).collect();
        let request = json!({"id": "r", "imp": imps, "device": {"geo": {"country": "FRA"}}});
        asked(&snapshot, &request, &Context::default(), Only { imp, campaign })
    };
    let all = ask(1, "", "").unwrap();
    // Nine are outbid, which is more than to be of another country.
    assert_eq!([rows(&all["imps"][0]["rejected"]).len(), rows(&all["rejected"]).len()], [9, 9_991]);
    let more = "1999 further rejections are not listed (country 1999); ask about one campaign (campaign)";
    assert_eq!(all["more_rows"], more);
    let too_many = "12000 campaigns on 64 impressions are too many to explain at once; ask about one impression (imp), \
                    and perhaps one campaign (campaign)";
    assert_eq!(ask(64, "", "").unwrap_err(), too_many);
    let one = ask(4, "", "c11999").unwrap();
    assert_eq!([&one["imps"], &one["rejected"], &one["imps"][0]["rejected"]].map(|list| rows(list).len()), [4, 1, 0]);
    assert_eq!(one["rejected"][0]["cid"], "c11999");
    let one = ask(64, "i7", "c3").unwrap();
    assert_eq!([rows(&one["imps"]).len(), rows(&one["rejected"]).len()], [1, 0]);
    assert_eq!(one["imps"][0]["id"], "i7");
    assert_eq!(ask(2, "i2", "").unwrap_err(), r#"the request has no impression "i2""#);
    assert_eq!(
        ask(2, "i1", "c").unwrap_err(),
        "the catalog has no campaign c; it has c0, c1, c2, c3, c4, c5, c6, c7 and 11992 more"
    );
    let note = "only the first 64 impressions are looked at";
    assert_eq!(ask(65, "i0", "").unwrap()["more_imps"], note);
}

#[test]
fn an_outbid_row_names_the_better_bid() {
    let deal = json!({"max_cpm": "3", "deals": ["d"], "open": false});
    let one_bid = json!({"ssps": [{"id": "a", "one_bid_per_imp": true}]});
    let offer = request(&json!({"pmp": {"deals": [{"id": "d", "guar": 1}]}}), &json!({}));
    let report = explained(&catalog(&one_bid, &[json!({"max_cpm": "3.5"}), deal]), &offer);
    let expected = json!([{"cid": "c0", "reason": "outbid", "wanted": "3.5 USD with b",
        "found": "3 USD of c1 with b under d", "by": {"cid": "c1", "crid": "b", "dealid": "d", "price": "3"}}]);
    assert_eq!(report["imps"][0]["rejected"], expected);
}

#[test]
fn in_a_pod_with_room_left_an_ad_is_too_long_or_a_duplicate_and_not_outbid() {
    let video = |crid: &str, dur: i64| {
        let media = json!([{"url": format!("https://m.example/{crid}"), "mime": "video/mp4"}]);
        json!({"crid": crid, "video": {"dur": dur, "protocol": 3, "w": 1280, "h": 720, "media": media}})
    };
    let creatives = json!([video("a", 15), video("b", 15), video("d", 80)]);
    let of = |crid: &str, cpm: &str, domain: &str| json!({"creatives": [crid], "max_cpm": cpm, "adomain": [domain]});
    let campaigns = [of("a", "3", "x.example"), of("b", "2", "x.example"), of("d", "1", "y.example")];
    let snapshot = catalog(&json!({ "creatives": creatives }), &campaigns);
    let rejected = |poddur: i64, maxseq: i64| {
        let pod = json!({"mimes": ["video/mp4"], "protocols": [3], "podid": "p", "poddur": poddur, "maxseq": maxseq,
            "poddedupe": [1]});
        let report = explained(&snapshot, &json!({"id": "r", "imp": [{"id": "1", "video": pod}]}));
        let row = |row: &Value| ["cid", "reason", "found"].map(|name| row[name].as_str().unwrap().to_owned());
        rows(&report["imps"][0]["rejected"]).iter().map(row).collect::<Vec<_>>()
    };
    let twin = ["c1", "pod-duplicate", "a duplicate of a of c0"];
    assert_eq!(rejected(90, 5), [twin, ["c2", "duration", "75 s left in the pod, beside the ads in it"]]);
    // The pod takes one ad: the best one gets it.
    assert_eq!(rejected(90, 1), ["c1", "c2"].map(|cid| [cid, "outbid", "3 USD of c0 with a"]));
}
