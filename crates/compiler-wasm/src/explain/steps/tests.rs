//! The steps of prices, as the report tells them.

use crate::compile::compile;
use crate::explain::explain;
use bidder_wasm::context::Context;
use bidder_wasm::money::{Micros, Rounding};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The steps of each bid of a campaign with these attributes on the first impression.
fn steps(campaign: &Value, request: &Value) -> Vec<Vec<(String, String)>> {
    steps_at(&json!({"id": "a"}), campaign, request)
}

/// The same at this SSP.
fn steps_at(ssp: &Value, campaign: &Value, request: &Value) -> Vec<Vec<(String, String)>> {
    let mut own = json!({"cid": "c", "seat": "s", "adomain": ["x.example"], "creatives": ["b"], "max_cpm": "2"});
    own.as_object_mut().unwrap().extend(campaign.as_object().unwrap().clone());
    let document = json!({"format": 1, "rates": [{"cur": "EUR", "usd": "1.25"}], "max_cpm_ceiling": "4", "ssps": [ssp],
        "creatives": [{"crid": "b", "banner": {"w": 1, "h": 1, "adm": "<b>"}}], "campaigns": [own]});
    let snapshot = compile(document.to_string().as_bytes(), &[]).unwrap().snapshot;
    let mut report = String::new();
    explain(request.to_string().as_bytes(), 0, &snapshot.catalog(), &Context::default(), None, &mut report).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let bids = report["imps"][0]["bids"].as_array().cloned().unwrap_or_default();
    bids.iter()
        .map(|bid| {
            let steps: Vec<_> = bid["steps"]
                .as_array()
                .unwrap()
                .iter()
                .map(|step| (text(&step["what"]), text(&step["value"])))
                .collect();
            let (what, value) = steps.last().unwrap();
            assert_eq!((what.as_str(), value.split(' ').next()), ("price", bid["price"].as_str()), "{report}");
            steps
        })
        .collect()
}

fn request(imp: &Value, more: &Value) -> Value {
    let mut own = json!({"id": "i", "banner": {"w": 1, "h": 1}});
    own.as_object_mut().unwrap().extend(imp.as_object().unwrap().clone());
    let mut request = json!({"id": "r", "imp": [own], "device": {"geo": {"country": "DEU"}}});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn a_price_is_told_in_steps() {
    let bids = json!({"bids": [{"when": {"country": {"include": ["DEU"]}}, "times": "1.25"},
        {"when": {"country": {"include": ["FRA"]}}, "times": "9"}, {"when": {}, "times": "2"}]});
    let shading = json!({"shading": {"typical": "1", "steepness": 2}});
    let deals = json!({"deals": ["d", {"id": "own", "max_cpm": "4"}], "open": false});
    let deal = |deal: Value| json!({"pmp": {"deals": [deal]}});
    for (campaign, imp, more, expected) in [
        (json!({}), json!({}), json!({}), vec!["campaign pays at most = 2 USD", "floor = 0 USD", "price = 2 USD"]),
        (
            bids,
            json!({"bidfloor": 1, "bidfloorcur": "EUR"}),
            json!({}),
            vec![
                "campaign pays at most = 2 USD",
                "× 1.25 (bids[0]: Only where the country is DEU.) = 2.5 USD",
                "× 2 (bids[2]: Always.) = 5 USD",
                "at most max_cpm_ceiling = 4 USD",
                "floor 1 EUR, in USD = 1.25 USD",
                "price = 4 USD",
            ],
        ),
        (
            json!({}),
            json!({"bidfloor": 1}),
            json!({"cur": ["EUR"]}),
            vec![
                "campaign pays at most = 2 USD",
                "in EUR = 1.6 EUR",
                "floor 1 USD, in EUR = 0.8 EUR",
                "price = 1.6 EUR",
            ],
        ),
        (
            shading.clone(),
            json!({"bidfloor": 0.5}),
            json!({"at": 1}),
            vec![
                "campaign pays at most = 2 USD",
                "floor = 0.5 USD",
                "shading, because the auction is first-price (at 1) = 1 USD",
                "price = 1 USD",
            ],
        ),
        (
            shading.clone(),
            json!({"bidfloor": 1.9}),
            json!({"at": 1}),
            vec![
                "campaign pays at most = 2 USD",
                "floor = 1.9 USD",
                "shading, because the auction is first-price (at 1) = 1 USD",
                "raised to the floor = 1.9 USD",
                "price = 1.9 USD",
            ],
        ),
        (shading, json!({}), json!({"at": 2}), vec!["campaign pays at most = 2 USD", "floor = 0 USD", "price = 2 USD"]),
        (
            deals.clone(),
            deal(json!({"id": "d", "bidfloor": 1.5, "at": 3})),
            json!({}),
            vec![
                "campaign pays at most = 2 USD",
                "floor = 1.5 USD",
                "the deal has a fixed price (at 3) = 1.5 USD",
                "price = 1.5 USD",
            ],
        ),
        (
            deals,
            deal(json!({"id": "own"})),
            json!({}),
            vec!["campaign pays at most under own = 4 USD", "floor = 0 USD", "price = 4 USD"],
        ),
    ] {
        let all = steps(&campaign, &request(&imp, &more));
        let [told] = all.as_slice() else { panic!("{all:?}") };
        let told: Vec<String> = told.iter().map(|(what, value)| format!("{what} = {value}")).collect();
        assert_eq!(told, expected, "{campaign}");
    }
}

#[test]
fn an_auction_that_the_record_calls_first_price_is_told_as_such() {
    let ssp = json!({"id": "a", "auction": "first"});
    let campaign = json!({"shading": {"typical": "1", "steepness": 2}, "deals": ["d"]});
    let deal = json!({"id": "d", "bidfloor": 1.5, "at": 3});
    for at in 1..=3 {
        let all = steps_at(&ssp, &campaign, &request(&json!({"pmp": {"deals": [deal]}}), &json!({ "at": at })));
        let of = |step: &str| -> Vec<&str> {
            let told = all.iter().flatten().filter(|(what, _)| what.starts_with(step));
            told.map(|(_, value)| value.as_str()).collect()
        };
        assert_eq!(of("shading, because the auction is first-price (the SSP's record says so)"), ["1 USD"], "{all:?}");
        assert_eq!(of("the deal has a fixed price (at 3)"), ["1.5 USD"], "{all:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// The steps are the price's parts: of those after the conversion, the lowest that is not the floor, raised to the
    /// floor.
    #[test]
    fn the_steps_give_the_price(
        most in 10_i64..4_000, floor in 0_i64..4_000, typical in 10_i64..4_000, at in 1..4, in_euros: bool, shades: bool,
        factor in proptest::option::of(10_i64..3_000),
    ) {
        let thousandths = |amount: i64| Micros(amount * 1000).to_string();
        let mut campaign = json!({"max_cpm": thousandths(most)});
        if shades {
            campaign["shading"] = json!({"typical": thousandths(typical), "steepness": 2});
        }
        if let Some(factor) = factor {
            campaign["bids"] = json!([{"when": {}, "times": thousandths(factor)}]);
        }
        let imp = json!({"bidfloor": thousandths(floor)});
        let more = if in_euros { json!({"at": at, "cur": ["EUR"]}) } else { json!({"at": at}) };
        for told in steps(&campaign, &request(&imp, &more)) {
            let amount = |(_, value): &(String, String)| {
                Micros::parse(value.split(' ').next().unwrap(), Rounding::Down).unwrap()
            };
            let cur = if in_euros { "EUR" } else { "USD" };
            let (floor, before): (Vec<_>, Vec<_>) =
                told.iter().filter(|(_, value)| value.ends_with(cur)).partition(|(what, _)| what.starts_with("floor"));
            let [floor] = floor.as_slice() else { panic!("{told:?}") };
            let (price, before) = before.split_last().unwrap();
            let last = before.iter().rfind(|(what, _)| what != "raised to the floor").unwrap();
            prop_assert_eq!(amount(price), amount(last).max(amount(floor)), "{:?}", told);
        }
    }
}
