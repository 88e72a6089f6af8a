//! Generates targets: a few rules, over every dimension.

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
    prop_oneof![8 => channel_and_location(), 12 => device(), 20 => content(), 12 => person(), 14 => placement()].boxed()
}

fn channel_and_location() -> Any {
    one_field(vec![
        ("channel", subsequence(&["site", "app", "dooh"][..], 1..=2).prop_map(|some| json!(some)).boxed()),
        ("country", among(COUNTRIES)),
        ("region", among(REGIONS)),
        ("metro", among(METROS)),
        ("city", among(CITIES)),
        ("zip", among(ZIPS)),
        ("radius", include_exclude(&circle())),
    ])
}

fn device() -> Any {
    one_field(vec![
        ("devicetype", among_numbers(DEVICE_TYPES)),
        ("make", among(MAKES)),
        ("model", among(MODELS)),
        ("hwv", among(HARDWARE)),
        ("os", among(SYSTEMS)),
        ("osv", range(&["16", "17", "17.1", "16.4.1"])),
        ("browser", among(&["Chrome", "Safari", "Edge", "Firefox", "Opera", "Samsung Internet", "Chromium"])),
        ("language", among(LANGUAGES)),
        ("connectiontype", among_numbers(CONNECTIONS)),
        ("carrier", among(CARRIERS)),
    ])
}

fn content() -> Any {
    let cattax = maybe(0.2, number(TAXONOMIES));
    let cat = (among(&["IAB1", "IAB1-2", "IAB2", "IAB10"]), cattax)
        .prop_map(|(cat, cattax)| json!({"cat": cat, "cattax": cattax}));
    let others = one_field(vec![
        ("domain", among(&["news.example", "sport.news.example", "NEWS.example", "example.blog"])),
        ("bundle", among(APPS)),
        ("publisher", among(PUBLISHERS)),
        ("id", among(CHANNEL_IDS)),
        ("genre", among(GENRES)),
        ("contentrating", among(RATINGS)),
        ("livestream", truth()),
        ("content_language", among(LANGUAGES)),
        ("network", among(NETWORKS)),
        ("content_channel", among(CHANNELS)),
        ("keywords", among(KEYWORDS)),
        ("schain", schain()),
        ("schain", schain()),
        ("schain", schain()),
    ]);
    prop_oneof![1 => cat, 12 => others].boxed()
}

fn person() -> Any {
    let segment = object(vec![("provider", word(PROVIDERS)), ("id", word(SEGMENTS))]);
    let matched = (listed(SOURCES), maybe(0.9, among_numbers(METHODS)))
        .prop_map(|(eids, mm)| of_fields([("eids", eids), ("mm", mm)]));
    let others = one_field(vec![
        ("eids", among(SOURCES)),
        ("segment", include_exclude(&segment)),
        ("buyeruid", truth()),
        ("yob", object(vec![("min", maybe(0.6, number(&[1980, 1990]))), ("max", maybe(0.6, number(&[1990, 1999])))])),
    ]);
    prop_oneof![3 => matched, 2 => others].boxed()
}

fn placement() -> Any {
    let metric = object(vec![("type", word(METRICS)), ("vendor", maybe(0.4, word(VENDORS))), ("min", word(SHARES))]);
    let zone = maybe(0.5, word(&["Europe/Berlin", "Asia/Kolkata"]));
    let timed =
        (prop::collection::vec(hours(), 1..=2), zone).prop_map(|(hours, zone)| json!({"hours": hours, "zone": zone}));
    let others = one_field(vec![
        ("tagid", among(TAGS)),
        ("gpid", among(TAGS)),
        ("instl", truth()),
        ("rwdd", truth()),
        ("pos", among_numbers(&[1, 3, 0])),
        ("plcmt", among_numbers(&[1, 2, 4])),
        ("startdelay", among_numbers(&[0, -1, -2, 15])),
        ("playbackmethod", among_numbers(PLAYBACKS)),
        ("podseq", among_numbers(&[-1, 0, 1])),
        ("slotinpod", among_numbers(&[-1, 0, 1])),
        ("topframe", truth()),
        ("metric", prop::collection::vec(metric, 1..=2).prop_map(Value::from).boxed()),
    ]);
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
