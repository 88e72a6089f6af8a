//! The steps of prices.

use super::{catalog, explained, request, rows};
use base::money::{Micros, Rounding};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The steps of each bid, as `what = value`.
fn steps(campaign: &Value, imp: &Value, more: &Value) -> Vec<Vec<String>> {
    let report =
        explained(&catalog(&json!({"max_cpm_ceiling": "4"}), core::slice::from_ref(campaign)), &request(imp, more));
    let text = |step: &Value| format!("{} = {}", step["what"].as_str().unwrap(), step["value"].as_str().unwrap());
    let of_bid = |bid: &Value| -> Vec<String> { rows(&bid["steps"]).iter().map(text).collect() };
    rows(&report["imps"][0]["bids"]).iter().map(of_bid).collect()
}

#[test]
fn a_floor_in_another_currency_is_converted() {
    let told = steps(&json!({"max_cpm": "2"}), &json!({"bidfloor": 1, "bidfloorcur": "EUR"}), &json!({}));
    assert_eq!(told, [["campaign pays at most = 2 USD", "floor 1 EUR, in USD = 1.25 USD", "price = 2 USD"]]);
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
        let cur = if in_euros { "EUR" } else { "USD" };
        let imp = json!({"bidfloor": thousandths(floor)});
        for told in steps(&campaign, &imp, &json!({"at": at, "cur": [cur]})) {
            let amount = |step: &String| {
                let (_, value) = step.rsplit_once(" = ").unwrap();
                Micros::parse(value.split(' ').next().unwrap(), Rounding::Down).unwrap()
            };
            let (floor, before): (Vec<&String>, Vec<_>) =
                told.iter().filter(|step| step.ends_with(cur)).partition(|step| step.starts_with("floor"));
            let [floor] = floor.as_slice() else { panic!("{told:?}") };
            let (price, before) = before.split_last().unwrap();
            prop_assert!(price.starts_with("price = "));
            let last = before.iter().rfind(|step| !step.starts_with("raised to the floor")).unwrap();
            prop_assert_eq!(amount(price), amount(last).max(amount(floor)), "{:?}", told);
        }
    }
}
