//! Days in a time zone, with the 23 and 25 hours of daylight saving.

use crate::limits::{DAY_MS, QUARTER_MS};

/// A time zone: the times of its changes, each with the minutes ahead of UTC from then on. Empty: UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Zone(pub Vec<(i64, i64)>);

impl Zone {
    /// The number of the local day that contains a time in ms. Day 0 is the first of January 1970.
    #[must_use]
    pub fn day(&self, ms: i64) -> i64 {
        self.local(ms).div_euclid(DAY_MS)
    }

    /// The first millisecond of a local day.
    #[must_use]
    pub fn start(&self, day: i64) -> i64 {
        let midnight = day.saturating_mul(DAY_MS);
        // No zone is more than a day from UTC. If clocks skip midnight, the day starts with the change.
        let around = [midnight.saturating_sub(DAY_MS), midnight.saturating_add(DAY_MS)];
        let starts = around.map(|near| midnight.saturating_sub(self.ahead(near)));
        let earliest = starts.into_iter().filter(|start| self.day(*start) >= day).min();
        earliest.unwrap_or(midnight)
    }

    /// The quarter of an hour on the local clock, 0 to 95.
    #[must_use]
    pub fn quarter(&self, ms: i64) -> usize {
        usize::try_from(self.local(ms).rem_euclid(DAY_MS) / QUARTER_MS).unwrap_or_default()
    }

    /// How many minutes the clocks are ahead of UTC. The first offset also holds before its change.
    #[must_use]
    pub fn minutes(&self, ms: i64) -> i64 {
        let after = self.0.partition_point(|(from, _)| *from <= ms);
        self.0.get(after.saturating_sub(1)).map_or(0, |(_, minutes)| *minutes)
    }

    fn local(&self, ms: i64) -> i64 {
        ms.saturating_add(self.ahead(ms))
    }

    /// How far the clocks are ahead of UTC, in ms.
    fn ahead(&self, ms: i64) -> i64 {
        self.minutes(ms).saturating_mul(60_000)
    }
}

/// The UTC day of a shard of the ledger, such as `2026-11-22/07`.
#[must_use]
pub fn utc_day(shard: &str) -> Option<i64> {
    let mut parts = shard.split('/').next()?.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(0..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // The year starts in March here, so that a leap day is its last day.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(days + (153 * month + 2) / 5 + day - 1 - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HOUR: i64 = 3_600_000;

    /// Berlin in 2026: summer time from 29 March 01:00 UTC to 25 October 01:00 UTC.
    fn berlin() -> Zone {
        Zone(vec![(0, 60), (1_774_746_000_000, 120), (1_792_890_000_000, 60)])
    }

    #[test]
    fn days_have_23_24_and_25_hours() {
        let zone = berlin();
        for (date, hours) in [("2026-03-28", 24), ("2026-03-29", 23), ("2026-03-30", 24), ("2026-10-25", 25)] {
            let day = utc_day(date).unwrap();
            assert_eq!(zone.start(day + 1) - zone.start(day), hours * HOUR, "{date}");
        }
        assert_eq!(zone.quarter(1_774_746_000_000 - 1), 7);
        assert_eq!(zone.quarter(1_774_746_000_000), 12);
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_starts_with_the_change() {
        let midnight = 20_000 * DAY_MS + 3 * HOUR;
        let zone = Zone(vec![(0, -180), (midnight, -120)]);
        assert_eq!(zone.start(20_000), midnight);
        let back = Zone(vec![(0, -120), (midnight - HOUR, -180)]);
        assert_eq!(back.start(20_000), midnight);
    }

    #[test]
    fn shards_name_their_day() {
        assert_eq!(utc_day("1970-01-01/00"), Some(0));
        assert_eq!(utc_day("2000-02-29/31"), Some(11_016));
        assert_eq!(utc_day("2026-11-22/07"), Some(20_779));
        for bad in ["", "summary", "2026-13-01/1", "2026-1"] {
            assert_eq!(utc_day(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_time_is_within_its_day(ms in 1_767_000_000_000..1_798_000_000_000_i64, minutes in -720..840_i64) {
            for zone in [Zone::default(), berlin(), Zone(vec![(0, minutes)])] {
                let day = zone.day(ms);
                prop_assert!(zone.start(day) <= ms && ms < zone.start(day + 1));
                prop_assert_eq!(zone.day(zone.start(day)), day);
                prop_assert_eq!(zone.day(zone.start(day) - 1), day - 1);
            }
        }
    }
}
