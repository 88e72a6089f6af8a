//! Generates targets: a few rules, over every dimension.

use bidder_wasm::kind::{DIMENSIONS, Dimension, Kind, kind_of};
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::targeting::value;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::strategies::{Any, maybe, number, object, one_field, truth, word};
use super::words::*;
use crate::json::{merge, of_fields};

pub fn target() -> Any {
    let rules = prop_oneof![8 => Just(0..=0_usize), 5 => Just(1..=1_usize), 1 => Just(2..=3_usize)];
    let some = rules.prop_flat_map(|count| prop::collection::vec(rule(), count));
    some.prop_map(|rules| {
        let mut target = json!({});
        for rule in rules {
            merge(&mut target, rule);
        }
        // Beside `mm`, `eids` takes no lists.
        if !target["mm"].is_null()
            && let Some(eids) = target["eids"].as_object_mut()
        {
            eids.retain(|key, _| !key.ends_with("_lists"));
        }
        target
    })
    .boxed()
}

/// The condition of a multiplier: mostly one rule. Many conditions of a campaign exclude each other.
pub fn condition() -> Any {
    let country = include_exclude(&word(COUNTRIES)).prop_map(|country| json!({ "country": country }));
    prop_oneof![3 => rule(), 3 => country, 2 => target()].boxed()
}

fn rule() -> Any {
    prop_oneof![40 => of_request(), 12 => person(), 14 => placement()].boxed()
}

/// A rule on an attribute of the request.
fn of_request() -> Any {
    let cat = (among(CATEGORIES), maybe(0.2, number(TAXONOMIES)))
        .prop_map(|(cat, cattax)| json!({"cat": cat, "cattax": cattax}));
    let rows = DIMENSIONS.iter().filter(|dimension| value::request::has(dimension.reason));
    let others = vec![
        ("radius", include_exclude(&circle())),
        ("osv", range(&["16", "17", "17.1", "16.4.1"])),
        ("schain", schain()),
        ("schain", schain()),
        ("schain", schain()),
    ];
    let rules = one_field(rows.map(|dimension| (dimension.name, on(dimension))).chain(others).collect());
    prop_oneof![1 => cat, 30 => rules].boxed()
}

/// A rule on a dimension.
fn on(dimension: &Dimension) -> Any {
    match kind_of(dimension.reason).unwrap() {
        Kind::Channel => subsequence(&["site", "app", "dooh"][..], 1..=2).prop_map(|some| json!(some)).boxed(),
        Kind::Flag => truth(),
        Kind::Number | Kind::Offset => among_numbers(codes_of(dimension.name)),
        Kind::Segment => include_exclude(&object(vec![("provider", word(PROVIDERS)), ("id", word(SEGMENTS))])),
        Kind::Text | Kind::Domain | Kind::Category | Kind::Id => among(words_of(dimension.name)),
    }
}

fn person() -> Any {
    let matched = (listed(SOURCES), maybe(0.9, among_numbers(METHODS)))
        .prop_map(|(eids, mm)| of_fields([("eids", eids), ("mm", mm)]));
    let yob = object(vec![("min", maybe(0.6, number(&[1980, 1990]))), ("max", maybe(0.6, number(&[1990, 1999])))]);
    let others = one_field(vec![
        ("segment", on(Dimension::of(NoBidReason::Segment).unwrap())),
        ("buyeruid", truth()),
        ("yob", yob),
    ]);
    prop_oneof![3 => matched, 2 => others].boxed()
}

fn placement() -> Any {
    let metric = object(vec![("type", word(METRICS)), ("vendor", maybe(0.4, word(VENDORS))), ("min", word(SHARES))]);
    let zone = maybe(0.5, word(&["Europe/Berlin", "Asia/Kolkata"]));
    let timed =
        (prop::collection::vec(hours(), 1..=2), zone).prop_map(|(hours, zone)| json!({"hours": hours, "zone": zone}));
    let metric = ("metric", prop::collection::vec(metric, 1..=2).prop_map(Value::from).boxed());
    let rows = DIMENSIONS.iter().filter(|dimension| !value::request::has(dimension.reason));
    let others = one_field(rows.map(|dimension| (dimension.name, on(dimension))).chain([metric]).collect());
    prop_oneof![1 => timed, 5 => others].boxed()
}

fn hours() -> Any {
    let days = maybe(0.5, subsequence(&[1, 2, 3, 4, 5, 6, 7][..], 1..=4).prop_map(|some| json!(some)).boxed());
    let span = (0..24_i64, 1..=24_i64).prop_map(|(a, b)| if a < b { (a, b) } else { (b - 1, a + 1) });
    (days, span)
        .prop_map(|(days, (from, to))| of_fields([("days", days), ("from", from.into()), ("to", to.into())]))
        .boxed()
}

fn schain() -> Any {
    object(vec![
        ("complete", maybe(0.4, truth())),
        ("max_nodes", maybe(0.4, number(&[1, 2]))),
        ("asi", maybe(0.5, listed(&["ssp.example", "reseller.example", "example.ssp"]))),
    ])
}

fn circle() -> Any {
    let parts = (select(CENTRES), select(METRES));
    parts.prop_map(|((lat, lon), metres)| json!({"lat": lat, "lon": lon, "metres": metres})).boxed()
}

fn range(ends: &'static [&'static str]) -> Any {
    object(vec![("min", maybe(0.6, word(ends))), ("max", maybe(0.6, word(ends)))])
}

/// Included or excluded words, some of them in lists.
fn among(words: &'static [&'static str]) -> Any {
    let named = || subsequence(&["mixed", "more", "apps"][..], 1..=2).prop_map(|some| json!(some)).boxed();
    let lists = object(vec![("include_lists", maybe(0.6, named())), ("exclude_lists", maybe(0.4, named()))]);
    let beside = (listed(words), lists.clone()).prop_map(|(mut rule, lists)| {
        merge(&mut rule, lists);
        rule
    });
    prop_oneof![6 => listed(words), 1 => lists, 1 => beside].boxed()
}

fn listed(words: &'static [&'static str]) -> Any {
    let cased = (select(words), any::<bool>())
        .prop_map(|(word, upper)| Value::from(if upper { word.to_uppercase() } else { word.to_owned() }));
    include_exclude(&cased.boxed())
}

fn among_numbers(numbers: &'static [i64]) -> Any {
    include_exclude(&number(numbers))
}

/// Included entries, excluded ones, or both. Sometimes the value must also be known, or nothing but known.
fn include_exclude(entry: &Any) -> Any {
    let some = || prop::collection::vec(entry.clone(), 1..=2).prop_map(Value::from).boxed();
    let known = || maybe(0.2, truth());
    let only = |key| object(vec![(key, some()), ("exclude_unknown", known())]);
    let both = object(vec![("include", some()), ("exclude", some()), ("exclude_unknown", known())]);
    let told = Just(json!({"exclude_unknown": true}));
    prop_oneof![6 => only("include"), 4 => only("exclude"), 2 => both, 1 => told].boxed()
}
