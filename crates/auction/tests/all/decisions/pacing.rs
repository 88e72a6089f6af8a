//! Budgets: what is counted for the pacer. The oracle has which requests a campaign may bid on with its share, and prices
//! and tests among the counts.

use auction::context::Context;
use auction::pace::Pacing;
use auction::{Outcome, Scratch};
use base::hash::hash_of;
use base::limits::MAX_DEMAND;
use catalog::{Catalog, Snapshot, order_key};
use pacing::counts::{Count, Counts};
use pacing::shares::WHOLE;
use reasons::no_bid::NoBidReason;
use serde_json::{Value, json};

use super::{NOW_MS, banner, campaign, request, snapshot, with};
use crate::warm_allocations;

const PACED: Outcome = Outcome::NoBid(NoBidReason::Pacing);

/// A request with an impression for each of these lists of deals.
fn offering(id: &str, deals: &[Value]) -> Value {
    let imp = |(number, deals): (usize, &Value)| banner(&json!({"id": number.to_string(), "pmp": {"deals": deals}}));
    with(request(deals.iter().enumerate().map(imp)), &json!({ "id": id }))
}

fn no_deal() -> Value {
    json!([])
}

fn deal() -> Value {
    json!([{"id": "d"}])
}

fn guaranteed() -> Value {
    json!([{"id": "d", "guar": 1}])
}

fn pacing(key: u64, share: u32, catalog: &Catalog<'_>) -> Option<Pacing> {
    Pacing::read(&format!("{}\n{key:016x} {share}\n", NOW_MS - 1000), catalog)
}

/// Takes the counts.
fn counts(scratch: &mut Scratch, now_ms: i64, catalog: &Catalog<'_>) -> Counts {
    let mut text = String::new();
    scratch.demand.take(now_ms, catalog, &mut text);
    Counts::read(&text)
}

/// A bidder whose only campaign, `c`, has a budget in euros, the deal `d` and two creatives.
struct Bidder {
    snapshot: Snapshot,
    scratch: Scratch,
    pacing: Option<Pacing>,
}

impl Bidder {
    fn new(share: Option<u32>) -> Bidder {
        let creative = |crid: &str| json!({"crid": crid, "banner": {"w": 300, "h": 250, "adm": "<p>"}});
        let document = json!({"rates": [{"cur": "EUR", "usd": "1.1"}], "creatives": [creative("b"), creative("b2")],
            "ssps": [{"id": "demo"}, {"id": "tests", "test": true}]});
        let own = json!({"cur": "EUR", "deals": ["d"], "creatives": ["b", "b2"], "budget": {"daily": "50"}});
        let snapshot = snapshot(&document, [campaign("c", &own)]);
        let pacing = share.and_then(|share| pacing(hash_of("c"), share, &snapshot.catalog()));
        Bidder { snapshot, scratch: Scratch::default(), pacing }
    }

    fn outcome_at(&mut self, ssp: usize, request: &Value) -> Outcome {
        let context = Context { now_ms: NOW_MS, pacing: self.pacing.as_ref(), ..Context::default() };
        let body = request.to_string();
        crate::decide(&mut self.scratch, body.as_bytes(), ssp, &self.snapshot.catalog(), &context, &mut ()).0
    }

    fn outcome(&mut self, deals: &[Value]) -> Outcome {
        self.outcome_at(0, &offering("r", deals))
    }

    fn counts(&mut self) -> Counts {
        counts(&mut self.scratch, NOW_MS + 5000, &self.snapshot.catalog())
    }
}

#[test]
fn an_impression_is_matched_once_and_every_bid_is_counted() {
    let mut bidder = Bidder::new(Some(WHOLE));
    bidder.outcome(&[deal(), guaranteed(), no_deal()]);
    let counts = bidder.counts();
    assert_eq!((counts.since_ms, counts.made_ms), (NOW_MS, NOW_MS - 1000));
    // Each bid is 1.1 dollars, which is 1 euro, for a thousand impressions: two bids under deals, three without.
    let expected = Count { matched: 3, bids: 5, guaranteed: 0, nanos: 5 * 1_000_000 };
    assert_eq!(counts.rows.iter().collect::<Vec<_>>(), [(&(hash_of("c"), hash_of("demo")), &expected)]);

    assert_eq!(bidder.counts(), Counts::default(), "taken twice");
    bidder.outcome(&[no_deal()]);
    bidder.outcome(&[no_deal()]);
    let counts = bidder.counts();
    assert_eq!(counts.since_ms, NOW_MS + 5000, "since the last time");
    assert_eq!(counts.rows.values().next().unwrap().matched, 2);
}

#[test]
fn campaigns_of_an_order_share_lots_and_counts() {
    let x = json!({"max_cpm": "2", "deals": ["d"], "open": false, "budget_of": "io"});
    let order = json!({"orders": [{"id": "io", "budget": {"daily": "50"}}]});
    let snapshot = snapshot(&order, [campaign("x", &x), campaign("y", &json!({"budget_of": "io"}))]);
    let (catalog, mut scratch) = (snapshot.catalog(), Scratch::default());
    let pacing = pacing(order_key("io"), WHOLE / 2, &catalog);
    let context = Context { now_ms: NOW_MS, pacing: pacing.as_ref(), ..Context::default() };
    let mut bids = [0, 0];
    for lot in 0..200 {
        // Always the same request: an SSP cannot choose one that is in the share.
        let (body, context) = (offering("r", &[deal()]).to_string(), Context { lot, ..context });
        // The first campaign bids under the deal, the second one without.
        let (_, out) = crate::decide(&mut scratch, body.as_bytes(), 0, &catalog, &context, &mut ());
        let through = ["x", "y"].map(|cid| out.contains(&format!(r#""cid":"{cid}""#)));
        assert_eq!(through[0], through[1], "{out}");
        bids[usize::from(through[0])] += 1;
    }
    assert!(bids.iter().all(|count| (70..130).contains(count)), "{bids:?}");
    // Each impression is matched once, whichever campaign it is.
    let expected = Count { matched: 200, bids: 2 * bids[1], guaranteed: 0, nanos: bids[1] * 3_000_000 };
    let counts = counts(&mut scratch, NOW_MS, &catalog);
    assert_eq!(counts.rows.iter().collect::<Vec<_>>(), [(&(order_key("io"), hash_of("demo")), &expected)]);
}

#[test]
fn held_back_campaigns_are_matched_too() {
    let mut bidder = Bidder::new(Some(0));
    bidder.outcome(&[deal(), no_deal()]);
    let expected = Count { matched: 2, ..Count::default() };
    assert_eq!(bidder.counts().rows.values().collect::<Vec<_>>(), [&expected]);
    // The floor is over the price, so pacing is not the reason.
    bidder.outcome_at(0, &request([banner(&json!({"bidfloor": 9}))]));
    assert_eq!(bidder.counts(), Counts::default());
}

#[test]
fn a_decision_allocates_nothing_once_its_rows_exist() {
    let mut bidder = Bidder::new(Some(WHOLE));
    let (body, catalog) = (offering("r", &[deal(), no_deal()]).to_string(), bidder.snapshot.catalog());
    let context = Context { now_ms: NOW_MS, pacing: bidder.pacing.as_ref(), ..Context::default() };
    assert_eq!(warm_allocations(&mut bidder.scratch, body.as_bytes(), 0, &catalog, &context), 0);
    assert_eq!(bidder.outcome(&[deal(), no_deal()]), Outcome::Bid);
}

#[test]
fn the_number_of_rows_is_limited() {
    let ssps = 70;
    let own = |cid: usize| campaign(&cid.to_string(), &json!({"budget": {"daily": "50"}}));
    let ids: Value = (0..ssps).map(|id| json!({"id": format!("s{id}")})).collect();
    let snapshot = snapshot(&json!({ "ssps": ids }), (0..=MAX_DEMAND / ssps).map(own));
    let (mut catalog, mut scratch) = (snapshot.catalog(), Scratch::default());
    catalog.max_work = usize::MAX;
    let (body, context) = (offering("r", &[no_deal()]).to_string(), Context { now_ms: NOW_MS, ..Context::default() });
    // Without shares all campaigns are held back, so the search looks at each of them.
    for ssp in 0..ssps {
        let (outcome, _) = crate::decide(&mut scratch, body.as_bytes(), ssp, &catalog, &context, &mut ());
        assert_eq!(outcome, PACED);
    }
    assert_eq!(counts(&mut scratch, 0, &catalog).rows.len(), MAX_DEMAND);
}
