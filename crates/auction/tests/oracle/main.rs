//! The oracle: a second, slow, plain implementation of the bidding rules, written from the specification and never from
//! the code. The oracle and the crate decide on generated pairs of a catalog and a request. They must agree on the
//! bids, the prices and each campaign's reason not to bid. rtblint judges every answer.
//!
//! `ORACLE_SEED=n` generates other pairs, `PROPTEST_CASES=n` another number of pairs.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, unreachable_pub)]

mod bid_ext;
mod budget;
mod bytes;
mod campaign;
mod compare;
mod coverage;
mod crate_under_test;
mod creative;
mod eligible;
mod generate;
mod json;
mod large;
mod linear;
mod macros;
mod markup;
mod money;
mod native;
mod odd;
mod pair;
mod pod;
mod positions;
mod price;
mod privacy;
mod radius;
mod supply;
mod targeting;

use std::cell::RefCell;

use auction::context::Context;
use auction::stop::Stop;
use openrtb::read::Needs;
use pacing::shares::WHOLE;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use reasons::no_bid::NoBidReason as Reason;

use compare::Check;
use coverage::Coverage;
use crate_under_test::{answer, load};
use generate::{Pair, pair};
use pair::Auction;

const PAIRS: u32 = 20_000;

#[test]
fn the_crate_and_the_oracle_agree() {
    let coverage = RefCell::new(Coverage::default());
    for_pairs(PAIRS, |pair| agree(pair, &coverage));
    coverage.borrow().check();
}

#[test]
fn a_throttled_campaign_is_in_or_out_of_the_whole_request() {
    for_pairs(PAIRS / 10, half_share);
}

#[test]
fn the_best_bid_that_fits_into_the_answer_is_made() {
    let counts = RefCell::new(bytes::Counts::default());
    for_pairs(PAIRS / 10, |pair| bytes::agree(pair, &mut counts.borrow_mut()));
    counts.borrow().check();
}

/// The numbers of campaigns of the large catalogs, and of requests for each.
const LARGE: [(usize, usize); 6] = [(1, 400), (65, 400), (511, 400), (513, 400), (1500, 300), (5000, 200)];

#[test]
fn the_index_finds_the_bids_that_a_full_scan_finds() {
    let mut runner = runner(0);
    // Reading the grammar takes longer than drawing a pair.
    let drawn = pair();
    let mut pairs =
        |count| -> Vec<Pair> { (0..count).map(|_| drawn.new_tree(&mut runner).unwrap().current()).collect() };
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
        // Without the limit on work no decision stops early, so all of them can be compared.
        catalog.max_work = usize::MAX;
        let own = catalog.parts().campaigns();
        for (number, pair) in pairs[..requests].iter().enumerate() {
            // Three requests of four meet stopped campaigns: every second one, the dearest third, or all.
            let stopped =
                |position: &usize| [false, position.is_multiple_of(2), *position < campaigns / 3, true][number % 4];
            let stopped = (0..campaigns).filter(stopped).filter_map(|position| own.get(position));
            let cids = stopped.fold(String::new(), |cids, campaign| cids + campaign.cid() + "\n");
            let (stop, _) = Stop::read(&cids, false, &catalog);
            let pacing = large::pacing(pair, &catalog);
            let also = Context { stop: stop.as_ref(), pacing: Some(&pacing), ..Context::default() };
            large::agree(pair, &catalog, &also);
        }
    }
}

fn for_pairs(count: u32, check: impl Fn(&Pair) -> Check) {
    runner(count).run(&pair(), |pair| check(&pair)).unwrap_or_else(|failure| panic!("{failure}"));
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

fn agree(pair: &Pair, coverage: &RefCell<Coverage>) -> Check {
    let snapshot = load(&pair.catalog).map_err(TestCaseError::fail)?;
    let (catalog, auction) = (snapshot.catalog(), Auction::of(pair));
    let answer = answer(pair, &catalog);
    compare::compare(&auction, &answer)
        .map_err(|difference| TestCaseError::fail(format!("{difference}\n{answer:#?}")))?;
    if !answer.body.is_empty() {
        let errors = judge::judge(&pair.request.to_string(), &answer.body);
        prop_assert!(errors.is_empty(), "{}\n{}", errors.join("\n"), answer.body);
    }
    let mut everything = snapshot.catalog();
    everything.needs = Needs::ALL;
    prop_assert_eq!(&self::answer(pair, &everything), &answer, "every attribute is read, or only the needed ones");
    budget::agree(&auction, &answer)?;
    price::worth_is_most(&auction, &eligible::expected(&auction), &catalog)?;
    coverage.borrow_mut().count(&answer, &auction);
    Ok(())
}

/// With a share of half of the requests, pacing keeps a campaign in or out of a whole request, but for guaranteed deals.
/// If the request is repeated, the result is the same.
fn half_share(pair: &Pair) -> Check {
    let snapshot = load(&pair.catalog).map_err(TestCaseError::fail)?;
    let catalog = snapshot.catalog();
    let half = with_shares(pair, |_| WHOLE / 2);
    let [first, again] = [(); 2].map(|()| answer(&half, &catalog));
    let paced = &first.recorded.paced;
    let split = with_shares(pair, |cids| if paced.iter().any(|paced| cids.contains(&&**paced)) { 1 } else { WHOLE });
    prop_assert_eq!(&first, &again);
    prop_assert_eq!(&first, &answer(&split, &catalog));
    Ok(())
}

/// The pair with new shares. `share` is that of a budget, which these campaigns spend.
fn with_shares(pair: &Pair, share: impl Fn(&[&str]) -> u32) -> Pair {
    let mut pair = pair.clone();
    pair.context["shares_age_ms"] = 0.into();
    for campaign in json::list(&pair.catalog, "campaigns") {
        if let Some(budget) = budget::of(&pair.catalog, campaign) {
            pair.context["standings"][json::text(campaign, "cid")]["share"] = share(&budget.cids).into();
        }
    }
    pair
}

/// Why no campaign may bid on the request.
fn gate(auction: &Auction<'_>) -> Option<Reason> {
    let unreadable = odd::of_request(auction.request);
    let is_unreadable = |reason| unreadable == Some(reason);
    let no_legal_basis = privacy::verdict(auction.request, auction.settings) == privacy::Verdict::NoBid;
    let imps = auction.imps_with_unique_id().into_iter().filter_map(|imp| auction.refusal(imp)).max();
    let of_imps = imps.filter(|_| auction.distinct_imps().is_empty());
    let rules = [
        (Reason::IdBytes, auction.has_long_ids()),
        (Reason::NoImp, auction.imps().is_empty()),
        (Reason::DuplicateImp, auction.imps_with_unique_id().is_empty()),
        (Reason::Tmax, json::int(auction.request, "tmax").is_some_and(|tmax| tmax <= auction.latency_ms())),
        (Reason::Crawler, json::text(auction.request, "device/ua").contains("Googlebot")),
        (Reason::Privacy, no_legal_basis || is_unreadable(Reason::Privacy)),
        (of_imps.unwrap_or(Reason::Multiplier), of_imps.is_some()),
        (Reason::Currency, auction.cur().is_none() || is_unreadable(Reason::Currency)),
        (Reason::Stopped, auction.all_stopped()),
        (Reason::NoCampaign, auction.campaigns().is_empty()),
        (unreadable.unwrap_or(Reason::Seat), unreadable.is_some()),
    ];
    rules.into_iter().find(|(_, failed)| *failed).map(|(reason, _)| reason)
}
