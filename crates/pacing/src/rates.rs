//! The rates of a campaign: how many requests it gets, how many of the requests in its share become bids, and at which
//! price.

use crate::counts::Count;
use crate::limits::{BID_S, CALLS_S, DEARER, DELAY_S, FAST_S, HIGHEST_S, REST_S, SLOW_S, WARM_UP_S};
use crate::money::{number, times};
use crate::shares::WHOLE;

/// Ticks whose shares are remembered, because counts are of bids that older shares allowed.
const REMEMBERED: usize = 8;

/// The ratio of bids to requests begins as if this many requests in the share had each become a bid.
const GUESS: f64 = 2.0;

/// The rates of one campaign. Rates are per second.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rates {
    /// Requests, over the last minutes.
    pub(crate) slow: f64,
    /// Requests, right now.
    pub(crate) fast: f64,
    /// The highest rate of requests of late.
    pub(crate) highest: f64,
    /// Seconds since the last request.
    rest_s: f64,
    /// Seconds since the first counts.
    pub(crate) known_s: f64,
    /// Requests in the share, and the bids that they became.
    pub(crate) passed: f64,
    /// See `passed`.
    pub(crate) bids: f64,
    /// The bids of `nanos`.
    pub(crate) priced: f64,
    /// What `priced` bids cost.
    pub(crate) nanos: u64,
    /// Nanos that are bid per second, right now.
    pub(crate) bidding: u64,
    /// The highest mean price of late.
    pub(crate) dearest: u64,
    /// The last shares: when they were made, and the share.
    pub(crate) shares: Vec<(i64, u32)>,
}

impl Rates {
    /// Learns from the counts of the last `dt` seconds. `used` are the times in ms between which their shares were
    /// made. Returns true if the bids are dearer than ever: then their known win rate means nothing any more.
    pub(crate) fn learn(&mut self, count: Count, dt: f64, used: (i64, i64)) -> bool {
        let matched = number(count.matched);
        if self.known_s > 0.0 || count.matched > 0 {
            self.known_s += dt;
        }
        let rate = matched / dt;
        approach(&mut self.fast, rate, dt / FAST_S);
        approach(&mut self.slow, rate, dt / SLOW_S);
        // The change is more than noise, so the old rate means nothing any more.
        let (seen, expected) = (self.fast * FAST_S, self.slow * FAST_S);
        if (seen - expected).abs() > 4.0 * expected.sqrt() + 4.0 {
            self.slow = self.fast;
        }
        self.rest_s += dt;
        if count.matched > 0 {
            self.highest *= 1.0 - self.rest_s.min(REST_S) / HIGHEST_S;
            self.rest_s = 0.0;
        }
        self.highest = self.highest.max(self.slow);

        let through = matched * self.share_between(used);
        // Knowledge about bids loses weight with new bids, not while the campaign rests.
        let keep = 1.0 - (dt / BID_S).min(1.0);
        if through > 0.0 {
            self.passed = self.passed * keep + through;
            self.bids = self.bids * keep + number(count.bids.saturating_sub(count.guaranteed));
        }
        let mut is_dearer = false;
        if count.bids > 0 {
            let mean = times(count.nanos, 1.0 / number(count.bids));
            is_dearer = self.dearest > 0 && mean > times(self.dearest, DEARER);
            if is_dearer {
                (self.priced, self.nanos) = (0.0, 0);
            }
            self.dearest = times(self.dearest, 1.0 - (dt / DELAY_S).min(1.0)).max(mean);
            self.priced = self.priced * keep + number(count.bids);
            self.nanos = times(self.nanos, keep).saturating_add(count.nanos);
        }
        let weight = (dt / FAST_S).min(1.0);
        self.bidding = times(self.bidding, 1.0 - weight).saturating_add(times(count.nanos, weight / dt));
        is_dearer
    }

    /// Moves the times of the shares, because the clock was wrong.
    pub(crate) fn shift(&mut self, by_ms: i64) {
        self.shares.iter_mut().for_each(|(made_ms, _)| *made_ms += by_ms);
    }

    /// Remembers a share.
    pub(crate) fn share(&mut self, made_ms: i64, share: u32) {
        if self.shares.len() == REMEMBERED {
            self.shares.remove(0);
        }
        self.shares.push((made_ms, share));
    }

    /// The price of one bid in nanos; `None` before the first.
    #[must_use]
    pub(crate) fn price(&self) -> Option<u64> {
        (self.priced > 0.0 && self.nanos > 0).then(|| times(self.nanos, 1.0 / self.priced).max(1))
    }

    /// Bids for each request in the share.
    #[must_use]
    pub(crate) fn bids_per_request(&self) -> f64 {
        ((self.bids + GUESS) / (self.passed + GUESS)).min(1.0)
    }

    /// Requests per second.
    #[must_use]
    pub(crate) fn requests(&self) -> f64 {
        self.slow
    }

    /// Nanos that are bid per second with the last share, if the rate of requests stays the same.
    #[must_use]
    pub(crate) fn assumed(&self) -> u64 {
        let share = self.shares.last().map_or(0.0, |(_, share)| f64::from(*share)) / f64::from(WHOLE);
        times(self.price().unwrap_or_default(), self.slow * share * self.bids_per_request())
    }

    /// The highest rate of requests of late.
    #[must_use]
    pub(crate) fn most_requests(&self) -> f64 {
        self.highest
    }

    /// Whether the traffic has been counted long enough to bid.
    #[must_use]
    pub(crate) fn is_warm(&self) -> bool {
        self.known_s >= WARM_UP_S
    }

    /// The least share that was made between two times; the oldest one if there was none. It is unknown which isolates
    /// used which share. With the least share, the requests in it seem few and costly, so the campaign rather spends
    /// too little.
    fn share_between(&self, (from_ms, to_ms): (i64, i64)) -> f64 {
        let within = self.shares.iter().filter(|(made_ms, _)| (from_ms..=to_ms).contains(made_ms));
        let least = within.min_by_key(|(_, share)| *share).or_else(|| self.shares.first());
        least.map_or(0.0, |(_, share)| f64::from(*share)) / f64::from(WHOLE)
    }
}

/// How often isolates take the newest shares: those of the relays that have counted requests of a budget.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Calls {
    /// Since the last counts.
    new: u64,
    /// The most per second, of late.
    pub(crate) rate: f64,
}

impl Calls {
    /// Adds the calls of a relay.
    pub(crate) fn add(&mut self, calls: u64) {
        self.new = self.new.saturating_add(calls);
    }

    /// Learns from the calls of the last `dt` seconds.
    pub(crate) fn learn(&mut self, dt: f64) {
        let seen = number(std::mem::take(&mut self.new)) / dt;
        approach(&mut self.rate, seen, dt / CALLS_S);
        self.rate = self.rate.max(seen);
    }
}

fn approach(rate: &mut f64, seen: f64, weight: f64) {
    *rate += (seen - *rate) * weight.min(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(matched: u64, bids: u64) -> Count {
        Count { matched, bids, guaranteed: 0, nanos: bids * 2_000_000 }
    }

    #[test]
    fn a_burst_is_known_at_once_and_noise_is_not_taken_for_one() {
        let mut rates = Rates::default();
        for tick in 0..100 {
            rates.learn(count(if tick % 2 == 0 { 480 } else { 520 }, 0), 5.0, (0, 0));
        }
        assert!((rates.requests() - 100.0).abs() < 2.0, "{}", rates.requests());
        rates.learn(count(5_000, 0), 5.0, (0, 0));
        assert!(rates.requests() > 500.0, "{}", rates.requests());
        for _ in 0..5 {
            rates.learn(count(5_000, 0), 5.0, (0, 0));
        }
        assert!(rates.requests() > 900.0);
    }

    #[test]
    fn a_campaign_that_rests_may_return_and_one_that_is_narrowed_recovers() {
        let mut rates = Rates::default();
        for _ in 0..100 {
            rates.learn(count(5_000, 0), 5.0, (0, 0));
        }
        for _ in 0..720 {
            rates.learn(count(0, 0), 5.0, (0, 0));
        }
        assert!(rates.most_requests() > 900.0, "{}", rates.most_requests());
        for tick in 0..4 * 720 {
            rates.learn(count(u64::from(tick % 4 == 0), 0), 5.0, (0, 0));
        }
        assert!(rates.most_requests() < 0.1, "{}", rates.most_requests());
    }

    #[test]
    fn calls_of_many_isolates_are_remembered() {
        let mut calls = Calls::default();
        for (new, rate) in [(500, 100.0), (0, 99.0), (5_000, 1000.0)] {
            calls.add(new);
            calls.learn(5.0);
            assert!((calls.rate - rate).abs() < 1.0, "{calls:?}");
        }
        (0..720).for_each(|_| calls.learn(5.0));
        assert!(calls.rate < 20.0, "{calls:?}");
    }

    #[test]
    fn only_prices_above_all_others_are_a_jump() {
        let mut rates = Rates::default();
        let mut learn = |nanos| rates.learn(Count { matched: 9, bids: 1, guaranteed: 0, nanos }, 5.0, (0, 0));
        let jumps: Vec<bool> = [1_000, 1_400, 200, 1_400, 14_000, 9_000, 14_000].map(&mut learn).into();
        assert_eq!(jumps, [false, false, false, false, true, false, false]);
        assert!(rates.price().unwrap() > 9_000);
    }

    #[test]
    fn prices_and_bids_are_learned() {
        let mut rates = Rates::default();
        assert_eq!(rates.price(), None);
        assert!((rates.bids_per_request() - 1.0).abs() < 1e-9);
        rates.share(10, WHOLE / 2);
        for _ in 0..100 {
            rates.learn(count(1000, 100), 5.0, (0, 20));
        }
        assert!(rates.price().unwrap().abs_diff(2_000_000) < 10);
        assert!((rates.bids_per_request() - 0.2).abs() < 0.01);
        assert!(rates.bidding.abs_diff(40_000_000) < 1_000_000);
    }
}
