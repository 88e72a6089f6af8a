//! How late an SSP's bills come: the chance that a bid will still be billed, learned from bids and bills.
//!
//! Ages do not count from now but from the SSP's news, the newest bid that it has billed: see [`crate::news`]. A bid
//! that the news have not passed is open. So a constant delay, or batches of any length, keep the bids open that they
//! must.
//!
//! For each range of ages, the bills that came within it are compared with the bids that were there, counted by their
//! bills while they were open: the ratio of a survival curve with censored bids. It learns from young bids before old
//! ones exist, and is right if traffic or its part that wins changes.

use crate::limits::GUESS_BIDS;

/// The number of ranges of a bill's age. The first is the time until its news arrives. The length of each later range
/// is a quarter of the age at its beginning.
pub(crate) const RANGES: usize = 44;

/// The ends of the ranges, in seconds. The first range ends when the news pass the bid; the last one ends after seven
/// days.
const ENDS: [u32; RANGES] = ends();

#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn ends() -> [u32; RANGES] {
    let mut ends = [0; RANGES];
    ends[1] = 60;
    let mut at = 2;
    while at < RANGES {
        ends[at] = ends[at - 1] + ends[at - 1] / 4;
        at += 1;
    }
    ends
}

/// The part of the bills that a first guess expects more than [`LATE_S`] after the news. A quarter of them come later
/// than twice that age, a ninth later than three times.
const LATE: f64 = 0.25;

/// An age in seconds; see [`LATE`]. Until bids are that old, all of that part may still come.
const LATE_S: f64 = 3_600.0;

/// The age in seconds after which a first guess expects no more bills: even a daily batch has come.
const LAST_S: f64 = 26.0 * 3_600.0;

/// What was learned from the bills of one SSP.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Delays {
    /// Bills by range.
    pub(crate) billed: [f64; RANGES],
    /// For the first range, the bids that the news passed. For each other range, how many of the bids that went through
    /// it were billed while they were open.
    pub(crate) passed: [f64; RANGES],
    /// The part of the bids that is billed while they are open.
    open: f64,
    /// Bills in or after each range, per bill that came while its bid was open. The first is therefore at least 1.
    left: [f64; RANGES],
}

impl Default for Delays {
    fn default() -> Delays {
        let mut delays = Delays { billed: [0.0; RANGES], passed: [0.0; RANGES], open: 1.0, left: [0.0; RANGES] };
        delays.settle(1.0);
        delays
    }
}

impl Delays {
    /// The chance that an open bid is billed.
    #[must_use]
    pub(crate) fn whole(&self) -> f64 {
        (self.open * self.tail(0.0)).min(1.0)
    }

    /// The bills still to come for bids of this age in seconds, per bid that was billed while it was open. Age 0: for
    /// open bids.
    #[must_use]
    pub(crate) fn tail(&self, age_s: f64) -> f64 {
        if age_s <= 0.0 {
            return self.left.first().copied().unwrap_or(1.0);
        }
        let at = range_of(age_s);
        let (begin, end) = span(at);
        let [from, to] = [at, at + 1].map(|at| self.left.get(at).copied().unwrap_or_default());
        from + (to - from) * ((age_s - begin) / (end - begin)).clamp(0.0, 1.0)
    }

    /// Learns that the news passed `bids` open bids; `billed` of them were billed until then.
    pub(crate) fn close(&mut self, bids: f64, billed: f64) {
        if let (Some(passed), Some(sum)) = (self.passed.first_mut(), self.billed.first_mut()) {
            *passed += bids;
            *sum += billed;
        }
    }

    /// Learns that bids went from one age in seconds to another; `bills` of them were billed while open. Negative:
    /// takes that back.
    pub(crate) fn pass(&mut self, from_s: f64, to_s: f64, bills: f64) {
        for at in range_of(from_s)..RANGES {
            let (begin, end) = span(at);
            if begin >= to_s {
                return;
            }
            let overlap = (end.min(to_s) - begin.max(from_s)).max(0.0);
            if let Some(passed) = self.passed.get_mut(at) {
                *passed = (*passed + bills * overlap / (end - begin)).max(0.0);
            }
        }
    }

    /// Learns that `count` bids of this age in seconds were billed after the news had passed them.
    pub(crate) fn bill(&mut self, age_s: f64, count: f64) {
        if let Some(billed) = self.billed.get_mut(range_of(age_s)) {
            *billed += count;
        }
    }

    /// Computes the chances from the counts, and multiplies the weight of all counts by `weight`.
    pub(crate) fn settle(&mut self, weight: f64) {
        let mut rates = [0.0; RANGES];
        let (mut so_far, mut guessed, mut weight_of_guess) = (0.0_f64, 0.0_f64, GUESS_BIDS);
        for (at, rate) in rates.iter_mut().enumerate() {
            let (Some(billed), Some(passed)) = (self.billed.get_mut(at), self.passed.get_mut(at)) else { continue };
            *billed *= weight;
            *passed *= weight;
            let guess = guess(at);
            // At first as if the guess were right; later multiplied by the part of the guess that came true at younger
            // ages.
            let likely = if guessed > 0.0 { (so_far / guessed).min(1.0) } else { 1.0 };
            *rate = (*billed + weight_of_guess * guess * likely) / (*passed + weight_of_guess);
            if at == 0 {
                self.open = *rate;
                // The weight of the guess: as many bills as these bids have.
                weight_of_guess *= *rate;
                *rate = 1.0;
            } else {
                so_far += *rate;
                guessed += guess;
            }
        }
        let mut after = 0.0;
        for (left, rate) in self.left.iter_mut().rev().zip(rates.iter().rev()) {
            after += rate;
            *left = after;
        }
    }
}

/// The assumption before the first bill: for the first range, the part of the bids that is billed while open; for each
/// other range, the bills per bid that was billed while open.
fn guess(at: usize) -> f64 {
    let later = |age_s: f64| if age_s < LAST_S { LATE * (LATE_S / age_s.max(LATE_S)).powi(2) } else { 0.0 };
    if at == 0 {
        return 1.0 - LATE;
    }
    let (begin, end) = span(at);
    (later(begin) - later(end)) / (1.0 - LATE)
}

/// The range of an age after the news.
pub(crate) fn range_of(age_s: f64) -> usize {
    ENDS.partition_point(|end| f64::from(*end) <= age_s).max(1)
}

/// The end of a range in seconds.
pub(crate) fn end_s(at: usize) -> u32 {
    ENDS.get(at).copied().unwrap_or(u32::MAX)
}

/// Begin and end of a range in seconds.
fn span(at: usize) -> (f64, f64) {
    let end = |at: usize| ENDS.get(at).map_or(f64::MAX, |end| f64::from(*end));
    (end(at.saturating_sub(1)), end(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bids at a constant rate, a tenth billed: most before the news pass them, a fifth of them an hour later.
    fn learned() -> Delays {
        let mut delays = Delays::default();
        for _ in 0..400 {
            delays.close(600_000.0, 48_000.0);
            for age in (0..100_000).step_by(50) {
                let age = f64::from(age);
                delays.pass(age, age + 50.0, 400.0);
            }
            delays.bill(3_600.0, 12_000.0 / 6.0 / 20.0);
        }
        delays.settle(1.0);
        delays
    }

    #[test]
    fn chances_fall_with_age() {
        for delays in [Delays::default(), learned()] {
            let tails: Vec<f64> = (0..700_000).step_by(70).map(|age| delays.tail(f64::from(age))).collect();
            assert!(tails.is_sorted_by(|a, b| a >= b));
            assert!((0.0..=1.0).contains(&delays.whole()));
        }
    }

    #[test]
    fn at_first_every_bid_may_be_billed() {
        let delays = Delays::default();
        assert!((delays.whole() - 1.0).abs() < 1e-9);
        assert!((delays.open * delays.tail(1.0) - LATE).abs() < 1e-9);
        assert!(delays.tail(40.0 * 3_600.0) < 1e-9);
    }

    #[test]
    fn late_bills_are_learned() {
        let delays = learned();
        let late = delays.open * delays.tail(1_000.0);
        assert!((0.015..0.03).contains(&late), "{late}");
        assert!((delays.whole() - 0.08 - late).abs() < 0.001, "{}", delays.whole());
        assert!(delays.tail(6_000.0) < 0.01);
    }

    #[test]
    fn ages_reach_as_far_as_notices_count() {
        assert!(ENDS[RANGES - 1] >= 7 * 86_400, "{}", ENDS[RANGES - 1]);
    }
}
