//! Notice URLs of our own: every fixture that bids, under every `billing`, is answered with our URLs and without them.
//!
//! With our URLs, the answer is valid and each URL is where the setting asks for it. Without them, the rest is byte for
//! byte the answer of a bidder that has none. Each URL is read back as the bid that it is about. The length that
//! `max_response_bytes` limits counts our URLs, and a decision with warm memory allocates nothing.

pub(crate) mod markup;
mod readback;
mod tally;

use std::collections::BTreeMap;

use auction::Scratch;
use auction::context::Context;
use catalog::{Catalog, Snapshot};
use notices::Notices;
use readback::Answered;
use serde_json::Value;

use super::settle::Ssp;
use super::{NOW_MS, SEED, bids, compiled, demo, fixture_table, notices, warm_allocations};

const BILLINGS: [&str; 5] = ["openrtb", "burl", "impression", "both", "win"];

/// How often something came up.
#[derive(Debug, Default)]
struct Seen(BTreeMap<String, usize>);

impl Seen {
    fn count(&mut self, what: &str) {
        *self.0.entry(what.to_owned()).or_default() += 1;
    }

    fn of(&self, what: &str) -> usize {
        self.0.get(what).copied().unwrap_or_default()
    }
}

#[test]
fn every_answer_with_notices_is_that_without_them_and_our_urls() {
    let seen = for_all(check);
    for from in ["nurl", "burl", "lurl", "pixel", "vast", "imptrackers", "eventtrackers", "own burl", "test"] {
        assert!(seen.of(from) >= 4, "{from}: {seen:?}");
    }
}

/// `max_response_bytes` of exactly an answer's length changes nothing, one byte less does.
#[test]
fn the_measured_length_counts_our_urls() {
    let seen = for_all(check_limit);
    let (no_bid, refused) = (seen.of("no bid"), seen.of("refused"));
    assert!(seen.of("other bids") >= 20 && no_bid >= 1000 && refused * 10 < no_bid, "{seen:?}");
}

fn for_all(check: impl Fn(&Fixture, &str, &mut Seen) -> Result<(), String>) -> Seen {
    let (mut wrong, mut seen) = (Vec::new(), Seen::default());
    for fixture in bidding() {
        for billing in BILLINGS {
            if let Err(error) = check(&fixture, billing, &mut seen) {
                wrong.push(format!("{} with {billing}: {error}", fixture.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    seen
}

fn check(fixture: &Fixture, billing: &str, seen: &mut Seen) -> Result<(), String> {
    let snapshot = fixture.snapshot(billing, None)?;
    let (catalog, notices) = (snapshot.catalog(), notices());
    let mut scratch = Scratch::default();
    let without = fixture.decide(&mut scratch, &catalog, None, NOW_MS);
    let with = fixture.decide(&mut scratch, &catalog, Some(&notices), NOW_MS);
    let urls = markup::urls(&with);
    if urls.is_empty() != (with == without) || !markup::urls(&without).is_empty() {
        return Err(format!("URLs of ours in the wrong answer: {without}\n{with}"));
    }
    if markup::without_urls(&with) != without {
        return Err(format!("more than our URLs differs\nwithout: {without}\nwith:    {with}"));
    }
    let findings = judge::judge(&String::from_utf8_lossy(&fixture.request), &with);
    if !findings.is_empty() {
        return Err(format!("{findings:?}: {with}"));
    }
    let context = context(Some(&notices), NOW_MS);
    let allocations = warm_allocations(&mut scratch, &fixture.request, demo(&catalog), &catalog, &context);
    if allocations > 0 {
        return Err(format!("{allocations} allocations in a decision with warm memory"));
    }
    let [with, without]: [Value; 2] = [&with, &without].map(|answer| serde_json::from_str(answer).unwrap());
    let position = demo(&catalog);
    let ssp = Ssp::of(snapshot, position, "");
    for (bid, own) in bids(&with).into_iter().zip(bids(&without)) {
        let expected = markup::check(bid, own, billing, seen)?;
        if markup::urls(&bid.to_string()).len() != expected {
            return Err(format!("expected {expected} URLs of ours in {bid}"));
        }
        Answered { fixture, billing, ssp: &ssp, position, response: &with, bid }.check(seen)?;
    }
    Ok(())
}

fn check_limit(fixture: &Fixture, billing: &str, seen: &mut Seen) -> Result<(), String> {
    let notices = notices();
    let answer = |limit: Option<usize>| -> Result<String, String> {
        let snapshot = fixture.snapshot(billing, limit)?;
        Ok(fixture.decide(&mut Scratch::default(), &snapshot.catalog(), Some(&notices), NOW_MS))
    };
    let full = answer(None)?;
    let at_most = |limit| match answer(Some(limit)) {
        // The compiler says that one of the bids can never fit.
        Err(error) if error.lines().all(|line| line.contains("bytes in a response")) => Ok(None),
        answer => answer.map(Some),
    };
    let exact = at_most(full.len())?;
    if exact.as_ref().is_some_and(|exact| *exact != full) {
        return Err(format!("the limit {}, the length of the answer, changes it\n{full}\n{exact:?}", full.len()));
    }
    seen.count(match exact.and(at_most(full.len() - 1)?) {
        None => "refused",
        Some(short) if short.is_empty() => "no bid",
        Some(short) if short.len() < full.len() => "other bids",
        Some(long) => return Err(format!("{} bytes are over the limit: {long}", long.len())),
    });
    Ok(())
}

/// A fixture that bids. Its catalog has no `max_response_bytes`, because our URLs take room.
struct Fixture {
    name: String,
    request: Vec<u8>,
    document: Value,
}

fn bidding() -> Vec<Fixture> {
    let fixtures = fixture_table::fixtures().into_iter().filter(|fixture| fixture.kind == "bid");
    let fixtures = fixtures.map(|fixture| {
        let mut document: Value = serde_json::from_slice(&fixture.catalog).unwrap();
        for ssp in document["ssps"].as_array_mut().unwrap() {
            ssp.as_object_mut().unwrap().remove("max_response_bytes");
        }
        Fixture { name: fixture.name, request: fixture.request, document }
    });
    let fixtures: Vec<Fixture> = fixtures.collect();
    assert!(fixtures.len() > 300, "only {} fixtures bid", fixtures.len());
    fixtures
}

impl Fixture {
    /// The catalog with these settings of the SSP `demo`. The error is that of the compiler.
    fn snapshot(&self, billing: &str, max_response_bytes: Option<usize>) -> Result<Snapshot, String> {
        let mut document = self.document.clone();
        let ssps = document["ssps"].as_array_mut().unwrap();
        let demo = ssps.iter_mut().find(|ssp| ssp["id"] == "demo").unwrap();
        demo["billing"] = billing.into();
        if let Some(bytes) = max_response_bytes {
            demo["max_response_bytes"] = bytes.into();
        }
        compiled(document.to_string())
    }

    /// The answer; empty without a bid.
    fn decide(&self, scratch: &mut Scratch, catalog: &Catalog<'_>, notices: Option<&Notices>, now_ms: i64) -> String {
        super::decide(scratch, &self.request, demo(catalog), catalog, &context(notices, now_ms), &mut ()).1
    }
}

fn context(notices: Option<&Notices>, now_ms: i64) -> Context<'_> {
    Context { now_ms, seed: SEED, notices, ..Context::default() }
}
