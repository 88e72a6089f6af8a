//! The oracle: a second, slow, plain implementation of who may bid at which price, written from
//! the rules and never from the code. Generated pairs of a catalog and a request go through both,
//! and both must agree on the bids, their prices and each campaign's reason not to bid. rtblint judges every response.
//!
//! `ORACLE_SEED=n` generates other pairs; `PROPTEST_CASES` other numbers of them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, unreachable_pub)]

mod bytes;
mod campaign;
mod compare;
mod coverage;
mod crate_under_test;
mod creative;
mod demand;
mod dsa;
mod generate;
mod hours;
mod json;
mod large;
mod linear;
mod macros;
mod markup;
mod money;
mod native;
mod place;
mod placements;
mod pod;
mod price;
mod privacy;
mod strategies;
mod supply;
mod targets;
mod ways;
mod who;
mod words;
mod world;

use std::cell::RefCell;

use bidder_wasm::context::Standing;
use bidder_wasm::no_bid::NoBidReason as Why;
use bidder_wasm::read::Needs;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use coverage::Coverage;
use crate_under_test::{answer, load};
use generate::{Pair, pair};
use world::World;

const PAIRS: u32 = 20_000;

#[test]
fn the_crate_and_the_oracle_agree() {
    let coverage = RefCell::new(Coverage::default());
    let result = runner(PAIRS)
        .run(&pair(), |pair| agree(&pair, &coverage).map_err(|difference| TestCaseError::fail(difference + "\n")));
    if let Err(failure) = result {
        panic!("{failure}");
    }
    coverage.borrow().check();
}

#[test]
fn a_share_of_the_requests_is_all_or_nothing_for_each_campaign() {
    let result = runner(PAIRS / 10).run(&pair(), |pair| halves(&pair).map_err(TestCaseError::fail));
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

#[test]
fn the_best_that_is_short_enough_is_bid() {
    let counts = RefCell::new(bytes::Counts::default());
    let result = runner(PAIRS / 10).run(&pair(), |pair| {
        bytes::agree(&pair, &mut counts.borrow_mut()).map_err(|difference| TestCaseError::fail(difference + "\n"))
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    counts.borrow().check();
}

/// How many campaigns the large catalogs have, and how many requests are decided on with each.
const LARGE: [(usize, usize); 6] = [(1, 400), (65, 400), (511, 400), (513, 400), (1500, 300), (5000, 200)];

#[test]
fn the_index_finds_what_looking_at_everybody_finds() {
    let mut runner = runner(0);
    let mut pairs =
        |count| -> Vec<Pair> { (0..count).map(|_| pair().new_tree(&mut runner).unwrap().current()).collect() };
    for (campaigns, requests) in LARGE {
        let pairs = pairs(requests.max(campaigns / 4));
        let snapshot = load(&large::catalog(&pairs, campaigns)).unwrap();
        let mut catalog = snapshot.catalog();
        assert_eq!(catalog.parts().campaigns().len(), campaigns);
        let mut cut_off = 0;
        for pair in &pairs[..requests] {
            cut_off += usize::from(large::is_cut_off(pair, &catalog));
        }
        println!("{campaigns} campaigns: {cut_off} of {requests} decisions are cut off");
        // With all the work that it takes, every decision is compared.
        catalog.max_work = usize::MAX;
        for pair in &pairs[..requests] {
            large::agree(pair, &catalog).unwrap_or_else(|difference| panic!("{campaigns} campaigns: {difference}"));
        }
    }
}

fn runner(pairs: u32) -> TestRunner {
    let seed = std::env::var("ORACLE_SEED").map_or(1, |seed| seed.parse().unwrap());
    let cases = std::env::var("PROPTEST_CASES").map_or(pairs, |cases| cases.parse().unwrap());
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 100_000,
        ..Config::default()
    })
}

fn agree(pair: &Pair, coverage: &RefCell<Coverage>) -> Result<(), String> {
    let snapshot = load(&pair.catalog)?;
    let catalog = snapshot.catalog();
    let answer = answer(pair, &catalog, |_| None);
    compare::compare(&World::of(pair), &answer).map_err(|difference| format!("{difference}\n{answer:#?}"))?;
    if !answer.body.is_empty() {
        let errors = judge::judge(&pair.request.to_string(), &answer.body);
        if !errors.is_empty() {
            return Err(format!("{}\n{}", errors.join("\n"), answer.body));
        }
    }
    let mut everything = snapshot.catalog();
    everything.needs = Needs::ALL;
    let all = self::answer(pair, &everything, |_| None);
    if answer != all {
        return Err(format!("with all that the request tells: {all:#?}\nwith what is needed: {answer:#?}"));
    }
    coverage.borrow_mut().count(&answer);
    Ok(())
}

/// With half of the requests, each campaign is in or out as a whole, and always the same.
fn halves(pair: &Pair) -> Result<(), String> {
    let snapshot = load(&pair.catalog)?;
    let catalog = snapshot.catalog();
    let half = answer(pair, &catalog, |_| Some(Standing::WHOLE / 2));
    let again = answer(pair, &catalog, |_| Some(Standing::WHOLE / 2));
    let sorted = answer(pair, &catalog, |cid| {
        Some(if half.paced.iter().any(|paced| paced == cid) { 0 } else { Standing::WHOLE })
    });
    if half == again && half == sorted { Ok(()) } else { Err(format!("{half:#?}\n{again:#?}\n{sorted:#?}")) }
}

/// What keeps everybody out of the request.
fn gate(world: &World<'_>) -> Option<Why> {
    let barred = privacy::verdict(world.request, world.settings) == privacy::Verdict::NoBid;
    let rules = [
        (Why::IdBytes, world.has_long_ids()),
        (Why::NoImp, world.imps().is_empty()),
        (Why::DuplicateImp, world.imps_alone().is_empty()),
        (Why::Tmax, json::int(world.request, "tmax").is_some_and(|tmax| tmax <= world.latency_ms())),
        (Why::Crawler, json::text(world.request, "device/ua").contains("Googlebot")),
        (Why::Privacy, barred),
        (Why::Currency, world.cur().is_none()),
        (Why::NoCampaign, world.campaigns().is_empty()),
    ];
    rules.into_iter().find(|(_, failed)| *failed).map(|(why, _)| why)
}
