//! Exposure: what was bid and not yet billed, times the chance that it still will be.

use crate::delay::Delays;
use crate::limits::{DEVIATIONS, FIRST_BIDS};
use crate::money::{fixed, number, ratio, seconds, times};
use crate::places::Asked;
use crate::slots::Slot;

/// Ages in seconds up to which a campaign's bills are compared with those of its SSP. Older bills are too few, and an
/// outage makes others late.
const YOUNG_S: f64 = 120.0;

/// The bids and bills of all campaigns at one SSP.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ssp {
    /// Bids by slot.
    pub(crate) bids: Vec<f64>,
    pub(crate) delays: Delays,
    /// By slot: the chance that a bid will still be billed, as a part of 2^32.
    still: Vec<u64>,
    /// By slot: the chance that a bid was billed since the last tick, as a part of 2^32.
    due: Vec<u64>,
}

impl Ssp {
    /// Lets the bids grow older, up to when the places of their days were asked. `is_new` is the position of the slot
    /// of this tick.
    pub(crate) fn age(&mut self, slots: &[Slot], asked: &[Vec<Asked>], newest: usize, weight: f64) {
        for (at, ((slot, asked), bids)) in slots.iter().zip(asked).zip(&self.bids).enumerate() {
            for place in asked.iter().filter(|_| *bids > 0.0) {
                let (from_s, to_s) = ages(slot, place, at == newest);
                self.delays.pass(from_s, to_s, bids * place.part);
            }
        }
        self.delays.settle(weight);
        let whole = self.delays.chance(0.0);
        let young = |age_s: f64| self.delays.chance(age_s.min(YOUNG_S));
        let chances = slots.iter().zip(asked).enumerate().map(|(at, (slot, asked))| {
            let sum = |of: &dyn Fn((f64, f64)) -> f64| -> f64 {
                asked.iter().map(|place| of(ages(slot, place, at == newest)) * place.part).sum()
            };
            let still = if asked.is_empty() { whole } else { sum(&|(_, to_s)| self.delays.chance(to_s)) };
            (part(still), part(sum(&|(from_s, to_s)| young(from_s) - young(to_s))))
        });
        (self.still, self.due) = chances.unzip();
    }

    /// Learns from new bills of one age in seconds.
    pub(crate) fn bill(&mut self, age_s: f64, count: u64) {
        self.delays.bill(age_s, number(count));
    }
}

/// A chance as a part of 2^32. Less than one in 100,000 is nothing: most slots need no sum then.
fn part(chance: f64) -> u64 {
    if chance < 1e-5 { 0 } else { u64::try_from(fixed(chance)).unwrap_or(u64::MAX) }
}

/// The sum of amounts times their chances. Old slots, which are the first ones, often have none.
fn likely(nanos: &[u64], chances: &[u64]) -> u64 {
    let first = chances.iter().take_while(|chance| **chance == 0).count();
    let both = nanos.iter().zip(chances).skip(first);
    let sum = both.fold(0_u128, |sum, (nanos, chance)| sum.saturating_add(u128::from(*nanos) * u128::from(*chance)));
    u64::try_from(sum >> 32).unwrap_or(u64::MAX)
}

fn total(nanos: &[u64]) -> u64 {
    nanos.iter().fold(0, |sum, nanos| sum.saturating_add(*nanos))
}

/// The ages of a slot's bids in seconds, before this tick and now.
fn ages(slot: &Slot, asked: &Asked, is_new: bool) -> (f64, f64) {
    let age = |ms: i64| seconds(ms.saturating_sub(slot.bid_ms).max(0));
    let learns = asked.before_ms < asked.until_ms;
    (if is_new && learns { 0.0 } else { age(asked.before_ms) }, age(asked.until_ms))
}

/// The bids and bills of one campaign at one SSP.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Row {
    /// Nanos bid, by slot.
    pub(crate) nanos: Vec<u64>,
    /// The part of `nanos` that is billed, by slot. Not all bills are in it: a place that is booked as a whole does not
    /// tell when its bids were made.
    pub(crate) paid: Vec<u64>,
    /// Nanos billed of young bids.
    pub(crate) billed: u64,
    /// Nanos that would have been billed by the SSP's chances.
    pub(crate) expected: u64,
}

impl Row {
    /// Learns at the end of a tick what the SSP's chances let expect. `weight` is the weight that old observations keep.
    pub(crate) fn expect(&mut self, ssp: &Ssp, weight: f64) {
        let due = likely(&self.nanos, &ssp.due);
        // What is known gets old by new bids, not while the campaign rests.
        if due > 0 {
            self.expected = times(self.expected, weight).saturating_add(due);
            self.billed = times(self.billed, weight);
        }
    }

    /// Takes bids of the slot at position `at`, which bid this much, for billed.
    pub(crate) fn pay(&mut self, at: usize, nanos: u64) {
        if self.paid.len() <= at {
            self.paid.resize(at + 1, 0);
        }
        if let Some(paid) = self.paid.get_mut(at) {
            *paid = paid.saturating_add(nanos);
        }
    }

    /// Learns from a new bill.
    pub(crate) fn bill(&mut self, age_s: f64, nanos: u64) {
        if age_s <= YOUNG_S {
            self.billed = self.billed.saturating_add(nanos);
        }
    }

    /// What the bids of the slots before `first`, and from it on, may still cost, in nanos; never more than was bid
    /// and is not billed. `price` is that of one bid.
    #[must_use]
    pub(crate) fn exposed(&self, ssp: &Ssp, first: usize, price: u64) -> (u64, u64) {
        let compared = self.compared(ssp, price);
        let (before, after) = self.nanos.split_at_checked(first).unwrap_or((&self.nanos, &[]));
        let (still_before, still_after) = ssp.still.split_at_checked(first).unwrap_or((&ssp.still, &[]));
        let (paid_before, paid_after) = self.paid.split_at_checked(first).unwrap_or((&self.paid, &[]));
        let exposed = |nanos: &[u64], paid: &[u64], still: &[u64]| {
            times(likely(nanos, still), compared).min(total(nanos).saturating_sub(total(paid)))
        };
        (exposed(before, paid_before, still_before), exposed(after, paid_after, still_after))
    }

    /// The chance that a new bid is billed, with its weight: the nanos of all bids.
    #[must_use]
    pub(crate) fn chance(&self, ssp: &Ssp, price: u64) -> (f64, f64) {
        (ssp.delays.chance(0.0) * self.compared(ssp, price), number(total(&self.nanos)))
    }

    /// How much more of this campaign's bids is billed than of the SSP's. At first as if all its bids were billed.
    fn compared(&self, ssp: &Ssp, price: u64) -> f64 {
        let whole = ssp.delays.chance(0.0);
        let first = times(price, FIRST_BIDS).max(1);
        let expected = self.expected.saturating_add(times(first, whole).max(1));
        // Not more than all of them.
        ratio(self.billed.saturating_add(first), expected).min(1.0 / whole)
    }
}

/// What chance may add to an exposure, in nanos: the spread of the number of bills, and of the learned part that is
/// billed. `billed` are the nanos that it was learned from, `price` is that of one bid.
#[must_use]
pub(crate) fn margin(exposed: u64, billed: u64, price: u64) -> u64 {
    let spread = u64::try_from((u128::from(exposed) * u128::from(price)).isqrt()).unwrap_or(u64::MAX);
    let error = 1.0 / (ratio(billed, price.max(1)) + FIRST_BIDS).sqrt();
    times(spread, DEVIATIONS).saturating_add(times(exposed, DEVIATIONS * error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn aged(bid_ms: &[i64], until_ms: i64) -> (Ssp, Vec<Slot>) {
        let slots: Vec<Slot> = bid_ms.iter().map(|ms| Slot { from_ms: *ms, to_ms: ms + 1, bid_ms: *ms }).collect();
        let mut ssp = Ssp { bids: vec![0.0; slots.len()], ..Ssp::default() };
        let asked = vec![vec![Asked { before_ms: until_ms, until_ms, part: 1.0 }]; slots.len()];
        ssp.age(&slots, &asked, usize::MAX, 1.0);
        (ssp, slots)
    }

    proptest! {
        #[test]
        fn exposure_falls_with_age_and_is_never_more_than_was_bid(
            nanos in proptest::collection::vec(0..1_u64 << 40, 1..20), times in (0..9_000_000_i64, 0..9_000_000_i64),
        ) {
            let bid_ms: Vec<i64> = (0..nanos.len()).map(|at| i64::try_from(at).unwrap() * 5_000).collect();
            let row = Row { nanos: nanos.clone(), ..Row::default() };
            let exposed = |until_ms| row.exposed(&aged(&bid_ms, until_ms).0, 0, 1000).1;
            let (early, late) = (times.0.min(times.1), times.0.max(times.1));
            prop_assert!(exposed(late) <= exposed(early));
            prop_assert!(exposed(0) <= nanos.iter().sum());
        }
    }

    #[test]
    fn unknown_places_hide_all_bills() {
        let slots = [Slot { from_ms: 0, to_ms: 1, bid_ms: 0 }];
        let mut ssp = Ssp { bids: vec![1.0], ..Ssp::default() };
        ssp.age(&slots, &[Vec::new()], 9, 1.0);
        let row = Row { nanos: vec![1_000_000], ..Row::default() };
        assert!(row.exposed(&ssp, 0, 1000).1 > 990_000);
        assert_eq!(row.exposed(&ssp, 1, 1000).1, 0);
    }

    #[test]
    fn billed_bids_are_not_exposed() {
        let (ssp, _) = aged(&[0, 5_000, 10_000], 20_000);
        let mut row = Row { nanos: vec![3_000, 3_000, 3_000], ..Row::default() };
        let (all, some) = (row.exposed(&ssp, 0, 1000).1, row.exposed(&ssp, 2, 1000).1);
        assert!(all > 5_000 && some > 1_500, "{all} {some}");
        row.pay(0, 3_000);
        row.pay(2, 2_000);
        assert_eq!((row.exposed(&ssp, 0, 1000).1, row.exposed(&ssp, 2, 1000).1), (4_000, 1_000));
        row.pay(2, 9_000);
        assert_eq!(row.exposed(&ssp, 0, 1000).1, 0);
    }

    #[test]
    fn the_margin_is_small_for_many_bills() {
        let price = 1_000_000;
        assert!(margin(100 * price, 100 * price, price) > 20 * price);
        assert!(margin(10_000 * price, 1_000_000 * price, price) < 230 * price);
        assert_eq!(margin(0, 0, price), 0);
    }
}
