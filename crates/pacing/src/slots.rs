//! Time in slots, the same for all campaigns: fine for the last minutes, coarse for the last hours.

use crate::limits::{HORIZON_MS, MOST_SLOTS, MOST_SLOTS_IN_ALL, OLD_MS, QUARTER_MS, YOUNG_MS};

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_field_names, reason = "the unit is a part of a name")]
pub(crate) struct Slot {
    /// When its first counts came, in ms.
    pub from_ms: i64,
    /// When its last counts came, in ms.
    pub to_ms: i64,
    /// When its bids were made, on average, in ms.
    pub bid_ms: i64,
    /// Whether some of its bids are assumed: nothing is learned from them.
    pub is_assumed: bool,
}

/// The slots, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Slots(pub Vec<Slot>);

impl Slots {
    /// The position of the slot whose counts came at this time in ms; the last one if none did yet.
    pub(crate) fn at(&self, counted_ms: i64) -> usize {
        self.0.partition_point(|slot| slot.to_ms < counted_ms).min(self.0.len().saturating_sub(1))
    }

    /// Joins slots if too many are young, or there are too many in all, and drops those beyond the horizon. Returns the new position of each old
    /// slot, `None` for a dropped one; or `None` if nothing changed.
    ///
    /// The length of a joined slot is at most a quarter of its age. It stays within one quarter of an hour as long as
    /// the days of all zones must be distinguished. Bids that the news of an SSP have passed stay apart from open ones, or
    /// they would pass again: `news` are the times until which bids are passed, in ms.
    pub(crate) fn join(&mut self, now_ms: i64, news: &[i64]) -> Option<Vec<Option<usize>>> {
        let old = self.0.partition_point(|slot| now_ms.saturating_sub(slot.to_ms) > YOUNG_MS);
        if self.0.len() - old <= MOST_SLOTS && self.0.len() <= MOST_SLOTS_IN_ALL {
            return None;
        }
        let mut joined: Vec<Slot> = Vec::with_capacity(self.0.len());
        let mut positions = Vec::with_capacity(self.0.len());
        for slot in &self.0 {
            if now_ms.saturating_sub(slot.to_ms) > HORIZON_MS {
                positions.push(None);
                continue;
            }
            match joined.last_mut() {
                Some(last) if fit(last, slot, now_ms, news) => {
                    let [old, new] =
                        [slot.from_ms - last.from_ms, slot.to_ms - slot.from_ms].map(|length| length.max(1));
                    last.bid_ms += (slot.bid_ms - last.bid_ms) * new / (old + new);
                    last.to_ms = slot.to_ms;
                    last.is_assumed |= slot.is_assumed;
                }
                _ => joined.push(*slot),
            }
            positions.push(Some(joined.len() - 1));
        }
        self.0 = joined;
        Some(positions)
    }
}

fn fit(older: &Slot, newer: &Slot, now_ms: i64, news: &[i64]) -> bool {
    let whole_ms = if now_ms - newer.to_ms > OLD_MS.0 { OLD_MS.1 } else { QUARTER_MS };
    let is_same = older.bid_ms.div_euclid(whole_ms) == newer.bid_ms.div_euclid(whole_ms);
    let is_apart = news.iter().any(|until_ms| older.to_ms < *until_ms && *until_ms <= newer.to_ms);
    is_same && !is_apart && newer.to_ms - older.from_ms <= (now_ms - newer.to_ms) / 4
}

impl Slots {
    /// Moves all times, because the clock was wrong.
    pub(crate) fn shift(&mut self, by_ms: i64) {
        for Slot { from_ms, to_ms, bid_ms, .. } in &mut self.0 {
            (*from_ms, *to_ms, *bid_ms) = (*from_ms + by_ms, *to_ms + by_ms, *bid_ms + by_ms);
        }
    }
}

/// Moves the amounts of old slots to their new positions.
pub(crate) fn moved<T: Copy + Default>(amounts: &mut Vec<T>, positions: &[Option<usize>], add: impl Fn(T, T) -> T) {
    let len = positions.iter().flatten().max().map_or(0, |last| last + 1);
    let mut joined = vec![T::default(); len];
    for (amount, position) in amounts.iter().zip(positions) {
        if let Some(held) = position.and_then(|position| joined.get_mut(position)) {
            *held = add(*held, *amount);
        }
    }
    *amounts = joined;
}

/// Adds to an item of a list, which becomes longer if it ends before.
pub(crate) fn add_at<T: Copy + Default>(list: &mut Vec<T>, at: usize, more: T, add: impl Fn(T, T) -> T) {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    if let Some(held) = list.get_mut(at) {
        *held = add(*held, more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_fit_and_nothing_is_lost_before_the_horizon() {
        let mut slots = Slots::default();
        let mut amounts: Vec<u64> = Vec::new();
        for tick in 1..=8 * 17_280_i64 {
            let now = tick * 5_000;
            slots.0.push(Slot { from_ms: now - 5_000, to_ms: now, bid_ms: now - 8_000, is_assumed: false });
            amounts.push(1);
            if let Some(positions) = slots.join(now, &[]) {
                moved(&mut amounts, &positions, |a, b| a + b);
            }
            assert!(slots.0.len() < 220 && slots.0.len() == amounts.len(), "{}", slots.0.len());
        }
        let held: u64 = amounts.iter().sum();
        assert!((7 * 17_280..7 * 17_280 + 4_400).contains(&held), "{held}");
        assert!(slots.0.is_sorted_by(|a, b| a.to_ms <= b.from_ms && a.bid_ms < b.bid_ms));
        for (slot, amount) in slots.0.iter().zip(amounts) {
            assert_eq!(slot.to_ms - slot.from_ms, 5_000 * i64::try_from(amount).unwrap());
        }
    }

    #[test]
    fn late_ticks_do_not_keep_all_slots() {
        let mut slots = Slots::default();
        for tick in 1..=8 * 7_854_i64 {
            let now = tick * 11_000;
            slots.0.push(Slot { from_ms: now - 11_000, to_ms: now, bid_ms: now - 8_000, is_assumed: false });
            slots.join(now, &[]);
            assert!(slots.0.len() <= MOST_SLOTS_IN_ALL, "{}", slots.0.len());
        }
    }
}
