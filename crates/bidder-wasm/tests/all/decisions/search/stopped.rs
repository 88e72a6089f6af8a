//! A stop takes the bids of the stopped campaigns away, and changes nothing else.

use bidder_wasm::Outcome;
use bidder_wasm::catalog::{Catalog, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::decide::Effort;
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::stop::Stop;
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Value, json};

use super::super::{Decided, banner, campaign, snapshot};
use super::compared;

/// More than a block of the index.
const CAMPAIGNS: usize = 700;

/// Campaigns of different prices, a few of each kind: of countries, deals, sizes. `keep` leaves campaigns out.
fn catalog(keep: impl Fn(usize) -> bool) -> Snapshot {
    let campaign = |place: usize| {
        let (creative, country) = (["b", "wide", "api"][place % 5 % 3], ["USA", "DEU", "FRA", "JPN"][place % 4]);
        let terms = json!({"seat": format!("s{}", place % 3), "creatives": [creative],
            "max_cpm": format!("9.{:03}", 999 - place)});
        let mut campaign = campaign(&format!("c{place}"), &terms);
        if !place.is_multiple_of(4) {
            campaign["target"] = json!({"country": {"include": [country]}});
        }
        if place.is_multiple_of(7) {
            campaign["deals"] = json!(["d"]);
        }
        campaign
    };
    let creatives = json!([{"crid": "b", "banner": {"w": 300, "h": 250, "adm": "<p>"}},
        {"crid": "wide", "banner": {"w": 728, "h": 90, "adm": "<p>"}},
        {"crid": "api", "api": [3], "banner": {"w": 300, "h": 250, "adm": "<p>"}}]);
    snapshot(&json!({ "creatives": creatives }), (0..CAMPAIGNS).filter(|place| keep(*place)).map(campaign))
}

/// The outcome, the body and the effort of a decision.
fn decided(catalog: &Catalog<'_>, request: &Value, stop: Option<&Stop>) -> (Outcome, String, Effort) {
    let Decided { outcome, body, scratch } = compared(catalog, request, &Context { stop, ..Context::default() });
    (outcome, body, scratch.effort())
}

fn request() -> impl Strategy<Value = Value> {
    let imp = (any::<bool>(), any::<bool>(), 0..12_u8).prop_map(|(is_wide, has_deal, floor)| {
        let (w, h) = if is_wide { (728, 90) } else { (300, 250) };
        let deals = if has_deal { json!([{"id": "d", "guar": 1, "bidfloor": 1}]) } else { json!([]) };
        banner(&json!({"banner": {"w": w, "h": h}, "bidfloor": floor, "pmp": {"deals": deals}}))
    });
    let country = proptest::sample::select(vec!["DEU", "FRA", "JPN", "USA"]);
    (country, prop::collection::vec(imp, 1..4)).prop_map(|(country, mut imps)| {
        for (id, imp) in imps.iter_mut().enumerate() {
            imp["id"] = id.to_string().into();
        }
        json!({"id": "r", "imp": imps, "device": {"geo": {"country": country}}})
    })
}

/// The places of the stopped campaigns: the dearest ones, or some of all.
fn stopped() -> impl Strategy<Value = Vec<usize>> {
    let all = || (0..CAMPAIGNS).collect::<Vec<_>>();
    prop_oneof![
        (0..=CAMPAIGNS).prop_map(|count| (0..count).collect()),
        subsequence(all(), 0..=CAMPAIGNS),
        subsequence(all(), 0..9)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_others_bid_as_without_the_stopped_campaigns(places in stopped(), request in request()) {
        let whole = catalog(|_| true);
        let rest = catalog(|place| !places.contains(&place));
        let cids = places.iter().fold(String::new(), |cids, place| cids + &format!("c{place}\n"));
        let (stop, known) = Stop::read(&cids, false, &whole.catalog());
        prop_assert_eq!((known, stop.is_some()), (places.len(), !places.is_empty()));
        let (outcome, body, effort) = decided(&whole.catalog(), &request, stop.as_ref());
        let (expected, expected_body, expected_effort) = decided(&rest.catalog(), &request, None);
        prop_assert_eq!(body, expected_body);
        prop_assert_eq!(effort.examined, expected_effort.examined);
        // Without campaigns the reason differs.
        let is_empty = places.len() == CAMPAIGNS;
        prop_assert_eq!(outcome, if is_empty { Outcome::NoBid(NoBidReason::Stopped) } else { expected });
    }
}

#[test]
fn ids_are_compared_whole_and_everything_can_be_stopped() {
    let snapshot = catalog(|place| place < 20);
    let catalog = snapshot.catalog();
    assert_eq!(Stop::read("c\nc1\nc99\nC2\n c3\n", false, &catalog).1, 1);
    assert_eq!(Stop::read("", false, &catalog), (None, 0));
    assert_eq!(Stop::read("c1\nc2\n", true, &catalog), (Some(Stop::All), 2));
    let request = json!({"id": "r", "imp": [banner(&json!({"pmp": {"deals": [{"id": "d", "guar": 1}]}}))]});
    assert_eq!(decided(&catalog, &request, None).0, Outcome::Bid);
    let (outcome, body, effort) = decided(&catalog, &request, Some(&Stop::All));
    assert_eq!((outcome, body.as_str()), (Outcome::NoBid(NoBidReason::Stopped), ""));
    assert_eq!(effort, Effort::default());
}
