//! What the crate counts for the pacer equals the bids in its answer.

use std::collections::BTreeMap;

use bidder_wasm::notices::hash_of;
use pacing::counts::Count;

use super::auction::Auction;
use super::crate_under_test::{Answer, bids};
use super::json::{flag, list, text};
use super::money::Exact;
use super::payer;

pub fn agree(auction: &Auction<'_>, answer: &Answer) -> Result<(), String> {
    let mut expected: BTreeMap<(u64, u64), Count> = BTreeMap::new();
    let (cur, bids) = bids(&answer.body);
    for bid in bids.iter().filter(|_| !auction.is_test()) {
        let campaign = auction.campaigns().iter().find(|one| text(one, "cid") == bid.cid).unwrap();
        let Some(payer) = payer::of(auction.catalog, campaign) else { continue };
        let imp = list(auction.request, "imp").iter().find(|imp| text(imp, "id") == bid.imp).unwrap();
        let mut deals = list(imp, "pmp/deals").iter().filter(|deal| text(deal, "id") == bid.deal);
        let own = Some(text(campaign, "cur")).filter(|cur| !cur.is_empty()).unwrap_or("USD");
        let price = Exact::parse(&bid.price).convert(&cur, own).unwrap();
        let count = expected.entry((payer.key, hash_of(auction.ssp))).or_default();
        count.bids += 1;
        count.guaranteed += u64::from(deals.any(|deal| flag(deal, "guar")));
        let nanos = (price.micros_up() * auction.thousandths(imp) + 999) / 1000;
        count.nanos += u64::try_from(nanos).unwrap();
    }
    for (key, expected) in &expected {
        let found = answer.counts.rows.get(key).copied().unwrap_or_default();
        if found != (Count { matched: found.matched, ..*expected }) {
            return Err(format!("counted {found:?}, expected {expected:?}"));
        }
    }
    let imps = auction.distinct_imps().len() as u64;
    for (key, count) in &answer.counts.rows {
        let has_bid = expected.contains_key(key);
        if !(1..=imps).contains(&count.matched) || !has_bid && count.bids > 0 || auction.is_test() {
            return Err(format!("counted {count:?} on {imps} impressions"));
        }
    }
    Ok(())
}
