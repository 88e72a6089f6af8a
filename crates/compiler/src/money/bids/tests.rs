use proptest::prelude::*;

use super::dearest;
use crate::tests::{compiled, with};
use base::money::Micros;
use catalog::times;
use serde_json::{Value, json};

/// A document with these members beside `campaigns`, and one campaign with these attributes.
fn document(members: &str, attributes: &str) -> Value {
    let parsed = |members: &str| serde_json::from_str::<Value>(&format!("{{{members}}}")).unwrap();
    let mut document = with([("campaigns", parsed(attributes)), ("rates", json!({ "usd": "1.25" }))]);
    document.as_object_mut().unwrap().extend(parsed(members).as_object().unwrap().clone());
    document
}

/// The worth of a campaign with these attributes: the most that it pays, in micros of a US dollar.
fn worth(members: &str, attributes: &str) -> i64 {
    let compiled = compiled(&document(members, attributes)).unwrap();
    compiled.snapshot.catalog().index.stored.worth().get(0).unwrap()
}

fn entry(when: &str, times: &str) -> String {
    format!(r#"{{"when":{{{when}}},"times":"{times}"}}"#)
}

fn bids(entries: &[(&str, &str)]) -> String {
    let entries: Vec<String> = entries.iter().map(|(when, times)| entry(when, times)).collect();
    format!(r#""bids":[{}]"#, entries.join(","))
}

#[test]
fn the_worth_is_the_most_that_the_factors_can_make() {
    let usa = r#""country":{"include":["USA"]}"#;
    let deu = r#""country":{"include":["DEU","AUT"]}"#;
    let no_usa = r#""country":{"exclude":["usa"]}"#;
    let phone = r#""devicetype":{"include":[4]}"#;
    for (entries, expected) in [
        (&[][..], 1_000_000),
        (&[(usa, "1.25")], 1_250_000),
        (&[(usa, "0.5")], 1_000_000),
        (&[(usa, "1.25"), (phone, "2"), (phone, "0.5")], 2_500_000),
        (&[(usa, "3"), (deu, "2"), (phone, "1.5")], 4_500_000),
        (&[(usa, "3"), (no_usa, "2")], 3_000_000),
        (&[(no_usa, "3"), (usa, "2")], 3_000_000),
        (&[(deu, "3"), (no_usa, "2")], 6_000_000),
        (&[("", "0.3"), (usa, "1.5")], 450_000),
        (&[(r#""domain":{"include":["a.example"]}"#, "3"), (r#""domain":{"include":["b.example"]}"#, "2")], 3_000_000),
        (
            &[(r#""domain":{"include":["a.example"]}"#, "3"), (r#""domain":{"include":["s.a.example"]}"#, "2")],
            6_000_000,
        ),
        (
            &[(r#""domain":{"include":["s.a.example"]}"#, "3"), (r#""domain":{"include":["A.example"]}"#, "2")],
            6_000_000,
        ),
        (
            &[(r#""domain":{"exclude":["a.example"]}"#, "3"), (r#""domain":{"include":["s.a.example"]}"#, "2")],
            3_000_000,
        ),
        (
            &[(r#""domain":{"exclude":["s.a.example"]}"#, "3"), (r#""domain":{"include":["a.example"]}"#, "2")],
            6_000_000,
        ),
        (&[(r#""keywords":{"include":["a"]}"#, "3"), (r#""keywords":{"include":["b"]}"#, "2")], 6_000_000),
        (&[(r#""instl":true"#, "3"), (r#""instl":false"#, "2")], 3_000_000),
        (&[(r#""pos":{"include":[1]}"#, "3"), (r#""pos":{"include":[3]}"#, "2")], 3_000_000),
        (&[(r#""slotinpod":{"include":[1]}"#, "3"), (r#""slotinpod":{"include":[-1]}"#, "2")], 6_000_000),
        (&[(r#""yob":{"min":1990}"#, "3"), (r#""yob":{"max":1989}"#, "2")], 3_000_000),
        (&[(r#""yob":{"min":1990}"#, "3"), (r#""yob":{"max":1990}"#, "2")], 6_000_000),
        (&[(r#""hours":[{"from":8,"to":20}]"#, "3"), (r#""hours":[{"from":20,"to":24}]"#, "2")], 3_000_000),
        (&[(r#""hours":[{"from":8,"to":21}]"#, "3"), (r#""hours":[{"from":20,"to":24}]"#, "2")], 6_000_000),
    ] {
        assert_eq!(worth("", &bids(entries)), expected, "{entries:?}");
        // The first factor and the second one swapped change nothing.
        let mut entries = entries.to_vec();
        entries.reverse();
        assert_eq!(worth("", &bids(&entries)), expected, "{entries:?}");
    }
    let elsewhere = format!(r#"{},"target":{{{deu}}}"#, bids(&[(usa, "1.25"), (phone, "2")]));
    assert_eq!(worth("", &elsewhere), 2_000_000, "the target keeps out the first entry");
}

#[test]
fn the_ceiling_bounds_the_worth() {
    let all = bids(&[("", "100"), ("", "100")]);
    assert_eq!(worth("", &all), 200_000_000);
    assert_eq!(worth(r#""max_cpm_ceiling":"350""#, &all), 350_000_000);
    // 7 dollars are 5.6 euros.
    assert_eq!(worth(r#""max_cpm_ceiling":"7""#, &format!(r#""cur":"EUR",{all}"#)), 7_000_000);
    assert_eq!(worth("", &bids(&[("", "100"), ("", "0.5")])), 50_000_000, "an empty condition always holds");
}

#[test]
fn equal_conditions_are_stored_once() {
    let usa = r#""country":{"include":["USA"]}"#;
    let two = bids(&[(usa, "1.25"), (usa, "2"), (r#""country":{"include":["DEU"]}"#, "2")]);
    let compiled = compiled(&document("", &two)).unwrap();
    assert_eq!(compiled.snapshot.catalog().parts().conditions().len(), 2);
}

proptest! {
    /// The search for the dearest choice of factors finds what trying all choices finds.
    #[test]
    fn the_dearest_choice_is_found(
        amount in 1_i64..10_000_000,
        factors in prop::collection::vec((1_000_001_u32..3_000_000, 0_usize..4), 0..9),
    ) {
        // Factors of one group exclude each other; group 0 excludes none.
        let excluded = |i: usize, group: usize| {
            let others = factors.iter().enumerate().filter(|(j, other)| *j != i && group != 0 && other.1 == group);
            others.fold(0_u32, |bits, (j, _)| bits | 1 << j)
        };
        let masks: Vec<(u32, u32)> =
            factors.iter().enumerate().map(|(i, (factor, group))| (excluded(i, *group), *factor)).collect();
        let of_choice = |choice: u32| {
            let taken = (0..factors.len()).filter(|i| choice >> i & 1 == 1);
            let is_possible = taken.clone().all(|i| masks[i].0 & choice == 0);
            is_possible.then(|| taken.fold(Micros(amount), |amount, i| times(amount, masks[i].1)))
        };
        let dull = (0..1_u32 << factors.len()).filter_map(of_choice).max();
        prop_assert_eq!(Some(dearest(Micros(amount), &masks, 0, 0)), dull);
    }
}
