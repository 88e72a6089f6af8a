//! Exposure: the prices of bids that are not billed yet, times the chance that they still will be.

use crate::amounts::Amounts;
use crate::delay::Delays;
use crate::limits::{DEVIATIONS, FIRST_BIDS, IDLE_BILLS, RIPE_MS};
use crate::money::{fixed, number, ratio, seconds, times};
use crate::news::News;
use crate::shards::Asked;
use crate::slots::{Slot, add_at, moved};
use std::ops::Range;

/// Sums of bills, of all shards and campaigns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Booking {
    pub(crate) known: u64,
    pub(crate) learned: u64,
}

/// The bids and bills of all campaigns at one SSP.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ssp {
    /// Bids by slot.
    pub(crate) bids: Vec<f64>,
    /// Bills by slot, of bids that were open.
    pub(crate) billed: Vec<f64>,
    pub(crate) delays: Delays,
    pub(crate) news: News,
    /// By slot: for bids that the news have passed, the bills still to come per bid that was billed while open.
    still: Chances,
    /// The part of the bids that is open.
    open: Chances,
    /// The part of the bids that the news passed since the last tick, if all their bills are known.
    closed: Chances,
    /// The parts of the known bills whose bids are open, or that the news passed since the last tick.
    waiting: Chances,
    billed_of: Chances,
    /// Since this time, in ms, `billed` has all bills of the bids.
    pub(crate) since_ms: i64,
    /// What all shards have booked, and from how much of it delays were learned.
    pub(crate) booked: Booking,
    /// Bids of earlier slots are not open any more, and their bills are learned.
    paid_from: usize,
    /// How many slots are old enough to have most of their bills, if bills come within a minute.
    ripe: usize,
}

impl Ssp {
    /// Makes the bids older, at most up to the news and to the time when the shards of their days were asked.
    pub(crate) fn age(&mut self, slots: &[Slot], asked: &[&[Asked]], now_ms: i64, weight: f64) {
        let after = slots.partition_point(|slot| slot.bid_ms <= self.news.newest_ms);
        let unheard: f64 = self.bids.get(after..).unwrap_or_default().iter().sum();
        // Some bills were booked without the times of their bids, so not all bills of open bids are known.
        if self.booked.known > self.booked.learned {
            self.since_ms = now_ms;
        }
        self.booked.learned = self.booked.known;
        self.news.settle(now_ms, unheard * self.delays.whole() < IDLE_BILLS, weight);
        self.billed.resize(slots.len(), 0.0);
        let News { until_ms, before_ms, .. } = self.news;
        let ages = |slot: &Slot, shard: &Asked| {
            let age = |until_ms: i64| seconds(until_ms.saturating_sub(slot.to_ms).max(0));
            (age(shard.before_ms.min(before_ms)), age(shard.until_ms.min(until_ms)))
        };
        let all = || slots.iter().zip(asked);
        // The bills of a slot are those of the shards that were asked after it.
        let heard = |slot: &Slot, asked: &[Asked]| -> f64 {
            asked.iter().filter(|shard| shard.hears(slot)).map(|shard| shard.part).sum()
        };
        for ((slot, asked), (bids, billed)) in all().zip(self.bids.iter().zip(&self.billed)) {
            for shard in asked.iter().filter(|_| *bids > 0.0) {
                let (from_s, to_s) = ages(slot, shard);
                if to_s > from_s {
                    self.delays.pass(from_s, to_s, billed * shard.part / heard(slot, asked));
                    if from_s <= 0.0 && slot.bid_ms >= self.since_ms && !slot.is_assumed {
                        self.delays.close(bids * shard.part, billed * shard.part / heard(slot, asked));
                    }
                }
            }
        }
        self.delays.settle(weight);
        let delays = &self.delays;
        let sum = |of: &dyn Fn(&Slot, &Asked, f64, f64) -> f64| -> Vec<f64> {
            let of = |slot: &Slot, shard: &Asked| {
                let (from_s, to_s) = ages(slot, shard);
                of(slot, shard, from_s, to_s) * shard.part
            };
            all().map(|(slot, asked)| asked.iter().map(|shard| of(slot, shard)).sum()).collect()
        };
        let parts = |sums: Vec<f64>| Chances::new(sums.into_iter());
        let of_heard = |sums: Vec<f64>| {
            let of = |((slot, asked), sum): ((_, &&[Asked]), _)| sum / heard(slot, asked).max(f64::MIN_POSITIVE);
            Chances::new(all().zip(sums).map(of))
        };
        self.still = parts(sum(&|_, _, _, to_s| if to_s > 0.0 { delays.tail(to_s) } else { 0.0 }));
        self.open = parts(sum(&|_, _, _, to_s| if to_s > 0.0 { 0.0 } else { 1.0 }));
        self.waiting = of_heard(sum(&|slot, shard, _, to_s| {
            if to_s <= 0.0 && shard.hears(slot) { 1.0 } else { 0.0 }
        }));
        let passes = |slot: &Slot, from_s: f64, to_s: f64| {
            let is_known = slot.bid_ms >= self.since_ms && !slot.is_assumed;
            if is_known && from_s <= 0.0 && to_s > 0.0 { 1.0 } else { 0.0 }
        };
        let closed = sum(&|slot, _, from_s, to_s| passes(slot, from_s, to_s));
        self.billed_of = of_heard(closed.clone());
        self.closed = parts(closed);
        let parts = [&self.open, &self.waiting, &self.closed, &self.billed_of];
        self.paid_from = parts.into_iter().map(|chances| chances.first).min().unwrap_or_default();
        self.ripe = slots.partition_point(|slot| now_ms.saturating_sub(slot.bid_ms) > RIPE_MS);
    }

    /// The chance that a bid is ever billed, from the chance `wins` that it is billed while open.
    fn whole(&self, wins: f64) -> f64 {
        (wins * self.delays.tail(0.0)).min(1.0)
    }

    /// Moves the bids of these slots to their new positions. The bids of a joined slot get the age of its last bids. If
    /// this makes bids younger, they will pass the same ages again, so the first passing is taken back.
    pub(crate) fn join(&mut self, slots: &[Slot], positions: &[Option<usize>], joined: &[Slot]) {
        let age_s = |slot: &Slot| seconds(self.news.until_ms.saturating_sub(slot.to_ms).max(0));
        for ((slot, position), billed) in slots.iter().zip(positions).zip(&self.billed) {
            if let Some(joined) = position.and_then(|position| joined.get(position)) {
                self.delays.pass(age_s(joined), age_s(slot), -billed);
            }
        }
        for list in [&mut self.bids, &mut self.billed] {
            moved(list, positions, |a, b| a + b);
        }
    }

    /// Whether the news have passed the bids of a slot.
    pub(crate) fn has_passed(&self, slot: Option<&Slot>) -> bool {
        slot.is_some_and(|slot| slot.to_ms < self.news.until_ms)
    }

    /// Learns from new bills of bids of the slot at position `at`. `is_timely`: they came while bids of their news are open,
    /// so if the news have passed their bids, that was too early.
    pub(crate) fn bill(&mut self, at: usize, slot: Option<&Slot>, count: u64, is_timely: bool) {
        if self.bids.get(at).is_none_or(|bids| *bids <= 0.0) {
            return;
        }
        let has_passed = self.has_passed(slot);
        if has_passed && !is_timely {
            let age_ms = slot.map_or(0, |slot| self.news.until_ms.saturating_sub(slot.to_ms));
            self.delays.bill(seconds(age_ms), number(count));
        } else {
            if has_passed {
                self.delays.close(0.0, number(count));
            }
            add_at(&mut self.billed, at, number(count), |a, b| a + b);
        }
    }
}

/// Chances by slot, as parts of 2^32. Stored only from the first to the last one that is not zero: old slots often have
/// none.
#[derive(Debug, Clone, Default, PartialEq)]
struct Chances {
    first: usize,
    parts: Vec<u64>,
}

impl Chances {
    fn new(chances: impl Iterator<Item = f64>) -> Chances {
        // Less than one in 100,000 is nothing.
        let part = |chance| if chance < 1e-5 { 0 } else { u64::try_from(fixed(chance)).unwrap_or(u64::MAX) };
        let mut zeros = chances.map(part).peekable();
        let first = std::iter::from_fn(|| zeros.next_if_eq(&0)).count();
        let mut parts: Vec<u64> = zeros.collect();
        parts.truncate(parts.iter().rposition(|part| *part > 0).map_or(0, |last| last + 1));
        Chances { first, parts }
    }

    /// The sum of the amounts of these slots times their chances.
    fn likely(&self, nanos: &Amounts, slots: Range<usize>) -> u64 {
        let known = slots.start.max(self.first)..slots.end.min(self.first + self.parts.len());
        let part = |slot: usize| self.parts.get(slot - self.first).copied().unwrap_or_default();
        let parts = nanos.within(known).map(|(slot, nanos)| u128::from(nanos) * u128::from(part(slot)));
        let sum = parts.fold(0_u128, u128::saturating_add);
        u64::try_from(sum >> 32).unwrap_or(u64::MAX)
    }
}

/// The bids and bills of one campaign at one SSP.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Row {
    /// Nanos bid, by slot.
    pub(crate) nanos: Amounts,
    /// Nanos billed while the bids were open, by slot, as long as they are open. Some bills are missing: those of a
    /// shard that was booked as a whole, without the times of its bids.
    pub(crate) paid: Amounts,
    /// Nanos of the bids that the news have passed; `billed`: the part of them that was billed while they were open.
    pub(crate) passed: u64,
    pub(crate) billed: u64,
    /// Nothing is learned from bids before this time, in ms.
    pub(crate) since_ms: i64,
}

impl Row {
    /// Learns at the end of a tick from the bids that the news passed. `weight` is the weight that old observations
    /// keep.
    pub(crate) fn close(&mut self, ssp: &Ssp, slots: &[Slot], weight: f64) {
        let first = slots.partition_point(|slot| slot.bid_ms < self.since_ms);
        let passed = ssp.closed.likely(&self.nanos, first..usize::MAX);
        // Knowledge loses weight with new bids, not while the campaign rests.
        if passed > 0 {
            let billed = ssp.billed_of.likely(&self.paid, first..usize::MAX);
            self.passed = times(self.passed, weight).saturating_add(passed);
            self.billed = times(self.billed, weight).saturating_add(billed);
        }
        self.paid.cut(ssp.paid_from);
    }

    /// Learns from a new bill of a bid of the slot at position `at`. Only the SSP learns from late ones.
    /// `is_timely`: see [`Ssp::bill`].
    pub(crate) fn bill(&mut self, ssp: &Ssp, at: usize, slot: Option<&Slot>, nanos: u64, is_timely: bool) {
        if !ssp.has_passed(slot) {
            self.paid.add(at, nanos);
        } else if is_timely && self.passed > 0 {
            self.billed = self.billed.saturating_add(nanos).min(self.passed);
        }
    }

    /// What bids may still cost, in nanos: those of the slots before `first`, and those from it on. `price` is the
    /// price of one bid.
    #[must_use]
    pub(crate) fn exposed(&self, ssp: &Ssp, first: usize, price: u64) -> (u64, u64) {
        let wins = self.wins(ssp, price);
        let whole = ssp.whole(wins);
        let exposed = |slots: Range<usize>| {
            let coming = times(ssp.open.likely(&self.nanos, slots.clone()), whole);
            let open = coming.saturating_sub(ssp.waiting.likely(&self.paid, slots.clone()));
            times(ssp.still.likely(&self.nanos, slots), wins).saturating_add(open)
        };
        (exposed(0..first), exposed(first..usize::MAX))
    }

    /// All that was bid, in nanos.
    pub(crate) fn bid(&self) -> u64 {
        self.nanos.sum(0..usize::MAX)
    }

    /// The chance that a new bid is billed, and the weight of this chance: the nanos of all bids.
    #[must_use]
    pub(crate) fn chance(&self, ssp: &Ssp, price: u64) -> (f64, f64) {
        (ssp.whole(self.wins(ssp, price)), number(self.bid()))
    }

    /// Forgets what was learned, because the campaign's bids have changed: the bills of the old bids mean nothing for
    /// the new ones.
    pub(crate) fn forget(&mut self, now_ms: i64) {
        (self.billed, self.passed, self.since_ms) = (0, 0, now_ms);
    }

    /// The part of the bids that is billed while they are open. At first, as if all of them were.
    fn wins(&self, ssp: &Ssp, price: u64) -> f64 {
        let first = times(price, FIRST_BIDS).max(1);
        let learned = ratio(self.billed.saturating_add(first), self.passed.saturating_add(first));
        // Open bids may already have more bills than this part predicts.
        let paid = ssp.waiting.likely(&self.paid, 0..ssp.ripe);
        let open = ssp.open.likely(&self.nanos, 0..ssp.ripe);
        let seen = ratio(paid.saturating_sub(times(spread(paid, price), DEVIATIONS)), open);
        learned.max(seen).min(1.0)
    }
}

/// The standard deviation of a sum of bills that are this large on average.
fn spread(nanos: u64, price: u64) -> u64 {
    u64::try_from((u128::from(nanos) * u128::from(price)).isqrt()).unwrap_or(u64::MAX)
}

/// What chance may add to an exposure, in nanos: the spread of the number of bills, and of the learned part. `billed`
/// are the nanos from which the part was learned; `price` is the price of one bid.
#[must_use]
pub(crate) fn margin(exposed: u64, billed: u64, price: u64) -> u64 {
    let error = 1.0 / (ratio(billed, price.max(1)) + FIRST_BIDS).sqrt();
    times(spread(exposed, price), DEVIATIONS).saturating_add(times(exposed, DEVIATIONS * error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slots(bid_ms: &[i64]) -> Vec<Slot> {
        bid_ms.iter().map(|ms| Slot { from_ms: *ms, to_ms: *ms, bid_ms: *ms, is_assumed: false }).collect()
    }

    /// An SSP of which all bills of bids before `until_ms` are known.
    fn aged(bid_ms: &[i64], until_ms: i64) -> Ssp {
        let slots = slots(bid_ms);
        let mut ssp = Ssp { bids: vec![0.0; slots.len()], ..Ssp::default() };
        (ssp.news.until_ms, ssp.news.newest_ms) = (until_ms, until_ms);
        let asked = [Asked { before_ms: until_ms, until_ms: until_ms.max(99_000), part: 1.0 }];
        let asked = vec![&asked[..]; slots.len()];
        ssp.age(&slots, &asked, until_ms, 1.0);
        ssp
    }

    proptest! {
        #[test]
        fn exposure_falls_with_age_and_is_never_more_than_was_bid(
            nanos in proptest::collection::vec(0..1_u64 << 40, 1..20), times in (0..90_000_000_i64, 0..90_000_000_i64),
        ) {
            let bid_ms: Vec<i64> = (0..nanos.len()).map(|at| i64::try_from(at).unwrap() * 5_000).collect();
            let row = Row { nanos: nanos.clone().into(), ..Row::default() };
            let exposed = |until_ms| row.exposed(&aged(&bid_ms, until_ms), 0, 1000).1;
            let (early, late) = (times.0.min(times.1), times.0.max(times.1));
            prop_assert!(exposed(late) <= exposed(early));
            prop_assert!(exposed(0) <= nanos.iter().sum());
        }
    }

    #[test]
    fn unknown_shards_hide_all_bills() {
        let mut ssp = Ssp { bids: vec![1.0], ..Ssp::default() };
        (ssp.news.until_ms, ssp.news.newest_ms) = (9_000_000, 9_000_000);
        ssp.age(&slots(&[0]), &[&[Asked::NEVER]], 9_000_000, 1.0);
        let row = Row { nanos: vec![1_000_000].into(), ..Row::default() };
        assert!(row.exposed(&ssp, 0, 1000).1 > 990_000);
        assert_eq!(row.exposed(&ssp, 1, 1000).1, 0);
    }

    #[test]
    fn billed_bids_are_not_exposed() {
        let ssp = aged(&[0, 5_000, 10_000], 0);
        let mut row = Row { nanos: vec![3_000, 3_000, 3_000].into(), ..Row::default() };
        assert_eq!((row.exposed(&ssp, 0, 1000).1, row.exposed(&ssp, 2, 1000)), (9_000, (6_000, 3_000)));
        row.paid = vec![3_000, 0, 2_000].into();
        assert_eq!((row.exposed(&ssp, 0, 1000).1, row.exposed(&ssp, 2, 1000)), (4_000, (3_000, 1_000)));
        row.paid = vec![3_000, 0, 9_000].into();
        assert_eq!(row.exposed(&ssp, 2, 1000).1, 0);
    }

    #[test]
    fn more_bills_than_usual_are_believed_at_once() {
        let mut ssp = aged(&[0, 5_000], 0);
        ssp.delays.close(1e6, 1e4);
        ssp.age(&slots(&[0, 5_000]), &[&[Asked { before_ms: 0, until_ms: 99_000, part: 1.0 }][..]; 2], 100_000, 1.0);
        let price = 1_000;
        let mut row =
            Row { nanos: vec![1_000_000; 2].into(), billed: 1_000_000, passed: 100_000_000, ..Row::default() };
        assert!(row.chance(&ssp, price).0 < 0.02);
        row.paid = vec![300_000; 2].into();
        assert!(row.chance(&ssp, price).0 > 0.25, "{}", row.chance(&ssp, price).0);
    }

    #[test]
    fn the_margin_is_small_for_many_bills() {
        let price = 1_000_000;
        assert!(margin(100 * price, 100 * price, price) > 20 * price);
        assert!(margin(10_000 * price, 1_000_000 * price, price) < 230 * price);
        assert_eq!(margin(0, 0, price), 0);
    }
}
