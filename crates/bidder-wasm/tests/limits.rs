//! Bounds on what one request may ask for: what is over them gets no bid, and what a decision leaves stays small.

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

/// A block list that is cut would let through what it blocks.
#[test]
fn a_list_longer_than_is_read_gets_no_bid() {
    let catalog = catalog(&json!({}));
    let listing = |count: usize| request(&json!({"badv": vec!["x"; count]}));
    let outcome = |count| decide(&mut Scratch::default(), &catalog, &listing(count)).0;
    assert_eq!(outcome(100), Outcome::Bid);
    assert_eq!(outcome(MAX_VALUES + 2), Outcome::NoBid(NoBidReason::ListLength));
}

/// So would one of which only a part is looked up.
#[test]
fn a_block_list_that_takes_all_work_gets_no_bid() {
    let catalog = catalog(&json!({}));
    let long: Vec<String> = (0..MAX_VALUES / 2).map(|place| format!("{place}.{}.example", "x".repeat(60))).collect();
    let mut scratch = Scratch::default();
    let (outcome, _) = decide(&mut scratch, &catalog, &request(&json!({"badv": long})));
    assert!(matches!(outcome, Outcome::NoBid(_)), "{outcome:?}");
    assert_eq!((scratch.effort().gave_up, scratch.effort().work), (true, max_work(1)));
}

/// Work ends within a campaign too: not every deal that it holds is looked at.
#[test]
fn a_deal_on_offer_many_times_is_not_looked_at_each_time() {
    let catalog = catalog(&json!({"campaigns": [{"cid": "c", "seat": "s", "adomain": ["a.example"], "cat": ["IAB1"],
        "max_cpm": "2", "creatives": ["b"], "deals": ["d"]}]}));
    let imp = json!({"id": "1", "banner": {"w": 300, "h": 250}, "pmp": {"deals": vec![json!({"id": "d"}); 500]}});
    let mut scratch = Scratch::default();
    decide(&mut scratch, &catalog, &request(&json!({"imp": [imp], "wlang": vec!["zz"; 1000]})));
    let effort = scratch.effort();
    assert!(effort.gave_up && effort.examined < 50, "{effort:?}");
}

#[test]
fn an_envelope_that_is_too_long_alone_ends_the_search_before_it_begins() {
    let catalog = catalog(&json!({"ssps": [{"id": "s", "max_response_bytes": 200}]}));
    let mut scratch = Scratch::default();
    let (outcome, _) = decide(&mut scratch, &catalog, &request(&json!({"id": "r".repeat(300)})));
    assert_eq!(outcome, Outcome::NoBid(NoBidReason::ResponseBytes));
    assert_eq!(scratch.effort().examined, 0);
}

#[test]
fn records_beyond_their_room_are_dropped_and_counted() {
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
