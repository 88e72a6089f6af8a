//! Budgets: which requests a campaign may bid on with its share, and what is counted for the pacer. Guaranteed deals are
//! not held back (rule 61).

#![cfg(test)]

mod counting;

use bidder_wasm::catalog::{Snapshot, order_key};
use bidder_wasm::context::Context;
use bidder_wasm::limits::MAX_DEMAND;
use bidder_wasm::no_bid::NoBidReason;
use bidder_wasm::notices::hash_of;
use bidder_wasm::pace::Pacing;
use bidder_wasm::{Outcome, Scratch, bid};
use compiler_wasm::compile::compile;
use counting::allocations_of;
use pacing::counts::{Count, Counts};
use pacing::shares::WHOLE;

const NOW_MS: i64 = 1_795_003_200_000;

/// A catalog in which these campaigns have a budget in euros. All of them have the deal `d`, and two creatives.
fn catalog(budgeted: &[&str], others: &[&str]) -> Snapshot {
    let campaign = |cid: &&str, budget: &str| {
        format!(
            r#"{{"cid":"{cid}","seat":"s","adomain":["a.example"],"max_cpm":"1","cur":"EUR","deals":["d"],"creatives":["b","b2"]{budget}}}"#
        )
    };
    let budgeted = budgeted.iter().map(|cid| campaign(cid, r#","budget":{"daily":"50"}"#));
    let campaigns: Vec<String> = budgeted.chain(others.iter().map(|cid| campaign(cid, ""))).collect();
    let document = format!(
        r#"{{"format":1,"rates":[{{"cur":"EUR","usd":"1.1"}}],"ssps":[{{"id":"demo"}},{{"id":"tests","test":true}}],
        "creatives":[{{"crid":"b","banner":{{"w":300,"h":250,"adm":"<p>"}}}},{{"crid":"b2","banner":{{"w":300,"h":250,"adm":"<i>"}}}}],
        "campaigns":[{}]}}"#,
        campaigns.join(",")
    );
    compile(document.as_bytes(), &[]).unwrap().snapshot
}

/// A request with an impression for each of these lists of deals.
fn request(id: &str, imps: &[&str]) -> String {
    let imp = |(number, deals): (usize, &&str)| {
        format!(r#"{{"id":"{number}","banner":{{"w":300,"h":250}},"pmp":{{"deals":[{deals}]}}}}"#)
    };
    let imps: Vec<String> = imps.iter().enumerate().map(imp).collect();
    format!(r#"{{"id":"{id}","imp":[{}]}}"#, imps.join(","))
}

const DEAL: &str = r#"{"id":"d"}"#;
const GUARANTEED: &str = r#"{"id":"d","guar":1}"#;

/// A bidder whose only campaign, `c`, has a budget.
struct Bidder {
    snapshot: Snapshot,
    scratch: Scratch,
    pacing: Option<Pacing>,
}

impl Bidder {
    fn new(share: Option<u32>) -> Bidder {
        let snapshot = catalog(&["c"], &[]);
        let shares = |share| format!("{}\n{:016x} {share}\n", NOW_MS - 1000, hash_of("c"));
        let pacing = share.and_then(|share| Pacing::read(&shares(share), &snapshot.catalog()));
        Bidder { snapshot, scratch: Scratch::default(), pacing }
    }

    fn outcome_at(&mut self, ssp: usize, request: &str) -> Outcome {
        let context = Context { now_ms: NOW_MS, pacing: self.pacing.as_ref(), ..Context::default() };
        let catalog = self.snapshot.catalog();
        bid(&mut self.scratch, request.as_bytes(), ssp, &catalog, &context, &mut (), &mut String::new())
    }

    fn outcome(&mut self, request: &str) -> Outcome {
        self.outcome_at(0, request)
    }

    /// Takes the counts.
    fn counts(&mut self) -> Counts {
        let mut text = String::new();
        self.scratch.demand.take(NOW_MS + 5000, &self.snapshot.catalog(), &mut text);
        Counts::read(&text)
    }
}

#[test]
fn without_a_share_a_campaign_bids_under_guaranteed_deals_only() {
    const PACED: Outcome = Outcome::NoBid(NoBidReason::Pacing);
    for share in [None, Some(0)] {
        let mut bidder = Bidder::new(share);
        assert_eq!(bidder.outcome(&request("r", &[DEAL])), PACED);
        assert_eq!(bidder.outcome(&request("r", &[r#"{"id":"d","guar":0}"#])), PACED);
        assert_eq!(bidder.outcome(&request("r", &[""])), PACED);
        assert_eq!(bidder.outcome(&request("r", &[GUARANTEED])), Outcome::Bid);
    }
    assert_eq!(Bidder::new(Some(WHOLE)).outcome(&request("r", &[""])), Outcome::Bid);
}

#[test]
fn a_campaign_without_a_budget_needs_no_share() {
    let snapshot = catalog(&["held"], &["free"]);
    let (request, mut out) = (request("r", &[""]), String::new());
    let context = Context { now_ms: NOW_MS, ..Context::default() };
    let (catalog, mut scratch) = (snapshot.catalog(), Scratch::default());
    assert_eq!(bid(&mut scratch, request.as_bytes(), 0, &catalog, &context, &mut (), &mut out), Outcome::Bid);
    assert!(out.contains(r#""cid":"free""#), "{out}");
}

#[test]
fn half_a_share_is_half_of_the_requests_and_always_the_same_half() {
    let mut bidder = Bidder::new(Some(WHOLE / 2));
    let mut through = || -> Vec<bool> {
        (0..400).map(|id| bidder.outcome(&request(&id.to_string(), &[""])) == Outcome::Bid).collect()
    };
    let (first, again) = (through(), through());
    assert_eq!(first, again);
    assert!((150..250).contains(&first.iter().filter(|through| **through).count()));
}

#[test]
fn an_impression_is_matched_once_and_every_bid_is_counted() {
    let mut bidder = Bidder::new(Some(WHOLE));
    bidder.outcome(&request("r", &[DEAL, GUARANTEED, ""]));
    let counts = bidder.counts();
    assert_eq!((counts.since_ms, counts.made_ms), (NOW_MS, NOW_MS - 1000));
    let rows: Vec<(&(u64, u64), &Count)> = counts.rows.iter().collect();
    // Each bid is 1.1 dollars, which is 1 euro, for a thousand impressions: two bids under deals, three without.
    let expected = Count { matched: 3, bids: 5, guaranteed: 1, nanos: 5 * 1_000_000 };
    assert_eq!(rows, [(&(hash_of("c"), hash_of("demo")), &expected)]);

    assert_eq!(bidder.counts(), Counts::default(), "taken twice");
    bidder.outcome(&request("r2", &[""]));
    bidder.outcome(&request("r2", &[""]));
    let counts = bidder.counts();
    assert_eq!(counts.since_ms, NOW_MS + 5000, "since the last time");
    assert_eq!(counts.rows.values().next().unwrap().matched, 2);
}

#[test]
fn campaigns_of_an_order_share_lots_and_counts() {
    let document = r#"{"format":1,"ssps":[{"id":"demo"}],"creatives":[{"crid":"b","banner":{"w":300,"h":250,"adm":"<p>"}}],
        "orders":[{"id":"io","budget":{"daily":"50"}}],"campaigns":[
        {"cid":"x","seat":"s","adomain":["a.example"],"max_cpm":"2","creatives":["b"],"deals":["d"],"open":false,"budget_of":"io"},
        {"cid":"y","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["b"],"budget_of":"io"}]}"#;
    let snapshot = compile(document.as_bytes(), &[]).unwrap().snapshot;
    let (catalog, mut scratch) = (snapshot.catalog(), Scratch::default());
    let shares = format!("{}\n{:016x} {}\n", NOW_MS - 1000, order_key("io"), WHOLE / 2);
    let pacing = Pacing::read(&shares, &catalog);
    let context = Context { now_ms: NOW_MS, pacing: pacing.as_ref(), ..Context::default() };
    let mut bids = [0, 0];
    for id in 0..200 {
        let id = id.to_string();
        let mut out = String::new();
        // The first campaign bids under the deal, the second one without.
        bid(&mut scratch, request(&id, &[DEAL]).as_bytes(), 0, &catalog, &context, &mut (), &mut out);
        let through = ["x", "y"].map(|cid| out.contains(&format!(r#""cid":"{cid}""#)));
        assert_eq!(through[0], through[1], "{out}");
        bids[usize::from(through[0])] += 1;
    }
    assert!(bids.iter().all(|count| (70..130).contains(count)), "{bids:?}");
    let mut text = String::new();
    scratch.demand.take(NOW_MS, &catalog, &mut text);
    let counts = Counts::read(&text);
    // Each impression is matched once, whichever campaign it is.
    let expected = Count { matched: 200, bids: 2 * bids[1], guaranteed: 0, nanos: bids[1] * 3_000_000 };
    assert_eq!(counts.rows.iter().collect::<Vec<_>>(), [(&(order_key("io"), hash_of("demo")), &expected)]);
}

#[test]
fn held_back_campaigns_are_matched_too() {
    let mut bidder = Bidder::new(Some(0));
    bidder.outcome(&request("r", &[DEAL, ""]));
    let counts = bidder.counts();
    let expected = Count { matched: 2, ..Count::default() };
    assert_eq!(counts.rows.values().collect::<Vec<_>>(), [&expected]);
    // The floor is over the price, so pacing is not the reason.
    bidder.outcome(&request("r", &[""]).replace(r#""banner""#, r#""bidfloor":9,"banner""#));
    assert_eq!(bidder.counts(), Counts::default());
}

#[test]
fn tests_are_held_back_like_others_and_not_counted() {
    let test = request("r", &[""]).replacen('{', r#"{"test":1,"#, 1);
    for (share, outcome) in [(WHOLE, Outcome::Bid), (0, Outcome::NoBid(NoBidReason::Pacing))] {
        let mut bidder = Bidder::new(Some(share));
        assert_eq!(bidder.outcome(&test), outcome);
        assert_eq!(bidder.outcome_at(1, &request("r", &[""])), outcome);
        assert_eq!(bidder.counts(), Counts::default());
    }
}

#[test]
fn prices_are_counted_in_the_campaigns_currency_and_rounded_up() {
    let mut bidder = Bidder::new(Some(WHOLE));
    // The price is the fixed one of the deal: 0.3 dollars are 0.2727… euros.
    bidder.outcome(
        &request("r", &[r#"{"id":"d","at":3,"bidfloor":0.3}"#]).replace(r#""deals""#, r#""private_auction":1,"deals""#),
    );
    assert_eq!(bidder.counts().rows.values().next().unwrap().nanos, 272_728);
}

#[test]
fn a_decision_allocates_nothing_once_its_rows_exist() {
    let mut bidder = Bidder::new(Some(WHOLE));
    let (request, catalog) = (request("r", &[DEAL, ""]), bidder.snapshot.catalog());
    let context = Context { now_ms: NOW_MS, pacing: bidder.pacing.as_ref(), ..Context::default() };
    let mut out = String::with_capacity(1 << 16);
    let mut decide = || {
        out.clear();
        assert_eq!(
            bid(&mut bidder.scratch, request.as_bytes(), 0, &catalog, &context, &mut (), &mut out),
            Outcome::Bid
        );
    };
    (0..3).for_each(|_| decide());
    assert_eq!(allocations_of(decide), 0);
}

#[test]
fn the_number_of_rows_is_limited() {
    let ssps = 70;
    let per_ssp = MAX_DEMAND / ssps + 1;
    let snapshot = {
        let ssps: Vec<String> = (0..ssps).map(|id| format!(r#"{{"id":"s{id}"}}"#)).collect();
        let campaigns = (0..per_ssp).map(|cid| {
            format!(
                r#"{{"cid":"{cid}","seat":"s","adomain":["a.example"],"max_cpm":"1","creatives":["b"],"budget":{{"daily":"50"}}}}"#
            )
        });
        let document = format!(
            r#"{{"format":1,"ssps":[{}],"creatives":[{{"crid":"b","banner":{{"w":300,"h":250,"adm":"<p>"}}}}],"campaigns":[{}]}}"#,
            ssps.join(","),
            campaigns.collect::<Vec<_>>().join(",")
        );
        compile(document.as_bytes(), &[]).unwrap().snapshot
    };
    let (mut catalog, mut scratch) = (snapshot.catalog(), Scratch::default());
    catalog.max_work = usize::MAX;
    let context = Context { now_ms: NOW_MS, ..Context::default() };
    // Without shares all campaigns are held back, so the search looks at each of them.
    let mut at =
        |ssp| bid(&mut scratch, request("r", &[""]).as_bytes(), ssp, &catalog, &context, &mut (), &mut String::new());
    for ssp in 0..ssps {
        assert_eq!(at(ssp), Outcome::NoBid(NoBidReason::Pacing));
    }
    let mut text = String::new();
    scratch.demand.take(0, &catalog, &mut text);
    assert_eq!(Counts::read(&text).rows.len(), MAX_DEMAND);
}
