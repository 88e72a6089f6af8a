//! How often each reason came up, so that the generator keeps probing every rule.

use std::collections::{BTreeMap, BTreeSet};

use bidder_wasm::Outcome;
use bidder_wasm::no_bid::NoBidReason;

use super::crate_under_test::{Answer, bids};

/// The least number of times that a run has to meet each reason.
const LEAST: usize = 20;

#[derive(Default)]
pub struct Coverage {
    requests: usize,
    bids: usize,
    deals: usize,
    /// Bids beside another one on the same impression, both under deals or both without.
    beside: usize,
    /// Deals beside another one on the same impression.
    several: usize,
    /// Bids that gave way to others.
    outbid: usize,
    reasons: BTreeMap<NoBidReason, usize>,
}

impl Coverage {
    pub fn count(&mut self, answer: &Answer) {
        let (_, bids) = bids(&answer.body);
        self.requests += 1;
        self.bids += bids.len();
        self.deals += bids.iter().filter(|bid| !bid.deal.is_empty()).count();
        let slots: BTreeSet<(&str, bool)> = bids.iter().map(|bid| (bid.imp.as_str(), bid.deal.is_empty())).collect();
        self.beside += bids.len() - slots.len();
        let deals: BTreeSet<(&str, &str)> =
            bids.iter().filter(|bid| !bid.deal.is_empty()).map(|bid| (bid.imp.as_str(), bid.deal.as_str())).collect();
        self.several += deals.len() - deals.iter().map(|(imp, _)| imp).collect::<BTreeSet<_>>().len();
        self.outbid += answer.outbid.len();
        let whole = match answer.outcome {
            // A campaign tells its own reason.
            Outcome::NoBid(why) if answer.reasons.is_empty() => Some(why),
            _ => None,
        };
        for why in answer.reasons.values().copied().chain(whole) {
            *self.reasons.entry(why).or_default() += 1;
        }
    }

    /// Every reason came up, and so did bids of both kinds.
    #[allow(clippy::print_stdout)]
    pub fn check(&self) {
        let times = |why: &NoBidReason| self.reasons.get(why).copied().unwrap_or(0);
        let told = NoBidReason::ALL.iter().map(|why| format!("{} {}", why.as_str(), times(why)));
        let told = told.collect::<Vec<_>>().join(", ");
        let Coverage { requests, bids, deals, beside, several, .. } = self;
        println!(
            "{requests} requests, {bids} bids, {deals} of them under deals, {beside} beside others their way, {several} deals beside others; {told}"
        );
        // These have tests of their own: with limits made for each pair, and with requests longer than these.
        let apart = [NoBidReason::ResponseBytes, NoBidReason::ListLength];
        let probed = NoBidReason::ALL.iter().filter(|why| !apart.contains(why));
        let rare = probed.filter(|why| times(why) < LEAST);
        let rare: Vec<&str> = rare.map(|why| why.as_str()).collect();
        assert!(rare.is_empty(), "fewer than {LEAST} times: {}\n{told}", rare.join(", "));
        assert!(self.bids - self.deals > self.requests / 20 && self.deals > self.requests / 50, "too few bids");
        assert!(self.outbid > self.requests / 50, "too few bids outbid: {}", self.outbid);
        assert!(self.beside - self.several > self.requests / 200, "too few bids beside others: {}", self.beside);
        assert!(self.several > self.requests / 200, "too few deals beside others: {}", self.several);
    }
}
