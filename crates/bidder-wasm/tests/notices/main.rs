//! Notice URLs of our own: every fixture that bids, under every `billing`, is answered with our URLs and without them.
//!
//! With our URLs, the answer is valid and each URL is where the setting asks for it. Without them, the rest is byte for
//! byte the answer of a bidder that has none. Each URL is read back as the bid that it is about. The length that
//! `max_response_bytes` limits counts our URLs, and a decision with warm memory allocates nothing.

#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]

#[path = "../counting/mod.rs"]
mod counting;
#[path = "../fixture_table/mod.rs"]
mod fixture_table;
mod limit;
mod markup;
mod ours;
mod readback;
mod tally;

use core::num::NonZeroU8;
use std::collections::BTreeMap;

use bidder_wasm::catalog::{Catalog, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::notices::{Keys, Notices};
use bidder_wasm::{Scratch, bid};
use compiler_wasm::compile::compile;
use serde_json::Value;

use counting::allocations_of;

const ORIGIN: &str = "https://bidder.example";
const SEED: u64 = 0x0123_4567_89ab_cdef;
/// Wednesday, 2026-11-18T12:00:00Z.
const NOW_MS: i64 = 1_795_003_200_000;

const BILLINGS: [&str; 5] = ["openrtb", "burl", "impression", "both", "win"];

/// How often something came up.
type Seen = BTreeMap<String, usize>;

#[test]
fn every_answer_with_notices_is_that_without_them_and_our_urls() {
    let (mut wrong, mut seen) = (Vec::new(), Seen::new());
    for fixture in bidding() {
        for billing in BILLINGS {
            if let Err(error) = check(&fixture, billing, &mut seen) {
                wrong.push(format!("{} with {billing}: {error}", fixture.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{seen:?}");
    for place in ["nurl", "burl", "lurl", "pixel", "vast", "imptrackers", "eventtrackers", "own burl", "test"] {
        assert!(seen.get(place).is_some_and(|count| *count >= 4), "{place}: {seen:?}");
    }
}

#[test]
fn the_measured_length_counts_our_urls() {
    let (mut wrong, mut counts) = (Vec::new(), limit::Counts::default());
    for fixture in bidding() {
        for billing in BILLINGS {
            if let Err(error) = limit::check(&fixture, billing, &mut counts) {
                wrong.push(format!("{} with {billing}: {error}", fixture.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    counts.check();
}

fn check(fixture: &Fixture, billing: &str, seen: &mut Seen) -> Result<(), String> {
    let snapshot = fixture.snapshot(billing, None)?;
    let (catalog, notices) = (snapshot.catalog(), notices());
    let mut scratch = Scratch::default();
    let without = decide(&mut scratch, fixture, &catalog, None, NOW_MS);
    let with = decide(&mut scratch, fixture, &catalog, Some(&notices), NOW_MS);
    let urls = ours::urls(&with);
    if urls.is_empty() != (with == without) || ours::urls(&without) != Vec::<&str>::new() {
        return Err(format!("URLs of ours in the wrong answer: {without}\n{with}"));
    }
    if ours::removed(&with) != without {
        return Err(format!("more than our URLs differs\nwithout: {without}\nwith:    {with}"));
    }
    let findings = judge::judge(&String::from_utf8_lossy(&fixture.request), &with);
    if !findings.is_empty() {
        return Err(format!("{findings:?}: {with}"));
    }
    let (with, without): (Value, Value) =
        (serde_json::from_str(&with).unwrap(), serde_json::from_str(&without).unwrap());
    for (bid, own) in bids(&with).into_iter().zip(bids(&without)) {
        let expected = markup::check(bid, own, billing, seen)?;
        if ours::urls(&bid.to_string()).len() != expected {
            return Err(format!("expected {expected} URLs of ours in {bid}"));
        }
        readback::check(fixture, billing, &catalog, &with, bid, seen)?;
    }
    allocates_nothing(&mut scratch, fixture, &catalog, &notices)
}

/// After two decisions, the arena has one chunk that is large enough, and the tally knows the bids.
fn allocates_nothing(
    scratch: &mut Scratch,
    fixture: &Fixture,
    catalog: &Catalog<'_>,
    notices: &Notices,
) -> Result<(), String> {
    let (ssp, context) = (demo(catalog), context(Some(notices), NOW_MS));
    let mut out = String::new();
    let mut again = || {
        out.clear();
        bid(scratch, &fixture.request, ssp, catalog, &context, &mut (), &mut out);
    };
    again();
    again();
    match allocations_of(again) {
        0 => Ok(()),
        count => Err(format!("{count} allocations in a decision with warm memory")),
    }
}

/// A fixture that bids. Its catalog has no `max_response_bytes`, because our URLs take room.
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) request: Vec<u8>,
    document: Value,
}

pub(crate) fn bidding() -> Vec<Fixture> {
    let fixtures = fixture_table::fixtures().into_iter().filter(|fixture| fixture.kind == "bid");
    let fixtures: Vec<Fixture> = fixtures
        .map(|fixture| {
            let mut document: Value = serde_json::from_slice(&fixture.catalog).unwrap();
            for ssp in document["ssps"].as_array_mut().unwrap() {
                ssp.as_object_mut().unwrap().remove("max_response_bytes");
            }
            Fixture { name: fixture.name, request: fixture.request, document }
        })
        .collect();
    assert!(fixtures.len() > 300, "only {} fixtures bid", fixtures.len());
    fixtures
}

impl Fixture {
    /// The catalog with these settings of the SSP `demo`. The error is that of the compiler.
    pub(crate) fn snapshot(&self, billing: &str, max_response_bytes: Option<usize>) -> Result<Snapshot, String> {
        let mut document = self.document.clone();
        let ssps = document["ssps"].as_array_mut().unwrap();
        let demo = ssps.iter_mut().find(|ssp| ssp["id"] == "demo").unwrap();
        demo["billing"] = billing.into();
        if let Some(bytes) = max_response_bytes {
            demo["max_response_bytes"] = bytes.into();
        }
        let compiled = compile(document.to_string().as_bytes(), &[]);
        compiled.map(|compiled| compiled.snapshot).map_err(|findings| {
            let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
            findings.join("\n")
        })
    }
}

pub(crate) fn notices() -> Notices {
    let keys = Keys::new(["a-key-of-the-tests-of-32-bytes-at-least"]).unwrap();
    Notices { origin: ORIGIN.to_owned(), shards: NonZeroU8::MIN, keys }
}

pub(crate) fn context(notices: Option<&Notices>, now_ms: i64) -> Context<'_> {
    Context { now_ms, seed: SEED, notices, ..Context::default() }
}

/// The answer; empty without a bid.
pub(crate) fn decide(
    scratch: &mut Scratch,
    fixture: &Fixture,
    catalog: &Catalog<'_>,
    notices: Option<&Notices>,
    now_ms: i64,
) -> String {
    let mut out = String::new();
    bid(scratch, &fixture.request, demo(catalog), catalog, &context(notices, now_ms), &mut (), &mut out);
    out
}

pub(crate) fn demo(catalog: &Catalog<'_>) -> usize {
    catalog.parts().ssps().iter().position(|ssp| ssp.id() == "demo").unwrap()
}

pub(crate) fn bids(response: &Value) -> Vec<&Value> {
    let seatbids = response["seatbid"].as_array().into_iter().flatten();
    seatbids.flat_map(|seatbid| seatbid["bid"].as_array().unwrap()).collect()
}

pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

pub(crate) fn count(seen: &mut Seen, what: &str) {
    *seen.entry(what.to_owned()).or_default() += 1;
}
