//! What the host has to sign for SKAdNetwork: the places in the answer, and the texts in Apple's order.

#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use bidder_wasm::context::Context;
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::write::SIGNATURE_BYTES;
use bidder_wasm::{Outcome, Scratch, bid};
use compiler_wasm::compile::compile;
use serde_json::{Value, json};

const NOW_MS: i64 = 1_795_003_200_123;

struct Answer {
    outcome: Outcome,
    body: String,
    /// Places in the body, and the texts to sign.
    unsigned: Vec<(usize, String)>,
}

/// Decides on a request with an impression for each of these `ext.skadn`. Two campaigns bid, the second one under a deal.
fn answer(skadn: &Value, offers: &[Value], signs: bool, ssp: &Value) -> Answer {
    let campaign = |cid: &str, open: bool| {
        json!({"cid": cid, "seat": "s", "adomain": ["a.example"], "max_cpm": "2", "creatives": ["b"], "deals": ["d"],
            "open": open, "skadn": skadn, "nurl": "https://a.example/${AUCTION_PRICE}"})
    };
    let mut south = ssp.clone();
    south["id"] = json!("s");
    let catalog = json!({"format": 1, "privacy": {"bid_unregistered": false}, "ssps": [south],
        "creatives": [{"crid": "b", "banner": {"w": 1, "h": 1, "adm": "<b>ü"}}],
        "campaigns": [campaign("open", true), campaign("dealt", false)]});
    let imps = offers.iter().enumerate().map(|(i, offer)| {
        json!({"id": i.to_string(), "banner": {"w": 1, "h": 1}, "ext": {"skadn": offer}, "pmp": {"deals": [{"id": "d"}]}})
    });
    let request = json!({"id": "r", "imp": imps.collect::<Vec<_>>()});
    let snapshot = compile(catalog.to_string().as_bytes(), &[]).unwrap().snapshot;
    let (mut scratch, mut body) = (Scratch::default(), String::new());
    let context = Context { now_ms: NOW_MS, seed: 7, signs_skadn: signs, ..Context::default() };
    let request = request.to_string();
    let outcome = bid(&mut scratch, request.as_bytes(), 0, &snapshot.catalog(), &context, &mut (), &mut body);
    let unsigned = scratch.unsigned.lines().map(|line| {
        let (at, message) = line.split_once(' ').unwrap();
        (at.parse().unwrap(), message.to_owned())
    });
    let unsigned = unsigned.collect();
    Answer { outcome, body, unsigned }
}

fn skadn() -> Value {
    json!({"network": "abc123.skadnetwork", "itunesitem": "123456789", "sourceidentifier": "4321", "campaign": "45"})
}

fn offer(versions: &[&str]) -> Value {
    json!({"versions": versions, "sourceapp": "880047117", "skadnetids": ["other.skadnetwork", "ABC123.skadnetwork"]})
}

/// What Apple's documentation signs for a bid, in the order of the bid's signatures.
fn messages(skadn: &Value) -> Vec<String> {
    let text = |of: &Value, key: &str| of[key].as_str().unwrap_or_else(|| panic!("no {key} in {of}")).to_owned();
    let number = if skadn["version"] == "4.0" { "sourceidentifier" } else { "campaign" };
    let common = ["version", "network", number, "itunesitem"].map(|key| text(skadn, key));
    let proofs = skadn["fidelities"].as_array().cloned().unwrap_or_else(|| vec![skadn.clone()]);
    let message = |proof: &Value| {
        let mut parts = common.to_vec();
        parts.extend([text(proof, "nonce"), text(skadn, "sourceapp")]);
        parts.extend(proof["fidelity"].as_i64().map(|fidelity| fidelity.to_string()));
        parts.push(text(proof, "timestamp"));
        parts.join("\u{2063}")
    };
    proofs.iter().map(message).collect()
}

fn bids(body: &str) -> Vec<Value> {
    let response: Value = serde_json::from_str(body).unwrap();
    response["seatbid"].as_array().unwrap().iter().flat_map(|seat| seat["bid"].as_array().unwrap().clone()).collect()
}

#[test]
fn every_signature_has_its_place_and_its_text() {
    for (versions, version, each) in [
        (&["2.0", "2.1", "2.2", "3.0", "4.0"][..], "4.0", 2),
        (&["2.0", "2.2", "3.0"], "3.0", 2),
        (&["2.2"], "2.2", 2),
        (&["2.1", "2.0"], "2.1", 1),
        (&["2.0"], "2.0", 1),
    ] {
        let offers = [offer(versions), json!({}), offer(versions)];
        let Answer { outcome, body, unsigned } = answer(&skadn(), &offers, true, &json!({}));
        assert_eq!(outcome, Outcome::Bid);
        let signed: Vec<Value> = bids(&body).into_iter().filter(|bid| !bid["ext"].is_null()).collect();
        assert_eq!((bids(&body).len(), signed.len(), unsigned.len()), (6, 4, 4 * each), "{version}: {body}");
        let mut expected: Vec<String> = signed.iter().flat_map(|bid| messages(&bid["ext"]["skadn"])).collect();
        assert!(signed.iter().all(|bid| bid["ext"]["skadn"]["version"] == version), "{body}");
        let mut found: Vec<String> = unsigned.iter().map(|(_, message)| message.clone()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
        found.dedup();
        assert_eq!(found.len(), 4 * each, "each signature has a nonce of its own");
        // Put each text's number into its place, and read it back from the bid that the text is for.
        let mut signed_body = body.clone();
        for (number, (at, _)) in unsigned.iter().enumerate() {
            let place = *at..*at + SIGNATURE_BYTES;
            assert_eq!(body[place.clone()], " ".repeat(SIGNATURE_BYTES), "{body}");
            signed_body.replace_range(place, &format!("{number:SIGNATURE_BYTES$}"));
        }
        for bid in bids(&signed_body).iter().filter(|bid| !bid["ext"].is_null()) {
            let skadn = &bid["ext"]["skadn"];
            let proofs = skadn["fidelities"].as_array().cloned().unwrap_or_else(|| vec![skadn.clone()]);
            for (proof, message) in proofs.iter().zip(messages(skadn)) {
                let number: usize = proof["signature"].as_str().unwrap().trim().parse().unwrap();
                assert_eq!(unsigned[number].1, message);
            }
        }
    }
}

#[test]
fn a_bid_carries_it_only_where_the_impression_offers_it_and_the_host_signs() {
    let good = offer(&["3.0"]);
    let with = |key: &str, value: Value| {
        let mut offer = good.clone();
        offer[key] = value;
        offer
    };
    let listed = |list: Value| json!({"version": "2.2", "sourceapp": "1", "skadnetlist": list});
    for (offer, own, signs, carries) in [
        (good.clone(), json!({}), true, true),
        (good.clone(), json!({}), false, false),
        (json!({}), json!({}), true, false),
        (with("versions", json!(["1.0", "5.0"])), json!({}), true, false),
        (with("versions", json!(["4.0"])), json!({"sourceidentifier": null}), true, false),
        (with("versions", json!(["2.0"])), json!({"campaign": null}), true, false),
        (with("sourceapp", json!("com.acme.app")), json!({}), true, false),
        (with("sourceapp", json!("1\u{2063}2")), json!({}), true, false),
        (with("sourceapp", json!("1".repeat(21))), json!({}), true, false),
        (with("sourceapp", json!(880_047_117)), json!({}), true, true),
        (with("skadnetids", json!(["xyz.skadnetwork"])), json!({}), true, false),
        (listed(json!({"addl": ["abc123.skadnetwork"]})), json!({}), true, true),
        (listed(json!({"max": 7})), json!({"list_id": 7}), true, true),
        (listed(json!({"max": 7, "excl": [6, 7]})), json!({"list_id": 7}), true, false),
        (listed(json!({"max": 6})), json!({"list_id": 7}), true, false),
        (listed(json!({"max": 7})), json!({}), true, false),
    ] {
        for required in [false, true] {
            let mut skadn = skadn();
            for (key, value) in own.as_object().unwrap() {
                skadn[key] = value.clone();
            }
            skadn["required"] = json!(required);
            let found = answer(&skadn, std::slice::from_ref(&offer), signs, &json!({}));
            let (outcome, has) = (found.outcome, found.body.contains("\"skadn\":{"));
            let expected = if carries || !required { Outcome::Bid } else { Outcome::NoBid(NoBidReason::Skadn) };
            assert_eq!((outcome, has), (expected, carries), "{offer} {skadn} {signs}");
            assert_eq!(found.unsigned.is_empty(), !carries);
        }
    }
}

#[test]
fn a_limit_on_the_answer_counts_signatures() {
    let offers = [offer(&["4.0"])];
    let full = answer(&skadn(), &offers, true, &json!({"one_bid_per_imp": true}));
    let limit = |bytes: usize| json!({"one_bid_per_imp": true, "max_response_bytes": bytes});
    assert_eq!(answer(&skadn(), &offers, true, &limit(full.body.len())).body, full.body);
    let mut last = full.body;
    loop {
        let shorter = answer(&skadn(), &offers, true, &limit(last.len() - 1));
        if shorter.outcome != Outcome::Bid {
            assert_eq!((shorter.outcome, shorter.unsigned.len()), (Outcome::NoBid(NoBidReason::ResponseBytes), 0));
            return;
        }
        assert!(shorter.body.len() < last.len() && shorter.body.contains("\"skadn\":{"), "{}", shorter.body);
        last = shorter.body;
    }
}
