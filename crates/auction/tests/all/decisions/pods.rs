//! The number of bids on dynamic pods and under many deals, and that every bid has a unique id.

use std::collections::BTreeSet;

use auction::context::Context;
use base::limits::{MAX_IMPS, MAX_POD_BIDS};
use serde_json::{Value, json};

use super::{campaign, decide, request, snapshot, video};

/// The bids of `campaigns` campaigns, each with `deals` deals, on `imps` impressions with this `poddur`; 0 for no pod.
/// The last deal is guaranteed.
fn bids(campaigns: usize, deals: usize, imps: usize, poddur: i64) -> Vec<Value> {
    let names: Vec<String> = (0..campaigns).map(|number| format!("c{number}")).collect();
    let ids: Vec<String> = (0..deals).map(|number| format!("d{number}")).collect();
    let creatives: Value = names.iter().map(|crid| video(crid, 6, 1)).collect();
    let own = |cid: &String| campaign(cid, &json!({"deals": ids, "open": true, "creatives": [cid]}));
    let snapshot = snapshot(&json!({ "creatives": creatives }), names.iter().map(own));
    let deal = |(position, id): (usize, &String)| json!({"id": id, "guar": i32::from(position + 1 == deals)});
    let offered: Value = ids.iter().enumerate().map(deal).collect();
    let offer = json!({"mimes": ["video/mp4"], "poddur": poddur, "maxseq": 100});
    let imp = |number: usize| json!({"id": number.to_string(), "pmp": {"deals": offered}, "video": offer});
    let bids = decide(&snapshot.catalog(), &request((0..imps).map(imp)), &Context::default()).bids();
    let distinct: BTreeSet<&str> = bids.iter().map(|bid| bid["id"].as_str().unwrap()).collect();
    assert_eq!(distinct.len(), bids.len(), "each bid has an id of its own");
    bids
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
        assert_eq!(bids(campaigns, 1, imps, 600).len(), expected, "{campaigns} campaigns on {imps} impressions");
    }
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
        let guaranteed = format!("d{}", deals - 1);
        let kept: BTreeSet<&str> =
            bids.iter().filter(|bid| bid["dealid"] == guaranteed).map(|bid| bid["impid"].as_str().unwrap()).collect();
        assert_eq!(kept.len(), imps, "the guaranteed one of {deals} deals on {imps} impressions");
    }
}
