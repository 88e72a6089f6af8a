//! What the host has to sign for SKAdNetwork: the positions in the answer, and the texts in Apple's order.

use auction::Outcome;
use auction::context::Context;
use auction::options::inputs::Inputs;
use auction::options::skadn::SIGNATURE_BYTES;
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{Decided, banner, campaign, decide, parsed, request, snapshot, with};

/// A decision, with the positions in its body and the texts to sign.
struct Answer {
    decided: Decided,
    unsigned: Vec<(usize, String)>,
}

/// Decides on a request with an impression for each of these `ext.skadn`. Two campaigns bid, the second one under a deal.
fn answer(skadn: &Value, offers: &[Value], signs: bool, ssp: &Value) -> Answer {
    let own = |(cid, open): (&str, bool)| {
        let terms = json!({"deals": ["d"], "open": open, "skadn": skadn, "nurl": "https://a.example/${AUCTION_PRICE}"});
        campaign(cid, &terms)
    };
    let south = with(json!({"id": "s"}), ssp);
    let document = json!({"privacy": {"bid_unregistered": false}, "ssps": [south],
        "creatives": [{"crid": "b", "banner": {"w": 300, "h": 250, "adm": "<b>ü"}}]});
    let snapshot = snapshot(&document, [("open", true), ("dealt", false)].map(own));
    let imp = |(i, offer): (usize, &Value)| {
        banner(&json!({"id": i.to_string(), "ext": {"skadn": offer}, "pmp": {"deals": [{"id": "d"}]}}))
    };
    let context = Context {
        now_ms: super::NOW_MS + 123,
        seed: 7,
        options: Inputs { signs, ..Inputs::default() },
        ..Context::default()
    };
    let decided = decide(&snapshot.catalog(), &request(offers.iter().enumerate().map(imp)), &context);
    let left = parsed(decided.scratch.left.json());
    let unsigned = left["skadn"].as_array().into_iter().flatten().map(|one| {
        (usize::try_from(one["at"].as_u64().unwrap()).unwrap(), one["message"].as_str().unwrap().to_owned())
    });
    let unsigned = unsigned.collect();
    Answer { decided, unsigned }
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

#[test]
fn every_signature_has_its_position_and_its_text() {
    for (versions, version, each) in [
        (&["2.0", "2.1", "2.2", "3.0", "4.0"][..], "4.0", 2),
        (&["2.0", "2.2", "3.0"], "3.0", 2),
        (&["2.2"], "2.2", 2),
        (&["2.1", "2.0"], "2.1", 1),
        (&["2.0"], "2.0", 1),
    ] {
        let offers = [offer(versions), json!({}), offer(versions)];
        let Answer { decided, unsigned } = answer(&skadn(), &offers, true, &json!({}));
        let body = &decided.body;
        let signed: Vec<Value> = decided.bids().into_iter().filter(|bid| !bid["ext"].is_null()).collect();
        assert_eq!((decided.bids().len(), signed.len(), unsigned.len()), (6, 4, 4 * each), "{version}: {body}");
        let mut expected: Vec<String> = signed.iter().flat_map(|bid| messages(&bid["ext"]["skadn"])).collect();
        assert!(signed.iter().all(|bid| bid["ext"]["skadn"]["version"] == version), "{body}");
        let mut found: Vec<String> = unsigned.iter().map(|(_, message)| message.clone()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
        found.dedup();
        assert_eq!(found.len(), 4 * each, "each signature has a nonce of its own");
        // Put each text's number into its position, and read it back from the bid that the text is for.
        let mut signed_body = body.clone();
        for (number, (at, _)) in unsigned.iter().enumerate() {
            let position = *at..*at + SIGNATURE_BYTES;
            assert_eq!(body[position.clone()], " ".repeat(SIGNATURE_BYTES), "{body}");
            signed_body.replace_range(position, &format!("{number:SIGNATURE_BYTES$}"));
        }
        for bid in (Decided { body: signed_body, ..decided }).bids().iter().filter(|bid| !bid["ext"].is_null()) {
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
    let but = |key: &str, value: Value| with(good.clone(), &json!({ key: value }));
    // The oracle has the versions and networks that fit.
    for (offer, signs, carries) in [
        (good.clone(), true, true),
        (good.clone(), false, false),
        (but("sourceapp", json!("1\u{2063}2")), true, false),
        (but("sourceapp", json!("1".repeat(21))), true, false),
        (but("sourceapp", json!(880_047_117)), true, true),
    ] {
        for required in [false, true] {
            let skadn = with(skadn(), &json!({ "required": required }));
            let found = answer(&skadn, std::slice::from_ref(&offer), signs, &json!({}));
            let (outcome, has) = (found.decided.outcome, found.decided.body.contains("\"skadn\":{"));
            let expected = if carries || !required { Outcome::Bid } else { Outcome::NoBid(NoBidReason::Skadn) };
            assert_eq!((outcome, has), (expected, carries), "{offer} {skadn} {signs}");
            assert_eq!(found.unsigned.is_empty(), !carries);
        }
    }
}

#[test]
fn a_limit_on_the_answer_counts_signatures() {
    let offers = [offer(&["4.0"])];
    let limited = |limit: &Value| {
        let Answer { decided, unsigned } =
            answer(&skadn(), &offers, true, &with(json!({"one_bid_per_imp": true}), limit));
        (decided, unsigned.len())
    };
    let (full, _) = limited(&json!({}));
    assert_eq!(limited(&json!({"max_response_bytes": full.body.len()})).0.body, full.body);
    let mut last = full.body;
    loop {
        let (Decided { outcome, body, .. }, unsigned) = limited(&json!({"max_response_bytes": last.len() - 1}));
        if outcome != Outcome::Bid {
            assert_eq!((outcome, unsigned), (Outcome::NoBid(NoBidReason::ResponseBytes), 0));
            return;
        }
        assert!(body.len() < last.len() && body.contains("\"skadn\":{"), "{body}");
        last = body;
    }
}
