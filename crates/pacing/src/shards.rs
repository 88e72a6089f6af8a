//! The bookings of the ledger's objects (*shards*), and when each of them last answered.
//!
//! A shard that does not answer hides bills, so its part of the bids does not become older for the exposure.

use std::collections::BTreeMap;

use crate::day::utc_day;
use crate::packed::Packed;
use crate::slots::Slot;
use crate::terms::Sum;

/// Days for which a shard takes bills.
const HELD_DAYS: i64 = 8;

/// One object of the ledger.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shard {
    /// By number of the cell: see [`Numbers`](crate::account::Numbers).
    pub sums: Packed,
    utc_day: Option<i64>,
    /// The times until which its bills were known before the last tick, and are known now, in ms.
    asked: Option<(i64, i64)>,
    /// Its answer since the last tick, if any; true: it had only new bills.
    answer: Option<bool>,
}

/// The shards of one day that answered at the same times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Asked {
    /// Bills until this time were known before the tick, in ms.
    pub before_ms: i64,
    /// Bills until this time are known now, in ms.
    pub until_ms: i64,
    /// These shards as a part of all shards of the day.
    pub part: f64,
}

impl Asked {
    /// A shard that never answered.
    pub(crate) const NEVER: Asked = Asked { before_ms: 0, until_ms: 0, part: 1.0 };

    /// Whether the shard answered after the bids of a slot.
    pub(crate) fn hears(&self, slot: &Slot) -> bool {
        self.until_ms >= slot.to_ms
    }
}

/// All objects of the ledger that answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shards {
    all: BTreeMap<String, Shard>,
    /// The highest number of shards that a day had, and this UTC day, from the last instance.
    pub(crate) most: (u32, i64),
}

impl Shards {
    /// The shard that answers now. `is_new`: with only new bills.
    pub(crate) fn answered(&mut self, name: &str, is_new: bool) -> &mut Shard {
        let shard = self.all.entry(name.to_owned()).or_default();
        shard.utc_day = utc_day(name);
        shard.answer = Some(is_new && shard.answer != Some(false));
        shard
    }

    /// Forgets a shard, and returns its sums.
    pub(crate) fn close(&mut self, name: &str) -> Packed {
        self.all.remove(name).unwrap_or_default().sums
    }

    /// The assumed bookings of a shard that does not answer: the mean of the other known shards of its day. All shards
    /// of a day get equally many bids.
    #[must_use]
    pub(crate) fn mean(&self, name: &str) -> BTreeMap<u32, Sum> {
        let day = utc_day(name);
        let others = self.all.iter().filter(|(other, shard)| shard.utc_day == day && *other != name);
        let (mut sums, mut shards) = (BTreeMap::<u32, Sum>::new(), 0);
        for (_, shard) in others {
            shards += 1;
            for (key, sum) in shard.sums.iter() {
                sums.entry(key).or_default().add(&sum);
            }
        }
        for sum in sums.values_mut() {
            *sum = sum.part(shards);
        }
        sums
    }

    /// Whether delays can be learned from the answer of this shard: it must also have answered before.
    #[must_use]
    pub(crate) fn is_teaching(&self, name: &str) -> bool {
        self.all.get(name).is_some_and(|shard| shard.asked.is_some() && shard.answer == Some(true))
    }

    /// Ends a tick: the shards that answered are now known until `now_ms`.
    pub(crate) fn ask(&mut self, now_ms: i64) {
        for shard in self.all.values_mut() {
            match (shard.answer.take(), shard.asked) {
                (Some(true), Some((_, until_ms))) => shard.asked = Some((until_ms, now_ms)),
                (Some(_), _) => shard.asked = Some((now_ms, now_ms)),
                (None, Some((_, until_ms))) => shard.asked = Some((until_ms, until_ms)),
                (None, None) => {}
            }
        }
    }

    /// The times until which the shards of a UTC day are known. All days have the same number of shards: those that
    /// never answered hide their bills. If none of a day before yesterday is known, no budget asks for it, and no
    /// budget counts its bids and bills.
    #[must_use]
    pub(crate) fn asked(&self, day: i64) -> Vec<Asked> {
        let counts = self.counts();
        let (before, last) = self.most;
        let before = if day.saturating_sub(last) <= HELD_DAYS { before } else { 0 };
        let most = counts.values().copied().max().unwrap_or_default().max(before);
        let known = counts.get(&day).copied().unwrap_or_default();
        if known == 0 && counts.keys().any(|newer| *newer > day + 1) {
            return Vec::new();
        }
        let one = 1.0 / f64::from(most.max(1));
        let mut groups: Vec<Asked> = Vec::new();
        if known < most.max(1) {
            groups.push(Asked { part: 1.0 - f64::from(known) * one, ..Asked::NEVER });
        }
        for Shard { asked, .. } in self.all.values().filter(|shard| shard.utc_day == Some(day)) {
            let Some((before_ms, until_ms)) = *asked else { continue };
            let is_same = |group: &&mut Asked| (group.before_ms, group.until_ms) == (before_ms, until_ms);
            match groups.iter_mut().find(is_same) {
                Some(group) => group.part += one,
                None => groups.push(Asked { before_ms, until_ms, part: one }),
            }
        }
        groups
    }

    /// The highest number of shards that a day has, and this UTC day.
    #[must_use]
    pub(crate) fn most(&self) -> (u32, i64) {
        let now = self.counts().into_iter().map(|(day, count)| (count, day)).max().unwrap_or_default();
        if now.1.saturating_sub(self.most.1) <= HELD_DAYS { now.max(self.most) } else { now }
    }

    /// How many shards of each UTC day ever answered.
    fn counts(&self) -> BTreeMap<i64, u32> {
        let mut counts = BTreeMap::new();
        for day in self.all.values().filter(|shard| shard.asked.is_some()).filter_map(|shard| shard.utc_day) {
            *counts.entry(day).or_default() += 1;
        }
        counts
    }

    /// What each shard has booked.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (&str, &Packed)> {
        self.all.iter().map(|(name, shard)| (name.as_str(), &shard.sums))
    }

    /// Moves all times, because the clock was wrong.
    pub(crate) fn shift(&mut self, by_ms: i64) {
        for shard in self.all.values_mut() {
            shard.asked =
                shard.asked.map(|(before, until)| (before.saturating_add(by_ms), until.saturating_add(by_ms)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_shard_stays_at_its_last_answer() {
        let mut shards = Shards::default();
        for (now_ms, names) in [(5_000, &["2026-11-22/0", "2026-11-22/1"][..]), (10_000, &["2026-11-22/0"])] {
            for name in names {
                shards.answered(name, true);
            }
            shards.ask(now_ms);
        }
        let expected = [
            Asked { before_ms: 5_000, until_ms: 10_000, part: 0.5 },
            Asked { before_ms: 5_000, until_ms: 5_000, part: 0.5 },
        ];
        assert_eq!(shards.asked(20_779), expected);
        assert_eq!(shards.asked(20_780), [Asked::NEVER]);
        shards.answered("2026-11-23/1", true);
        shards.ask(15_000);
        assert_eq!(shards.asked(20_777), [], "nobody asks for a day before yesterday");
        let half = Asked { part: 0.5, ..Asked::NEVER };
        let expected = [half, Asked { before_ms: 15_000, until_ms: 15_000, part: 0.5 }];
        assert_eq!(shards.asked(20_780), expected);
        assert!(!shards.is_teaching("2026-11-22/0"));
        shards.answered("2026-11-22/0", true);
        assert!(shards.is_teaching("2026-11-22/0"));
        shards.answered("2026-11-22/0", false);
        assert!(!shards.is_teaching("2026-11-22/0"));
    }

    #[test]
    fn a_missing_shard_has_the_mean_of_the_others_of_its_day() {
        let (mut shards, key) = (Shards::default(), 7);
        assert_eq!(shards.mean("2026-11-22/2"), BTreeMap::new());
        for (name, nanos) in [("2026-11-22/0", 10), ("2026-11-22/1", 15), ("2026-11-23/0", 1_000)] {
            shards.answered(name, true).sums.put(BTreeMap::from([(key, Sum { count: 1, nanos, bid: 20, held: 0 })]));
        }
        let mean = Sum { count: 1, nanos: 13, bid: 20, held: 0 };
        assert_eq!(shards.mean("2026-11-22/2"), BTreeMap::from([(key, mean)]));
        shards.ask(5_000);
        shards.answered("2026-11-22/2", false).sums = shards.mean("2026-11-22/2").into_iter().collect();
        assert_eq!(shards.mean("2026-11-22/2"), BTreeMap::from([(key, mean)]), "its own mean does not count");
    }
}
