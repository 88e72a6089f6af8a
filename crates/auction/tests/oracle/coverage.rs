//! Counts what came up. A run fails if its pairs leave out a rule or a kind of bid.

use std::collections::{BTreeMap, BTreeSet};

use auction::Outcome;
use reasons::no_bid::NoBidReason;
use serde_json::json;

use super::crate_under_test::{Answer, bids};
use super::json::{has, text};
use super::pair::Auction;
use super::price::{factors, of_deal};

/// The least number of times that each reason has to come up in a run.
const LEAST: usize = 20;

/// What has to come up, once in so many requests.
const KINDS: [(&str, usize); 7] = [
    ("bids without a deal", 20),
    ("bids under deals", 50),
    ("bids that a better one beats", 50),
    ("later bids on an impression", 200),
    ("later deals on an impression", 200),
    ("bids at a deal's own price", 200),
    ("multiplied bids", 50),
];

#[derive(Default)]
pub struct Coverage {
    requests: usize,
    kinds: [usize; 7],
    reasons: BTreeMap<NoBidReason, usize>,
}

impl Coverage {
    pub fn count(&mut self, answer: &Answer, auction: &Auction<'_>) {
        let (_, bids) = bids(&answer.body);
        let (mut own_prices, mut multiplied) = (0, 0);
        for bid in &bids {
            let (campaign, imp) = (auction.campaign_of(bid), auction.imp_of(bid));
            let mut creatives = auction.creatives(campaign).into_iter();
            let creative = creatives.find(|creative| text(creative, "crid") == text(bid, "crid")).unwrap();
            let has_own = of_deal(campaign, &json!({"id": text(bid, "dealid")})).is_some();
            own_prices += usize::from(has_own);
            multiplied += usize::from(!has_own && !factors(auction, campaign, creative, imp).is_empty());
        }
        let under_deals = bids.iter().filter(|bid| has(bid, "dealid"));
        // Bids under deals and without deals compete apart.
        let groups: BTreeSet<(&str, bool)> = bids.iter().map(|bid| (text(bid, "impid"), has(bid, "dealid"))).collect();
        let deals: BTreeSet<[&str; 2]> =
            under_deals.clone().map(|bid| ["impid", "dealid"].map(|key| text(bid, key))).collect();
        let later_deals = deals.len() - groups.iter().filter(|(_, has_deal)| *has_deal).count();
        let (under_deals, later_bids) = (under_deals.count(), bids.len() - groups.len() - later_deals);
        let (without, outbid) = (bids.len() - under_deals, answer.recorded.outbid.len());
        let counts = [without, under_deals, outbid, later_bids, later_deals, own_prices, multiplied];
        self.kinds.iter_mut().zip(counts).for_each(|(kind, count)| *kind += count);
        self.requests += 1;
        let of_request = match answer.outcome {
            // If there are campaign reasons, the outcome repeats one of them.
            Outcome::NoBid(reason) if answer.recorded.reasons.is_empty() => Some(reason),
            _ => None,
        };
        for reason in answer.recorded.reasons.values().copied().chain(of_request) {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// Every reason and every kind of bid has to come up often enough.
    #[allow(clippy::print_stdout)]
    pub fn check(&self) {
        let times = |reason: &NoBidReason| self.reasons.get(reason).copied().unwrap_or(0);
        println!("{} requests; {:?}; {:?}", self.requests, KINDS.map(|(kind, _)| kind), self.kinds);
        println!("{:?}", self.reasons);
        // Other tests reach these reasons, with limits for each pair and with longer requests.
        let apart = [NoBidReason::ResponseBytes, NoBidReason::ListLength, NoBidReason::Work];
        let probed = NoBidReason::ALL.iter().filter(|reason| !apart.contains(reason));
        let rare: Vec<&str> = probed.filter(|reason| times(reason) < LEAST).map(|reason| reason.as_str()).collect();
        assert!(rare.is_empty(), "fewer than {LEAST} times: {}", rare.join(", "));
        for ((kind, in_requests), count) in KINDS.iter().zip(self.kinds) {
            assert!(count > self.requests / in_requests, "too few {kind}: {count}");
        }
    }
}
