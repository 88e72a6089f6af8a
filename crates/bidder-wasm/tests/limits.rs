//! Limits of a request and of a decision: a request over a limit gets no bid, and work and records end at their limits.

#![cfg(test)]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use bidder_wasm::catalog::Snapshot;
use bidder_wasm::context::Context;
use bidder_wasm::limits::{MAX_RECORD_BYTES, MAX_VALUES, max_work};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::{Outcome, Scratch, bid};
use compiler_wasm::compile::compile;
use serde_json::{Value, json};

fn catalog(terms: &Value) -> Snapshot {
    let mut document = json!({"format": 1, "ssps": [{"id": "s"}],
        "creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": "<p>"}}],
        "campaigns": [{"cid": "c", "seat": "s", "adomain": ["a.example"], "cat": ["IAB1"], "max_cpm": "2", "creatives": ["b"]}]});
    document.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
    compile(document.to_string().as_bytes(), &[]).unwrap().snapshot
}

fn request(terms: &Value) -> Value {
    let mut request = json!({"id": "r", "imp": [{"id": "1", "banner": {"w": 300, "h": 250}}]});
    request.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
    request
}

fn decide(scratch: &mut Scratch, catalog: &Snapshot, request: &Value) -> (Outcome, String) {
    let mut out = String::new();
    let (body, context) = (request.to_string(), Context::default());
    let outcome = bid(scratch, body.as_bytes(), 0, &catalog.catalog(), &context, &mut (), &mut out);
    (outcome, out)
}

/// Reading only a part of a block list would let blocked campaigns bid.
#[test]
fn a_list_that_is_too_long_gets_no_bid() {
    let catalog = catalog(&json!({}));
    let listing = |count: usize| request(&json!({"badv": vec!["x"; count]}));
    let outcome = |count| decide(&mut Scratch::default(), &catalog, &listing(count)).0;
    assert_eq!(outcome(100), Outcome::Bid);
    assert_eq!(outcome(MAX_VALUES + 2), Outcome::NoBid(NoBidReason::ListLength));
}

/// Looking up only a part of a block list would let blocked campaigns bid.
#[test]
fn a_block_list_that_uses_up_the_work_gets_no_bid() {
    let catalog = catalog(&json!({}));
    let long: Vec<String> = (0..MAX_VALUES / 2).map(|place| format!("{place}.{}.example", "x".repeat(60))).collect();
    let mut scratch = Scratch::default();
    let (outcome, _) = decide(&mut scratch, &catalog, &request(&json!({"badv": long})));
    assert!(matches!(outcome, Outcome::NoBid(_)), "{outcome:?}");
    assert_eq!((scratch.effort().gave_up, scratch.effort().work), (true, max_work(1)));
}

/// The limit of work applies within a campaign too.
#[test]
fn not_every_copy_of_a_repeated_deal_is_examined() {
    let catalog = catalog(&json!({"campaigns": [{"cid": "c", "seat": "s", "adomain": ["a.example"], "cat": ["IAB1"],
        "max_cpm": "2", "creatives": ["b"], "deals": ["d"]}]}));
    let imp = json!({"id": "1", "banner": {"w": 300, "h": 250}, "pmp": {"deals": vec![json!({"id": "d"}); 500]}});
    let mut scratch = Scratch::default();
    decide(&mut scratch, &catalog, &request(&json!({"imp": [imp], "wlang": vec!["zz"; 1000]})));
    let effort = scratch.effort();
    assert!(effort.gave_up && effort.examined < 50, "{effort:?}");
}

/// Forty campaigns on a pod whose seller repeats the settings of `poddedupe`: what is compared counts, however long the
/// lists of the creatives are.
#[test]
fn duplicates_on_a_pod_are_compared_within_the_limit() {
    let media = |at: usize| json!({"url": format!("https://m.example/{at}"), "mime": "video/mp4"});
    for (files, most) in [(12, 8), (300, 8), (2000, 1)] {
        let creative = |at: usize| {
            json!({"crid": format!("v{at}"), "video": {"dur": 15, "protocol": 3, "w": 640, "h": 360,
                "media": (at * files..(at + 1) * files).map(media).collect::<Value>()}})
        };
        let campaign = |at: usize| {
            json!({"cid": format!("c{at}"), "seat": "s", "adomain": [format!("a{at}.example")],
                "max_cpm": (at + 1).to_string(), "creatives": [format!("v{at}")]})
        };
        let catalog = catalog(&json!({"creatives": (0..40).map(creative).collect::<Value>(),
            "campaigns": (0..40).map(campaign).collect::<Value>()}));
        let bids = |dedupe: Value| {
            let video = json!({"mimes": ["video/mp4"], "podid": "p", "poddur": 600, "maxseq": 8, "poddedupe": dedupe});
            let mut scratch = Scratch::default();
            let (outcome, out) =
                decide(&mut scratch, &catalog, &request(&json!({"imp": [{"id": "1", "video": video}]})));
            assert_eq!(outcome, Outcome::Bid, "{files}");
            (out, scratch.effort().work)
        };
        let (once, work) = bids(json!([4]));
        let (repeated, same) = bids(json!(vec![4; 300]));
        assert_eq!((once.matches("\"crid\"").count(), once == repeated, work), (most, true, same), "{files}");
    }
}

/// Campaigns that pay more, with ten ads each that are all too short, before one that fits.
#[test]
fn ads_of_other_durations_do_not_use_up_the_work_of_a_pod() {
    for others in [20, 60, 400] {
        let creative = |crid: &str, dur: i64| {
            let media = json!([{"url": "https://m.example/1", "mime": "video/mp4"}]);
            json!({"crid": crid, "video": {"dur": dur, "protocol": 3, "w": 640, "h": 360, "media": media}})
        };
        let short: Vec<String> = (0..10).map(|at| format!("v{at}")).collect();
        let creatives: Vec<Value> = short.iter().map(|crid| creative(crid, 15)).chain([creative("fits", 30)]).collect();
        let campaign = |cid: String, max_cpm: &str, creatives: &[String]| json!({"cid": cid, "seat": "s", "adomain": ["a.example"], "max_cpm": max_cpm, "creatives": creatives});
        let campaigns = (0..others).map(|at| campaign(format!("c{at}"), "5", &short));
        let campaigns: Vec<Value> = campaigns.chain([campaign("fits".into(), "2", &["fits".into()])]).collect();
        let catalog = catalog(&json!({"creatives": creatives, "campaigns": campaigns}));
        let imp = |at: usize| json!({"id": at.to_string(), "video": {"mimes": ["video/mp4"], "minduration": 30, "maxduration": 30}});
        let imps: Value = (0..10).map(imp).collect();
        let mut scratch = Scratch::default();
        let (outcome, out) = decide(&mut scratch, &catalog, &request(&json!({"imp": imps})));
        let found = (outcome, out.matches("\"impid\"").count(), scratch.effort().gave_up);
        assert_eq!(found, (Outcome::Bid, 10, false), "{others}");
    }
}

/// A page in twenty macros of a banner, on 64 impressions.
#[test]
fn long_values_of_macros_are_left_out() {
    let adm = "<img src='https://t.example/?u={site.page}&i={imp.id}'>".repeat(20);
    let catalog = catalog(&json!({"creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": adm}}]}));
    let imps: Vec<Value> = (0..64).map(|at| json!({"id": format!("i{at}"), "banner": {"w": 300, "h": 250}})).collect();
    let answer = |page: usize| {
        let page = format!("https://a.example/{}", "&".repeat(page));
        let (outcome, out) =
            decide(&mut Scratch::default(), &catalog, &request(&json!({"imp": imps, "site": {"page": page}})));
        assert_eq!(outcome, Outcome::Bid);
        out
    };
    let (short, long) = (answer(200), answer(16_000));
    assert!(short.contains("u=https%3A%2F%2Fa.example%2F%26") && short.len() < 1 << 20, "{}", short.len());
    assert!(long.contains("?u=&i=i0") && long.len() < 1 << 17, "{long:.500}");
}

#[test]
fn an_answer_ends_at_its_default_limit() {
    let adm = "x".repeat(100_000);
    let catalog = catalog(&json!({"creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": adm}}]}));
    let imps: Vec<Value> = (0..64).map(|at| json!({"id": at.to_string(), "banner": {"w": 300, "h": 250}})).collect();
    let (_, out) = decide(&mut Scratch::default(), &catalog, &request(&json!({"imp": imps})));
    assert!((900_000..=1 << 20).contains(&out.len()), "{}", out.len());
}

/// A native ad answers each asset with another of its parts.
#[test]
fn assets_that_repeat_are_answered_once() {
    let img = |w: i64| json!({"type": 3, "url": format!("https://i.example/{w}"), "w": w, "h": 10});
    let native = json!({"title": "T", "link": "https://a.example", "img": [img(10), img(20)]});
    let catalog = catalog(&json!({"creatives": [{"crid": "b", "native": native}]}));
    let assets: Vec<Value> = (0..1000).map(|id| json!({"id": id, "img": {"type": 3}})).collect();
    let imp = json!({"id": "1", "native": {"request": json!({"assets": assets}).to_string()}});
    let (outcome, out) = decide(&mut Scratch::default(), &catalog, &request(&json!({"imp": [imp]})));
    let pictures = |w: i64| out.matches(&format!("https://i.example/{w}")).count();
    assert_eq!((outcome, pictures(10), pictures(20)), (Outcome::Bid, 1, 1), "{out}");
}

#[test]
fn no_campaign_is_examined_if_the_answer_without_bids_is_too_long() {
    let catalog = catalog(&json!({"ssps": [{"id": "s", "max_response_bytes": 200}]}));
    let mut scratch = Scratch::default();
    let (outcome, _) = decide(&mut scratch, &catalog, &request(&json!({"id": "r".repeat(300)})));
    assert_eq!(outcome, Outcome::NoBid(NoBidReason::ResponseBytes));
    assert_eq!(scratch.effort().examined, 0);
}

#[test]
fn records_over_the_limit_are_dropped_and_counted() {
    let catalog = catalog(&json!({}));
    let id = "\u{1}".repeat(512);
    let imps: Vec<Value> = (0..64)
        .map(|at| json!({"id": format!("{}{at:02}", "\u{1}".repeat(510)), "banner": {"w": 300, "h": 250}}))
        .collect();
    let mut scratch = Scratch::default();
    scratch.records.bids = true;
    scratch.records.weight = 1;
    let (outcome, _) = decide(&mut scratch, &catalog, &request(&json!({"id": id, "imp": imps})));
    assert_eq!(outcome, Outcome::Bid);
    let (kept, dropped) = (scratch.records.lines.lines().count(), scratch.records.dropped as usize);
    assert!(scratch.records.lines.len() <= MAX_RECORD_BYTES && dropped > 0 && kept > 0, "{kept} and {dropped}");
    assert_eq!(kept + dropped, 65);
}
