//! How late an SSP's bills come: the chance that a bid of a known age will still be billed, learned from bids and bills.
//!
//! For each range of ages, the bids that were unbilled at its begin are compared with the bills that came within it.
//! That is right even if traffic changes, and it learns from young bids before old ones exist.

use crate::limits::GUESS_BIDS;

/// Ranges of ages.
pub(crate) const RANGES: usize = 55;

/// Where the ranges begin, in seconds, and the end of the last one.
const BOUNDS: [u32; RANGES + 1] = bounds();

#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn bounds() -> [u32; RANGES + 1] {
    let mut bounds = [0; RANGES + 1];
    let mut at = 0;
    while at < RANGES {
        let begin = bounds[at];
        bounds[at + 1] = begin + if begin < 12 { 2 } else { begin / 6 };
        at += 1;
    }
    bounds
}

/// The age in seconds up to which a first guess expects the prompt bills: 1 to 60 s are usual. One of [`BOUNDS`].
const PROMPT_S: f64 = 67.0;

/// The part of the bills that a first guess expects later.
const LATE: f64 = 0.25;

/// The age in seconds after which a first guess expects them. Until bids have become that old, all of that part may
/// still come.
const LATE_S: f64 = 3600.0;

/// What is known of the bills of one SSP.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Delays {
    /// Bills by range.
    pub(crate) billed: [f64; RANGES],
    /// Bids that passed through the range.
    pub(crate) passed: [f64; RANGES],
    /// The chance to be billed at or after the begin of each range; 0 at the end of the last.
    left: [f64; RANGES + 1],
}

impl Default for Delays {
    fn default() -> Delays {
        let mut delays = Delays { billed: [0.0; RANGES], passed: [0.0; RANGES], left: [0.0; RANGES + 1] };
        delays.settle(1.0);
        delays
    }
}

impl Delays {
    /// The chance that a bid of this age in seconds will still be billed.
    #[must_use]
    pub(crate) fn chance(&self, age_s: f64) -> f64 {
        let at = range_of(age_s);
        let (Some([begin, end]), Some([from, to])) = (pair(&BOUNDS, at), pair(&self.left, at)) else { return 0.0 };
        let within = ((age_s - f64::from(begin)) / f64::from(end - begin)).clamp(0.0, 1.0);
        from + (to - from) * within
    }

    /// `bids` bids became older: from one age in seconds to another.
    pub(crate) fn pass(&mut self, from_s: f64, to_s: f64, bids: f64) {
        for at in range_of(from_s)..RANGES {
            let Some([begin, end]) = pair(&BOUNDS, at).map(|bounds| bounds.map(f64::from)) else { return };
            if begin >= to_s {
                return;
            }
            let overlap = (end.min(to_s) - begin.max(from_s)).max(0.0);
            if let Some(passed) = self.passed.get_mut(at) {
                *passed += bids * overlap / (end - begin);
            }
        }
    }

    /// `count` bids of this age in seconds were billed.
    pub(crate) fn bill(&mut self, age_s: f64, count: f64) {
        if let Some(billed) = self.billed.get_mut(range_of(age_s)) {
            *billed += count;
        }
    }

    /// Makes chances of what was counted, and gives all of it this part of its weight.
    pub(crate) fn settle(&mut self, weight: f64) {
        let mut rates = [0.0; RANGES];
        let (mut so_far, mut guessed) = (0.0_f64, 0.0_f64);
        for (at, rate) in rates.iter_mut().enumerate() {
            let (Some(billed), Some(passed)) = (self.billed.get_mut(at), self.passed.get_mut(at)) else { continue };
            *billed *= weight;
            *passed *= weight;
            let guess = guess(at);
            // As if every bid were billed, and later by the part that was billed among the younger ones.
            let likely = if guessed > 0.0 { (so_far / guessed).min(1.0) } else { 1.0 };
            *rate = (*billed + GUESS_BIDS * guess * likely) / (*passed + GUESS_BIDS);
            so_far += *rate;
            guessed += guess;
        }
        let mut after = 0.0;
        for (left, rate) in self.left.iter_mut().rev().zip([0.0].iter().chain(rates.iter().rev())) {
            after += rate;
            *left = f64::min(after, 1.0);
        }
    }
}

/// The part of the bills that comes within a range, while nothing is known.
fn guess(at: usize) -> f64 {
    let Some([begin, end]) = pair(&BOUNDS, at).map(|bounds| bounds.map(f64::from)) else { return 0.0 };
    if end <= PROMPT_S {
        (1.0 - LATE) * (end - begin) / PROMPT_S
    } else if end > LATE_S {
        // These ranges grow in proportion to the age: as many bills in each.
        LATE / f64::from(u32::try_from(RANGES - range_of(LATE_S)).unwrap_or(1))
    } else {
        0.0
    }
}

fn range_of(age_s: f64) -> usize {
    BOUNDS.partition_point(|bound| f64::from(*bound) <= age_s).saturating_sub(1)
}

fn pair<T: Copy>(list: &[T], at: usize) -> Option<[T; 2]> {
    Some([*list.get(at)?, *list.get(at + 1)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bids at a constant rate, a tenth billed: most within a minute, a fifth of them after an hour.
    fn learned() -> Delays {
        let mut delays = Delays::default();
        for _ in 0..400 {
            for age in (0..30_000).step_by(5) {
                let age = f64::from(age);
                delays.pass(age, age + 5.0, 100.0);
            }
            for age in 1..=60 {
                delays.bill(f64::from(age), 8.0 / 60.0);
            }
            delays.bill(3600.0, 2.0);
        }
        delays.settle(1.0);
        delays
    }

    #[test]
    fn chances_fall_with_age() {
        for delays in [Delays::default(), learned()] {
            let chances: Vec<f64> = (0..30_000).step_by(7).map(|age| delays.chance(f64::from(age))).collect();
            assert!(chances.is_sorted_by(|a, b| a >= b));
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
        }
    }

    #[test]
    fn at_first_every_bid_may_be_billed() {
        assert!(Delays::default().chance(0.0) > 0.97, "{}", Delays::default().chance(0.0));
        assert!(Delays::default().chance(120.0) > 0.2);
    }

    #[test]
    fn late_bills_are_learned() {
        let delays = learned();
        for (age, chance) in [(0.0, 0.1), (30.0, 0.06), (120.0, 0.02), (2_000.0, 0.02), (6_000.0, 0.0)] {
            assert!((delays.chance(age) - chance).abs() < 0.004, "{age}: {}", delays.chance(age));
        }
    }

    #[test]
    fn bids_pass_all_ranges_before_they_are_dropped() {
        let horizon_s = u32::try_from(crate::limits::HORIZON_MS / 1000).unwrap();
        assert!((5 * 3600..horizon_s - 900).contains(&BOUNDS[RANGES]), "{}", BOUNDS[RANGES]);
    }
}
