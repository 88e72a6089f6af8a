//! Which budget a campaign spends, which requests belong to the budget's share, and what is counted for the pacer.

use std::collections::BTreeMap;

use base::hash::hash_of;
use pacing::counts::Count;
use proptest::prelude::*;
use serde_json::Value;

use super::compare::Check;
use super::crate_under_test::{Answer, bids};
use super::json::{has, list, text};
use super::money::Exact;
use super::pair::{Auction, is_guaranteed};

/// Two to the power of 64: all sums and products are remainders of it.
const WORD: u128 = 1 << 64;

/// All requests, as a share.
const WHOLE: i64 = 4_294_967_295;

/// The budget of a campaign or of its order.
pub struct Budget<'p> {
    /// What shares and counts name it.
    pub key: u64,
    /// The campaigns that spend it.
    pub cids: Vec<&'p str>,
}

/// The budget that the campaign spends; `None` without one. An order is named by the opposite of each bit of the hash of
/// its id.
pub fn of<'p>(catalog: &'p Value, campaign: &'p Value) -> Option<Budget<'p>> {
    if has(campaign, "budget_of") {
        let id = text(campaign, "budget_of");
        let members = list(catalog, "campaigns").iter().filter(|campaign| text(campaign, "budget_of") == id);
        let cids = members.map(|campaign| text(campaign, "cid")).collect();
        return Some(Budget { key: u64::MAX - hash(id), cids });
    }
    let cid = text(campaign, "cid");
    has(campaign, "budget").then(|| Budget { key: hash(cid), cids: vec![cid] })
}

/// Whether a share lets a bid through. `key` names the budget. Old shares are halved, and then nothing is left.
pub fn lets_through(share: i64, age_ms: i64, lot: u32, key: u64) -> bool {
    match age_ms {
        120_000.. => false,
        60_000.. => drawn(u128::from(u64::from(lot) ^ key)) < share / 2,
        _ => share == WHOLE || drawn(u128::from(u64::from(lot) ^ key)) < share,
    }
}

/// The 64-bit FNV-1a hash.
pub fn hash(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(14_695_981_039_346_656_037, |hash: u128, byte| (hash ^ u128::from(byte)) * 1_099_511_628_211 % WORD);
    u64::try_from(hash).unwrap()
}

/// The upper 32 bits of the number that the generator `SplitMix64` makes of this state.
fn drawn(state: u128) -> i64 {
    let mut z = (state + 0x9e37_79b9_7f4a_7c15) % WORD;
    z = (z ^ (z / (1 << 30))) * 0xbf58_476d_1ce4_e5b9 % WORD;
    z = (z ^ (z / (1 << 27))) * 0x94d0_49bb_1331_11eb % WORD;
    i64::try_from(z / (1 << 32)).unwrap()
}

/// Compares what the crate counts for the pacer with the bids in its answer.
pub fn agree(auction: &Auction<'_>, answer: &Answer) -> Check {
    let mut expected: BTreeMap<(u64, u64), Count> = BTreeMap::new();
    let (cur, bids) = bids(&answer.body);
    for bid in bids.iter().filter(|_| !auction.is_test()) {
        let campaign = auction.campaign_of(bid);
        let Some(budget) = of(auction.catalog, campaign) else { continue };
        let imp = auction.imp_of(bid);
        let mut deals = list(imp, "pmp/deals").iter().filter(|deal| text(deal, "id") == text(bid, "dealid"));
        let own = Some(text(campaign, "cur")).filter(|cur| !cur.is_empty()).unwrap_or("USD");
        let price = Exact::parse(text(bid, "price")).convert(&cur, own).unwrap();
        let count = expected.entry((budget.key, hash_of(auction.ssp))).or_default();
        count.bids += 1;
        count.guaranteed += u64::from(deals.any(|deal| is_guaranteed(campaign, deal)));
        let nanos = (price.micros_up() * Auction::thousandths(imp) + 999) / 1000;
        count.nanos += u64::try_from(nanos).unwrap();
    }
    for (key, expected) in &expected {
        let found = answer.counts.rows.get(key).copied().unwrap_or_default();
        prop_assert_eq!(found, Count { matched: found.matched, ..*expected });
    }
    let imps = auction.distinct_imps().len() as u64;
    for (key, count) in &answer.counts.rows {
        let is_possible = (1..=imps).contains(&count.matched) && (count.bids == 0 || expected.contains_key(key));
        prop_assert!(is_possible && !auction.is_test(), "counted {:?} on {} impressions", count, imps);
    }
    Ok(())
}
