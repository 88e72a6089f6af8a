//! The number of bids on dynamic pods and under many deals, and that every bid has a unique id.

#![cfg(test)]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::collections::BTreeSet;

use bidder_wasm::context::Context;
use bidder_wasm::limits::{MAX_IMPS, MAX_POD_BIDS};
use bidder_wasm::{Outcome, Scratch, bid};
use compiler_wasm::compile::compile;
use serde_json::{Value, json};

/// The bids of `campaigns` campaigns, each with `deals` deals, on `imps` impressions with this `poddur`; 0 for no pod.
/// The last deal is guaranteed.
fn bids(campaigns: usize, deals: usize, imps: usize, poddur: i64) -> Vec<Value> {
    let names = || (0..campaigns).map(|number| format!("c{number}"));
    let creative = |crid: String| {
        let media = json!([{"url": "https://c.example/1.mp4", "mime": "video/mp4"}]);
        json!({"crid": crid, "video": {"dur": 6, "protocol": 3, "w": 1, "h": 1, "media": media}})
    };
    let ids: Vec<String> = (0..deals).map(|number| format!("d{number}")).collect();
    let campaign = |cid: String| {
        json!({"cid": cid, "seat": "s", "adomain": ["a.example"], "max_cpm": "1", "deals": ids, "open": true,
            "creatives": [cid]})
    };
    let offered: Vec<Value> =
        ids.iter().enumerate().map(|(place, id)| json!({"id": id, "guar": i32::from(place + 1 == deals)})).collect();
    let document = json!({"format": 1, "ssps": [{"id": "s"}], "creatives": names().map(creative).collect::<Value>(),
        "campaigns": names().map(campaign).collect::<Value>()});
    let imp = |number: usize| {
        json!({"id": number.to_string(), "pmp": {"deals": offered},
            "video": {"mimes": ["video/mp4"], "poddur": poddur, "maxseq": 100}})
    };
    let request = json!({"id": "r", "imp": (0..imps).map(imp).collect::<Value>()}).to_string();
    let snapshot = compile(document.to_string().as_bytes(), &[]).unwrap().snapshot;
    let (catalog, mut response) = (snapshot.catalog(), String::new());
    let outcome =
        bid(&mut Scratch::default(), request.as_bytes(), 0, &catalog, &Context::default(), &mut (), &mut response);
    assert_eq!(outcome, Outcome::Bid);
    let response: Value = serde_json::from_str(&response).unwrap();
    response["seatbid"].as_array().unwrap().iter().flat_map(|seat| seat["bid"].as_array().unwrap().clone()).collect()
}

#[test]
fn pods_share_the_number_of_bids_in_an_answer() {
    for (campaigns, imps, expected) in [
        (1, 1, 2),
        (10, 1, 2 * MAX_POD_BIDS),
        (10, 4, 4 * 2 * MAX_POD_BIDS),
        (3, 12, 12 * 2 * 3),
        (1, MAX_IMPS / 2, MAX_IMPS),
    ] {
        let bids = bids(campaigns, 1, imps, 600);
        assert_eq!(bids.len(), expected, "{campaigns} campaigns on {imps} impressions");
        assert_eq!(distinct(&bids), bids.len(), "each bid has an id of its own");
    }
}

fn distinct(bids: &[Value]) -> usize {
    bids.iter().map(|bid| bid["id"].as_str().unwrap()).collect::<BTreeSet<_>>().len()
}

#[test]
fn deals_share_the_number_of_bids_in_an_answer_and_guaranteed_deals_come_first() {
    for (deals, imps, poddur, expected) in [
        (1, 1, 0, 2),
        (2, 1, 0, 3),
        (9, 1, 0, 10),
        (60, 1, 0, 61),
        (12, 5, 0, 5 * 13),
        (3, 16, 0, 4 * 16),
        (2, 1, 600, 5),
        (5, 10, 600, 10 * 8),
    ] {
        let bids = bids(2, deals, imps, poddur);
        assert_eq!(bids.len(), expected, "{deals} deals on {imps} impressions");
        assert_eq!(distinct(&bids), bids.len(), "each bid has an id of its own");
        let guaranteed = format!("d{}", deals - 1);
        let kept: BTreeSet<&str> =
            bids.iter().filter(|bid| bid["dealid"] == guaranteed).map(|bid| bid["impid"].as_str().unwrap()).collect();
        assert_eq!(kept.len(), imps, "the guaranteed one of {deals} deals on {imps} impressions");
    }
}
