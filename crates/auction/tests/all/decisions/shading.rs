//! Learned shading: which bids it changes, and which place their notices tell about.

use auction::context::Context;
use auction::options::inputs::Inputs;
use base::hash::hash_of;
use serde_json::{Value, json};
use shading::{Cells, Curves, Outcome, sent, told};

use super::{NOW_MS, banner, campaign, decide, request, snapshot, with};

/// The text of shares of a pacer that has seen 1,000 bids of four dollars at the SSP `demo`, half of them lost against
/// rivals from one to nine dollars, until its curves no longer changed. `spot` is the place.
fn learned(spot: u32) -> String {
    let mut cells = Cells::default();
    let ssp = hash_of("demo");
    for rival in 1..=10 {
        let lost = told(Outcome::Lost, 900_000, Some(rival * 900_000)).unwrap();
        cells.observe((ssp, spot, lost), 100);
        cells.observe((ssp, spot, sent(900_000).unwrap()), 100);
    }
    (0..100).for_each(|minute| cells.tick(NOW_MS + minute * 60_000));
    let mut text = format!("{NOW_MS}\nnumber 7\n");
    cells.write_curves(NOW_MS, &mut text);
    text
}

/// A request in a first-price auction.
fn auction(imp: &Value, more: &Value) -> Value {
    with(request([banner(&with(json!({"tagid": "top"}), imp))]), &with(json!({"at": 1}), more))
}

/// The prices of the only bid of a campaign in euros that pays up to 4.00, with these lots.
fn prices(own: &Value, request: &Value, shares: &str, now_ms: i64, lots: std::ops::Range<u32>) -> Vec<f64> {
    let own = with(json!({"cur": "EUR", "max_cpm": "4", "deals": ["d"], "learn_shading": true}), own);
    let snapshot = snapshot(&json!({"rates": [{"cur": "EUR", "usd": "2"}]}), [campaign("c", &own)]);
    let mut curves = Curves::default();
    curves.read(shares);
    let context =
        Context { now_ms, options: Inputs { curves: Some(&curves), ..Inputs::default() }, ..Context::default() };
    let catalog = snapshot.catalog();
    let price = |lot| decide(&catalog, request, &Context { lot, ..context }).bids()[0]["price"].as_f64().unwrap();
    lots.map(price).collect()
}

/// The price with a lot whose decision is not one of those for comparison.
fn price(own: &Value, request: &Value, shares: &str, now_ms: i64) -> f64 {
    prices(own, request, shares, now_ms, 0..1)[0]
}

#[test]
fn it_bids_by_the_curve_of_the_place_else_of_a_wider_one() {
    let none = json!({});
    let plain = auction(&none, &none);
    // 4.00 euros are 8.00 dollars.
    let whole = price(&none, &plain, "", NOW_MS);
    assert!((whole - 8.0).abs() < 1e-9, "{whole}");
    let all = price(&none, &plain, &learned(0), NOW_MS);
    assert!((3.0..7.0).contains(&all), "{all}");
    let banners = price(&none, &plain, &learned(1), NOW_MS);
    assert!((banners - all).abs() < 0.2, "{banners} {all}");
    let videos = price(&none, &plain, &learned(2), NOW_MS);
    assert!((videos - all).abs() < 0.2, "the SSP is wider than its videos: {videos} {all}");
}

#[test]
fn it_changes_nothing_else() {
    let none = json!({});
    let shares = learned(0);
    let is_whole = |own: &Value, request: &Value, now_ms| {
        let price = price(own, request, &shares, now_ms);
        assert!((price - 8.0).abs() < 1e-9, "{own} {request}: {price}");
    };
    is_whole(&json!({"learn_shading": false}), &auction(&none, &none), NOW_MS);
    is_whole(&none, &auction(&none, &json!({"at": 2})), NOW_MS);
    is_whole(&none, &auction(&none, &none), NOW_MS + 600_000);
    let deal = json!({"pmp": {"private_auction": 1, "deals": [{"id": "d"}]}});
    is_whole(&none, &auction(&deal, &none), NOW_MS);
}

#[test]
fn two_of_a_hundred_decisions_bid_as_without_it() {
    let prices = prices(&json!({}), &auction(&json!({}), &json!({})), &learned(0), NOW_MS, 0..2000);
    let whole = prices.iter().filter(|price| (**price - 8.0).abs() < 1e-9).count();
    assert!((20..60).contains(&whole), "{whole}");
}

#[test]
fn it_keeps_to_the_floor_and_to_what_the_campaign_pays() {
    let shares = learned(0);
    for (floor, least) in [("7.5", 7.5), ("7.999", 7.999)] {
        let imp = json!({"bidfloor": floor.parse::<f64>().unwrap(), "bidfloorcur": "USD"});
        let price = price(&json!({}), &auction(&imp, &json!({})), &shares, NOW_MS);
        assert!((price - least).abs() < 1e-9, "{floor}: {price}");
    }
}

#[test]
fn without_a_curve_it_bids_as_its_own_shading_says() {
    let own = json!({"shading": {"typical": "1", "steepness": 4}});
    let request = auction(&json!({}), &json!({}));
    let pair = price(&own, &request, "", NOW_MS);
    let alone = price(&with(own, &json!({"learn_shading": false})), &request, "", NOW_MS);
    assert!((pair - alone).abs() < 1e-9 && pair < 4.0, "{pair} {alone}");
}
