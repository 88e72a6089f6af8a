//! Counts: on how many impressions campaigns with a budget could have bid, their bids, and what notices told about
//! prices.
//!
//! As text: a line with the two times of [`Counts`], a line `calls=CALLS` if a relay has added them up, then a line
//! `CAMPAIGN SSP MATCHED BIDS GUARANTEED NANOS` for each campaign and SSP, and a line `SSP SPOT TOLD COUNT` for each
//! [`Told`]. Campaign and SSP are hashes of 16 hex digits, SPOT has 8 and TOLD 5; the other numbers are decimal. Each line ends with a line break. Counts are statistics: a lost
//! message makes the pacer less exact, but books nothing wrong.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::part::Part;

/// The counts of one campaign at one SSP.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Impressions on which the campaign passed all checks before pacing.
    pub matched: u64,
    /// Bids that were sent.
    pub bids: u64,
    /// The part of `bids` under deals that both sides call guaranteed, which pacing does not hold back.
    pub guaranteed: u64,
    /// The sum of the prices of `bids`, in nanos of the campaign's currency.
    pub nanos: u64,
}

/// The hash of an SSP, a spot there, and what a bid or a notice told about it. `crates/shading` reads the last two.
pub type Told = (u64, u32, u32);

/// The most [`Told`] that are kept; more are counted in [`Counts::dropped`].
const MAX_TOLD: usize = 65_536;

/// The counts of one isolate or of many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The earliest time that is counted, in milliseconds since the epoch. 0 if nothing is counted.
    pub since_ms: i64,
    /// [`Shares::made_ms`](crate::shares::Shares::made_ms) of the oldest shares that these bids were made with; 0 without
    /// bids.
    pub made_ms: i64,
    /// How many times isolates called a relay, each to get the newest shares. 0 in the counts of an isolate.
    pub calls: u64,
    /// By the hashes of campaign and SSP.
    pub rows: BTreeMap<(u64, u64), Count>,
    /// How many notices told each.
    pub told: BTreeMap<Told, u64>,
    /// How many notices are not in `told`, because there were too many different ones. It is not in the text.
    pub dropped: u64,
}

impl Counts {
    /// Reads a text, or several joined texts. Ignores lines that are not counts.
    #[must_use]
    pub fn read(text: &str) -> Counts {
        let mut counts = Counts::default();
        for line in text.lines() {
            if let Some((key, count)) = row(line) {
                counts.add(key, count);
            } else if let Some((told, count)) = told(line) {
                counts.tell(told, count);
            } else if let Some(calls) = line.strip_prefix(CALLS) {
                // Former readers skip a line without a space.
                counts.calls = counts.calls.saturating_add(calls.parse().unwrap_or_default());
            } else if let Some((since, made)) = line.split_once(' ') {
                counts.date(since.parse().unwrap_or_default(), made.parse().unwrap_or_default());
            }
        }
        counts
    }

    /// Appends the text.
    pub fn write(&self, out: &mut String) {
        write_times(out, self.since_ms, self.made_ms);
        if self.calls > 0 {
            let _ = writeln!(out, "{CALLS}{}", self.calls);
        }
        for (key, count) in &self.rows {
            write_row(out, *key, count);
        }
        for (told, count) in &self.told {
            write_told(out, *told, *count);
        }
    }

    /// Adds the counts of another isolate, without those of other pacers' budgets. What notices told is for the first pacer.
    pub fn merge(&mut self, other: &Counts, part: Part) {
        self.date(other.since_ms, other.made_ms);
        self.calls = self.calls.saturating_add(other.calls);
        for (key, count) in other.rows.iter().filter(|((budget, _), _)| part.has(*budget)) {
            self.add(*key, *count);
        }
        if part.number > 0 {
            return;
        }
        for (told, count) in &other.told {
            self.tell(*told, *count);
        }
        self.dropped = self.dropped.saturating_add(other.dropped);
    }

    /// Keeps the earlier times.
    fn date(&mut self, since_ms: i64, made_ms: i64) {
        let earliest = |a: i64, b: i64| if a == 0 || b == 0 { a.max(b) } else { a.min(b) };
        self.since_ms = earliest(self.since_ms, since_ms);
        self.made_ms = earliest(self.made_ms, made_ms);
    }

    fn tell(&mut self, told: Told, more: u64) {
        if self.told.len() < MAX_TOLD || self.told.contains_key(&told) {
            let count = self.told.entry(told).or_default();
            *count = count.saturating_add(more);
        } else {
            self.dropped = self.dropped.saturating_add(more);
        }
    }

    /// Adds to one row. Sums stop at the largest number.
    pub fn add(&mut self, key: (u64, u64), more: Count) {
        let held = self.rows.entry(key).or_default();
        held.matched = held.matched.saturating_add(more.matched);
        held.bids = held.bids.saturating_add(more.bids);
        held.guaranteed = held.guaranteed.saturating_add(more.guaranteed);
        held.nanos = held.nanos.saturating_add(more.nanos);
    }
}

const CALLS: &str = "calls=";

/// Appends the first line of a text.
pub fn write_times(out: &mut String, since_ms: i64, made_ms: i64) {
    let _ = writeln!(out, "{since_ms} {made_ms}");
}

/// Appends the line of a campaign and an SSP. Lines may come in any order, and those of one key are added up.
pub fn write_row(out: &mut String, (campaign, ssp): (u64, u64), count: &Count) {
    let Count { matched, bids, guaranteed, nanos } = count;
    let _ = writeln!(out, "{campaign:016x} {ssp:016x} {matched} {bids} {guaranteed} {nanos}");
}

/// Appends the line of a [`Told`]. Lines may come in any order, and those of one key are added up.
pub fn write_told(out: &mut String, (ssp, spot, told): Told, count: u64) {
    let _ = writeln!(out, "{ssp:016x} {spot:08x} {told:05x} {count}");
}

fn row(line: &str) -> Option<((u64, u64), Count)> {
    let mut words = line.split(' ');
    let mut hash = || u64::from_str_radix(words.next()?, 16).ok();
    let key = (hash()?, hash()?);
    let mut number = || words.next()?.parse().ok();
    let count = Count { matched: number()?, bids: number()?, guaranteed: number()?, nanos: number()? };
    Some((key, count))
}

fn told(line: &str) -> Option<(Told, u64)> {
    let mut words = line.split(' ');
    let mut word = || words.next();
    let ssp = u64::from_str_radix(word()?, 16).ok()?;
    let spot = u32::from_str_radix(word()?, 16).ok()?;
    let told = u32::from_str_radix(word()?, 16).ok()?;
    let count = word()?.parse().ok()?;
    word().is_none().then_some(((ssp, spot, told), count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_counts() -> impl Strategy<Value = Counts> {
        let count = any::<[u32; 4]>().prop_map(|[matched, bids, guaranteed, nanos]| Count {
            matched: matched.into(),
            bids: bids.into(),
            guaranteed: guaranteed.into(),
            nanos: nanos.into(),
        });
        let rows = proptest::collection::btree_map((any::<u64>(), 0..3_u64), count, 0..9);
        let told = proptest::collection::btree_map((any::<u64>(), any::<u32>(), any::<u32>()), 0..9_u64, 0..9);
        let all = ([0..9_i64, 0..9], 0..9_u64, rows, told);
        all.prop_map(|([since_ms, made_ms], calls, rows, told)| Counts {
            since_ms,
            made_ms,
            calls,
            rows,
            told,
            dropped: 0,
        })
    }

    proptest! {
        #[test]
        fn a_written_text_is_read_back(counts in any_counts()) {
            let mut text = String::new();
            counts.write(&mut text);
            prop_assert_eq!(Counts::read(&text), counts);
        }

        #[test]
        fn merging_is_the_sum_in_any_order(a in any_counts(), b in any_counts()) {
            let (mut ab, mut ba) = (a.clone(), b.clone());
            ab.merge(&b, Part::WHOLE);
            ba.merge(&a, Part::WHOLE);
            prop_assert_eq!(&ab, &ba);
            let bids = |counts: &Counts| counts.rows.values().map(|count| count.bids).sum::<u64>();
            prop_assert_eq!(bids(&ab), bids(&a) + bids(&b));
        }

        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let _ = Counts::read(&text);
        }
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let mut counts = Counts::default();
        (0..u32::try_from(MAX_TOLD).unwrap() + 3).for_each(|spot| counts.tell((7, spot, 0), 2));
        assert_eq!((counts.told.len(), counts.dropped), (MAX_TOLD, 6));
        let mut all = Counts::default();
        all.merge(&counts, Part::WHOLE);
        all.merge(&Counts { told: [((8, 1, 0), 5)].into(), ..Counts::default() }, Part::WHOLE);
        assert_eq!(all.dropped, 11);
    }

    #[test]
    fn the_oldest_times_are_kept() {
        let counts = |since_ms, made_ms| Counts { since_ms, made_ms, ..Counts::default() };
        for (a, b, both) in [((5, 3), (4, 7), (4, 3)), ((0, 0), (4, 7), (4, 7)), ((5, 0), (4, 2), (4, 2))] {
            let mut merged = counts(a.0, a.1);
            merged.merge(&counts(b.0, b.1), Part::WHOLE);
            assert_eq!(merged, counts(both.0, both.1));
            let mut joined = String::new();
            counts(a.0, a.1).write(&mut joined);
            counts(b.0, b.1).write(&mut joined);
            assert_eq!(Counts::read(&joined), merged);
        }
    }
}
