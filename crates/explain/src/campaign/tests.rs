//! Sentences that no fixture shows: `fixtures/expected/described.tsv` has the rest.

use super::*;
use crate::tests::{catalog, with};
use catalog::Snapshot;
use compiler::{compile, name_of};
use reasons::kind::kind_of;
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

/// The sentences about a campaign, each after the name of its section. `more` are members of the catalog.
fn sentences(more: &Value, campaign: &Value) -> Vec<String> {
    sentences_of(&catalog(more, core::slice::from_ref(campaign)))
}

fn sentences_of(snapshot: &Snapshot) -> Vec<String> {
    let mut out = String::new();
    describe("c0", &snapshot.catalog(), &mut out).unwrap();
    let report: Value = serde_json::from_str(&out).unwrap();
    let sections = report["sections"].as_array().unwrap().iter();
    let of_section = |section: &Value| -> Vec<String> {
        let about = section["about"].as_str().unwrap();
        let sentences = section["sentences"].as_array().unwrap().iter();
        sentences.map(|text| format!("{about}: {}", text.as_str().unwrap())).collect()
    };
    sections.flat_map(of_section).collect()
}

#[test]
fn a_plain_campaign_has_a_sentence_in_each_section() {
    let all = sentences(&json!({}), &json!({}));
    let told: Vec<&str> = all.iter().filter_map(|text| text.split_once(':')).map(|(about, _)| about).collect();
    for (about, _) in SECTIONS {
        assert!(told.contains(about), "{about}: {all:?}");
    }
}

#[test]
fn every_term_has_its_words() {
    let total = json!({"daily": "50", "total": "1200"});
    let caps = json!([{"n": 1, "per": "day"}, {"n": 10, "per": "lifetime"}]);
    let hours = json!({"zone": "Europe/Berlin", "hours": [{"days": [1, 2], "from": 8, "to": 20}]});
    let flights = json!([{"start": "2026-12-01T00:00Z", "end": "2026-12-03T00:00Z", "budget": {"daily": "5"}},
        {"start": "2026-12-10T00:00Z", "budget": {"total": "7"}}]);
    let many: Vec<String> = (1..=10).map(|number| format!("{number}.x")).collect();
    let deals = json!([{"id": "d-1", "max_cpm": "4"}, "d-3"]);
    for (campaign, expected) in [
        (json!({"cur": "EUR"}), "pays: At most 1 EUR for a thousand impressions."),
        (
            json!({"start": "2026-12-01T00:00Z", "target": hours}),
            "bids when: It bids Mon-Tue 08:00-20:00 (Europe/Berlin).",
        ),
        (
            json!({"start": "2026-12-01T00:00Z", "target": hours}),
            "bids when: It bids from Tue 2026-12-01 00:00:00 UTC (Europe/Berlin: from Tue 2026-12-01 01:00:00).",
        ),
        (json!({"budget": total}), "may spend: 50 USD a day, and 1200 USD in all, evenly, as the traffic comes."),
        (json!({"caps": caps}), "is seen: At most 1 time a day, 10 times in a lifetime by a person."),
        (json!({"caps": caps, "cap_on": "bid"}), "is seen: Bids count, also those that lose."),
        (
            json!({"target": {"domain": {"exclude": many}}}),
            "bids where: Not where the domain is 1.x, 2.x, 3.x, 4.x, 5.x, 6.x, 7.x, 8.x and 2 more.",
        ),
        (
            json!({"target": {"devicetype": {"exclude": [3, 99]}}}),
            "bids where: Not where the device type is 3 (connected TV) or 99.",
        ),
        (json!({"flights": flights, "pacing": "asap"}), "may spend: What its flights may spend, as soon as it can."),
        // The second deal costs what the campaign pays.
        (json!({"open": false, "deals": deals}), "buys from: It bids only under the deals d-1 (at most 4 USD), d-3."),
        (
            json!({"open": false, "deals": deals}),
            "pays: At most 1 USD for a thousand impressions, unless a deal above has its own price.",
        ),
    ] {
        let all = sentences(&json!({"privacy": {"vendor_id": 1}}), &campaign);
        assert!(all.iter().any(|known| known == expected), "{expected}: {all:?}");
    }
}

/// A dimension that is added to the table must be told too.
#[test]
fn every_dimension_has_a_sentence() {
    let mut told = 0;
    for reason in (0..=u8::MAX).filter_map(NoBidReason::of_number).filter(|reason| kind_of(*reason).is_some()) {
        let values = [json!("deu"), json!("de"), json!(1), json!({"provider": "p", "id": "i"})];
        let rules = values.map(|value| json!({"include": [value]})).into_iter().chain([
            json!(true),
            json!(["app"]),
            json!({"exclude_unknown": true}),
        ]);
        let is_told = |rule: Value| {
            let document = json!({"format": 1, "privacy": {"vendor_id": 1}, "ssps": [{"id": "s"}],
                "creatives": [{"crid": "a", "banner": {"w": 1, "h": 1, "adm": "<b>"}}], "campaigns": [{"cid": "c0",
                "seat": "s", "adomain": ["x.example"], "max_cpm": "1", "creatives": ["a"], "target": {name_of(reason): rule}}]});
            let compiled = compile(document.to_string().as_bytes(), &[]).ok();
            let all = compiled.map(|compiled| sentences_of(&compiled.snapshot)).unwrap_or_default();
            all.iter().any(|text| text.starts_with("bids where: Only where "))
        };
        assert!(rules.into_iter().any(is_told), "{}", name_of(reason));
        told += 1;
    }
    assert!(told > 35, "{told}");
}

#[test]
fn what_an_ssp_adds_to_bids_is_cut_where_it_is_long_and_others_are_not_named() {
    let ssps = json!([{"id": "a", "bid_ext": {"a": 1, "b": "x".repeat(200)}}, {"id": "two", "bid_ext": {"c": 2}}]);
    let all = sentences(&json!({ "ssps": ssps }), &json!({"ssps": ["a"]}));
    let ext = all.iter().find(|text| text.starts_with(r#"buys from: For a, bid.ext also has {"a":1,"b":"xxx"#));
    assert!(ext.is_some_and(|text| text.ends_with("x…}.") && text.len() < 200), "{all:?}");
    assert!(!all.iter().any(|text| text.contains("two")), "{all:?}");
}

#[test]
fn creatives_are_told_by_their_type() {
    let media = json!([{"url": "https://c.example/1", "mime": "audio/mp4"}]);
    let audio = json!({"dur": 30, "protocol": 3, "media": media, "companions": [{"w": 1, "h": 1, "static": "https://c.example/2"}]});
    let traits = json!({"crid": "b", "language": "de", "api": [7], "attr": [1, 600]});
    let all = sentences(&json!({"creatives": [with(traits, &json!({ "audio": audio }))]}), &json!({}));
    let expected = "shows: b: an audio ad, 30 seconds, VAST 3.0, audio/mp4, 1 companions; language de; attributes 1 (audio \
                    ad, plays by itself), 600; needs 7 (OMID 1.0).";
    assert!(all.iter().any(|known| known == expected), "{all:?}");
    let old = json!({"network": "abc123.skadnetwork", "itunesitem": "7", "campaign": "45"});
    let all = sentences(&json!({}), &json!({ "skadn": old }));
    assert!(all.iter().any(|text| text.contains("abc123.skadnetwork in SKAdNetwork 2.0 to 3.0, ")), "{all:?}");
}

#[test]
fn an_unknown_campaign_is_an_error_that_names_the_nearest() {
    let snapshot = catalog(&json!({}), &[json!({"name": "x"})]);
    for (cid, hint) in [("c1", "did you mean c0?"), ("something-else", "it has c0")] {
        let error = describe(cid, &snapshot.catalog(), &mut String::new()).unwrap_err();
        assert_eq!(error, format!("the catalog has no campaign {cid}; {hint}"));
    }
}
