//! Counts how often each reason comes up. A run fails if its pairs leave out a rule.

use std::collections::{BTreeMap, BTreeSet};

use bidder_wasm::Outcome;
use bidder_wasm::no_bid::NoBidReason;
use serde_json::json;

use super::auction::Auction;
use super::crate_under_test::{Answer, bids};
use super::json::{has, text};
use super::price::{factors, of_deal};

/// The least number of times that each reason has to come up in a run.
const LEAST: usize = 20;

#[derive(Default)]
pub struct Coverage {
    requests: usize,
    bids: usize,
    deals: usize,
    /// Bids after the first one on an impression; bids under deals and without deals count apart.
    later_bids: usize,
    /// Deals after the first one on an impression.
    later_deals: usize,
    outbid: usize,
    /// Bids under a deal with a price of its own.
    own_prices: usize,
    /// Bids to which a multiplier applies.
    multiplied: usize,
    reasons: BTreeMap<NoBidReason, usize>,
}

impl Coverage {
    pub fn count(&mut self, answer: &Answer, auction: &Auction<'_>) {
        let (_, bids) = bids(&answer.body);
        for bid in &bids {
            let (campaign, imp) = (auction.campaign_of(bid), auction.imp_of(bid));
            let mut creatives = auction.creatives(campaign).into_iter();
            let creative = creatives.find(|creative| text(creative, "crid") == text(bid, "crid")).unwrap();
            let has_own = of_deal(campaign, &json!({"id": text(bid, "dealid")})).is_some();
            self.own_prices += usize::from(has_own);
            self.multiplied += usize::from(!has_own && !factors(auction, campaign, creative, imp).is_empty());
        }
        self.requests += 1;
        self.bids += bids.len();
        let deals = bids.iter().filter(|bid| has(bid, "dealid"));
        self.deals += deals.clone().count();
        let groups: BTreeSet<(&str, bool)> = bids.iter().map(|bid| (text(bid, "impid"), has(bid, "dealid"))).collect();
        self.later_bids += bids.len() - groups.len();
        let distinct: BTreeSet<[&str; 2]> = deals.map(|bid| ["impid", "dealid"].map(|key| text(bid, key))).collect();
        self.later_deals += distinct.len() - groups.iter().filter(|(_, has_deal)| *has_deal).count();
        self.outbid += answer.recorded.outbid.len();
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
        let counts = NoBidReason::ALL.iter().map(|reason| format!("{} {}", reason.as_str(), times(reason)));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let Coverage { requests, bids, deals, later_bids, later_deals, own_prices, multiplied, .. } = self;
        println!(
            "{requests} requests, {bids} bids, {deals} under deals, {later_bids} later bids and {later_deals} later deals on an imp, {own_prices} at a deal's own price, {multiplied} multiplied; {counts}"
        );
        // Other tests reach these reasons, with limits for each pair and with longer requests.
        let apart = [NoBidReason::ResponseBytes, NoBidReason::ListLength, NoBidReason::Work];
        let probed = NoBidReason::ALL.iter().filter(|reason| !apart.contains(reason));
        let rare = probed.filter(|reason| times(reason) < LEAST);
        let rare: Vec<&str> = rare.map(|reason| reason.as_str()).collect();
        assert!(rare.is_empty(), "fewer than {LEAST} times: {}\n{counts}", rare.join(", "));
        assert!(self.bids - self.deals > self.requests / 20 && self.deals > self.requests / 50, "too few bids");
        assert!(self.outbid > self.requests / 50, "too few bids outbid: {}", self.outbid);
        assert!(later_bids - later_deals > requests / 200, "too few later bids on an imp: {later_bids}");
        assert!(*own_prices > requests / 200, "too few bids at a deal's own price: {own_prices}");
        assert!(*multiplied > requests / 50, "too few multiplied bids: {multiplied}");
        assert!(*later_deals > requests / 200, "too few later deals on an imp: {later_deals}");
    }
}
