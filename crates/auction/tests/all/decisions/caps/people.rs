//! Who has caps, what is asked and what counts.

use auction::Outcome;
use base::hash::hash_of;
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{OBJECT, campaign, catalog, decide, request, snapshot, with};
use crate::notices;

fn two_a_day() -> Value {
    json!([{"n": 2, "per": "day"}])
}

/// A campaign with a cap that pays most, and one without.
fn document() -> Value {
    catalog(&[campaign("capped", "3", &two_a_day()), campaign("free", "1", &json!([]))])
}

fn subject(cid: &str) -> String {
    format!("c{:016x}", hash_of(cid))
}

fn known() -> Value {
    request(&json!({"buyeruid": "p1"}))
}

#[test]
fn a_request_whose_best_bid_has_caps_asks_and_keeps_the_next_best() {
    let (snapshot, notices) = (snapshot(&document()), notices());
    let first = decide(&snapshot, &known(), Some(&notices), None);
    assert_eq!(first.bids(), [["1", "free", "b"]]);
    assert_eq!(first.subjects(), [subject("capped")]);
    assert_eq!(first.asked["subjects"][0]["caps"], json!([{"n": 2, "per": "day"}]));
    assert_eq!(first.asked["ms"], 25);
    assert_eq!(first.asked["keys"][0].as_str().unwrap().len(), 32);
    assert_eq!(first.tally, json!({"uncounted": 0}), "the kept answer may not be sent");
    assert_eq!(first.asked["kept"]["bids"][0]["cid"], "free");

    let allowed = decide(&snapshot, &known(), Some(&notices), Some(&first.subjects()));
    assert_eq!(allowed.bids(), [["1", "capped", "b"]]);
    assert_eq!(allowed.tally["bids"][0]["cid"], "capped");
    let id = &allowed.body["seatbid"][0]["bid"][0]["id"];
    assert_eq!(allowed.asked, json!({"bids": [{"bid": id, "on": "bill", "subjects": [subject("capped")]}]}));
    assert_eq!(frequency_of(&allowed.body), OBJECT);

    let refused = decide(&snapshot, &known(), Some(&notices), Some(&[]));
    assert_eq!(refused.bids(), [["1", "free", "b"]]);
    assert_eq!((refused.asked, frequency_of(&refused.body)), (json!({}), 0));
}

#[test]
fn a_cap_that_counts_bids_also_counts_those_of_the_same_request() {
    let mut document = document();
    document["campaigns"][0]["cap_on"] = json!("bid");
    let mut body = known();
    body["imp"] = (1..=4).map(|n| json!({"id": n.to_string(), "banner": {"w": 300, "h": 250}})).collect();
    let cids = |document: &Value, body: &Value, left: u32| {
        let allowed = format!("{} {left}", subject("capped"));
        let answer = decide(&snapshot(document), body, Some(&notices()), Some(&[&allowed]));
        answer.bids().iter().map(|[_, cid, _]| (*cid).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(cids(&document, &body, 2), ["capped", "capped", "free", "free"]);
    assert_eq!(cids(&document, &body, 1), ["capped", "free", "free", "free"]);
    assert_eq!(cids(&document, &body, 0), ["free"; 4]);

    // A creative's cap counts in all campaigns that show it.
    let mut shared = document.clone();
    shared["creatives"][0]["caps"] = two_a_day();
    shared["campaigns"][1]["cap_on"] = json!("bid");
    let allowed = [subject("capped"), format!("k{:016x} 2", hash_of("b"))];
    let both = decide(&snapshot(&shared), &body, Some(&notices()), Some(&allowed.each_ref().map(String::as_str)));
    assert_eq!(both.bids().len(), 2);

    // Under several deals, a campaign has several bids on one impression.
    document["campaigns"][0]["deals"] = json!(["d-1", "d-2", "d-3"]);
    body["imp"] = json!([{"id": "1", "banner": {"w": 300, "h": 250}, "pmp": {"deals": [{"id": "d-1"}, {"id": "d-2"}, {"id": "d-3"}]}}]);
    assert_eq!(cids(&document, &body, 9), ["capped"; 4]);
    assert_eq!(cids(&document, &body, 2), ["capped"; 2]);

    // If the cap counts bills, any number of bids may go out before the first bill comes.
    document["campaigns"][0]["cap_on"] = json!("bill");
    assert_eq!(cids(&document, &body, 1), ["capped"; 4]);
}

/// The number in the token of the first bid.
fn frequency_of(body: &Value) -> u16 {
    let url = body["seatbid"][0]["bid"][0]["nurl"].as_str().unwrap();
    let token = url.split(['/', '?']).nth(5).unwrap();
    notices().keys.verify(token).unwrap().0.frequency
}

#[test]
fn nothing_is_asked_if_the_best_bid_has_no_caps_or_the_person_is_unknown() {
    let notices = notices();
    let cheap = catalog(&[campaign("capped", "1", &two_a_day()), campaign("free", "3", &json!([]))]);
    let answer = decide(&snapshot(&cheap), &known(), Some(&notices), None);
    assert_eq!((answer.bids(), &answer.asked), (vec![["1", "free", "b"]], &Value::Null));
    let snapshot = snapshot(&document());
    for (user, more) in [
        (json!({}), json!({})),
        (json!({"buyeruid": "p1"}), json!({"device": {"lmt": 1}})),
        (json!({"buyeruid": "p1"}), json!({"regs": {"coppa": 1}})),
        (json!({"id": "p1"}), json!({"dooh": {"id": "screen"}})),
        (json!({"consent": "unreadable", "id": "p1"}), json!({"regs": {"gpc": 1, "gdpr": 0}})),
        (json!({}), json!({"device": {"ifa": "00000000-0000-0000-0000-000000000000"}})),
    ] {
        let request = with(request(&user), &more);
        let answer = decide(&snapshot, &request, Some(&notices), None);
        assert_eq!((answer.bids(), &answer.asked), (vec![["1", "capped", "b"]], &Value::Null), "{request}");
        assert_eq!(frequency_of(&answer.body), 0);
    }
}

#[test]
fn without_keys_a_campaign_with_caps_bids_only_for_unknown_people() {
    let only = catalog(&[campaign("capped", "3", &two_a_day())]);
    let (both, only) = (snapshot(&document()), snapshot(&only));
    let answer = decide(&both, &known(), None, None);
    assert_eq!((answer.bids(), &answer.asked), (vec![["1", "free", "b"]], &Value::Null));
    assert_eq!(decide(&only, &known(), None, None).outcome, Outcome::NoBid(NoBidReason::Frequency));
    assert_eq!(decide(&only, &request(&json!({})), None, None).outcome, Outcome::Bid);
}

#[test]
fn a_creative_with_caps_gives_way_to_another_one_of_its_campaign() {
    let mut document = catalog(&[campaign("c", "3", &json!([]))]);
    let mut creatives = vec![document["creatives"][0].clone()];
    creatives.push(json!({"crid": "k", "caps": two_a_day(), "banner": creatives[0]["banner"]}));
    document["creatives"] = creatives.into();
    let (notices, known) = (notices(), known());
    document["campaigns"][0]["creatives"] = json!(["k"]);
    let alone = snapshot(&document);
    let first = decide(&alone, &known, Some(&notices), None);
    assert_eq!(first.outcome, Outcome::NoBid(NoBidReason::Frequency));
    assert_eq!(first.subjects(), [format!("k{:016x}", hash_of("k"))]);
    assert_eq!(decide(&alone, &known, Some(&notices), Some(&first.subjects())).bids(), [["1", "c", "k"]]);
    document["campaigns"][0]["creatives"] = json!(["b", "k"]);
    assert_eq!(decide(&snapshot(&document), &known, Some(&notices), Some(&[])).bids(), [["1", "c", "b"]]);
}

#[test]
fn a_test_auction_counts_nothing() {
    let (snapshot, notices, mut request) = (snapshot(&document()), notices(), known());
    request["test"] = 1.into();
    let first = decide(&snapshot, &request, Some(&notices), None);
    let second = decide(&snapshot, &request, Some(&notices), Some(&first.subjects()));
    assert_eq!(second.bids(), [["1", "capped", "b"]]);
    assert_eq!((second.asked, frequency_of(&second.body)), (json!({}), 0));
}

#[test]
fn caps_that_count_bids_need_no_notice() {
    let mut document = document();
    document["campaigns"][0]["cap_on"] = "bid".into();
    let (snapshot, notices) = (snapshot(&document), notices());
    let answer = decide(&snapshot, &known(), Some(&notices), Some(&[&subject("capped")]));
    assert_eq!((&answer.asked["bids"][0]["on"], frequency_of(&answer.body)), (&json!("bid"), 0));
}

#[test]
fn an_object_gets_what_tmax_leaves() {
    let notices = notices();
    for (tmax, usual, expected) in [(0, 0, 25), (100, 0, 25), (55, 0, 20), (35, 300, 0), (0, 50, 15), (21, 0, -14)] {
        let mut document = document();
        if usual > 0 {
            document["ssps"] = json!([{"id": "demo", "tmax": usual}]);
        }
        let mut request = known();
        request["tmax"] = tmax.into();
        let answer = decide(&snapshot(&document), &request, Some(&notices), None);
        assert_eq!(answer.asked["ms"], expected, "tmax {tmax}, usually {usual}");
    }
}
