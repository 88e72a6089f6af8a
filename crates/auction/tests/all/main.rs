//! What the serving module does, seen from outside: a module for each subject. This file has what they share.
//!
//! `cargo test --test all settle::` runs the tests of one module.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]

#[path = "../../../base/tests/counting/mod.rs"]
mod counting;
mod decisions;
#[path = "../fixture_table/mod.rs"]
mod fixture_table;
mod fixtures;
mod needs;
mod notice_urls;
mod prebid_server;
mod restrictions;
mod rows;
mod rules;
mod settle;
mod snapshot;
mod structure;
mod supply;

use core::num::NonZeroU8;
use std::collections::BTreeMap;
use std::fmt;

use auction::context::Context;
use auction::recorder::Recorder;
use auction::{Outcome, Scratch};
use catalog::{Campaign, Catalog, Snapshot};
use compiler::compile;
use notices::{Keys, Notices};
use openrtb::request::{Deal, Imp};
use reasons::no_bid::NoBidReason;
use serde_json::Value;

/// Wednesday, 2026-11-18T12:00:00Z.
const NOW_MS: i64 = 1_795_003_200_000;
const SEED: u64 = 0x0123_4567_89ab_cdef;
const ORIGIN: &str = "https://bidder.example";
const KEY: &str = "a-key-of-the-tests-of-32-bytes-at-least";

/// What makes the URLs of our notices.
fn notices() -> Notices {
    Notices { origin: ORIGIN.to_owned(), shards: NonZeroU8::MIN, keys: Keys::new([KEY]).unwrap() }
}

/// The snapshot of a catalog document. The error has a line for each finding.
fn compiled(document: impl AsRef<[u8]>) -> Result<Snapshot, String> {
    match compile(document.as_ref(), &[]) {
        Ok(compiled) => Ok(compiled.snapshot),
        Err(findings) => Err(findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// The position of the SSP `demo`.
fn demo(catalog: &Catalog<'_>) -> usize {
    catalog.parts().ssps().iter().position(|ssp| ssp.id() == "demo").unwrap()
}

/// Decides. The text is the response; empty if there is none.
fn decide(
    scratch: &mut Scratch,
    request: &[u8],
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
    recorder: &mut impl Recorder,
) -> (Outcome, String) {
    let mut body = String::new();
    let outcome = auction::bid(scratch, request, ssp, catalog, context, recorder, &mut body);
    (outcome, body)
}

/// The allocations of a decision with warm memory. After two decisions, the arena has one chunk that is large enough.
fn warm_allocations(
    scratch: &mut Scratch,
    request: &[u8],
    ssp: usize,
    catalog: &Catalog<'_>,
    context: &Context<'_>,
) -> usize {
    let mut body = String::new();
    let mut again = || {
        body.clear();
        auction::bid(scratch, request, ssp, catalog, context, &mut (), &mut body);
    };
    again();
    again();
    counting::allocations_of(again)
}

/// The bids of a response.
fn bids(response: &Value) -> Vec<&Value> {
    let seatbids = response["seatbid"].as_array().into_iter().flatten();
    seatbids.flat_map(|seatbid| seatbid["bid"].as_array().unwrap()).collect()
}

/// An attribute that is a text; empty if it is absent.
fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// Records the checks that campaigns fail. Displays the last one of each: the campaign came closest to a bid there.
#[derive(Debug, Default, PartialEq)]
struct Reasons(Vec<(String, NoBidReason)>);

impl Recorder for Reasons {
    fn rejected(&mut self, campaign: &Campaign<'_>, _: Option<&Imp<'_>>, _: Option<&Deal<'_>>, reason: NoBidReason) {
        self.0.push((campaign.cid().to_owned(), reason));
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut closest: BTreeMap<&str, NoBidReason> = BTreeMap::new();
        for (cid, reason) in &self.0 {
            closest.entry(cid).and_modify(|closest| *closest = (*closest).max(*reason)).or_insert(*reason);
        }
        let reasons: Vec<String> = closest.iter().map(|(cid, reason)| format!("{cid}: {}", reason.as_str())).collect();
        f.write_str(&reasons.join("; "))
    }
}
