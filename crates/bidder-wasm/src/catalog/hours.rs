//! Hours of the week in which a campaign bids.

use crate::flat::flat;

flat! {
    /// When a campaign bids.
    #[derive(Default)]
    pub struct Hours from HoursDraft {
        /// The hours of the week, counted from Monday 0:00, ascending. Empty: always.
        pub week: Vec<u8>,
        /// The name of their zone. Empty: the person's own time.
        pub zone: String,
        /// Of the zone: from each instant (milliseconds since the epoch, ascending) on, the minutes that it is ahead of UTC. The
        /// first entry counts before it too. Empty without a zone.
        pub changes: Vec<(i64, i64)>,
    }
}

const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: i64 = 24 * 60;

impl Hours<'_> {
    /// Whether `at_ms` (milliseconds since the epoch) is one of the hours. `utcoffset` is the
    /// person's, in minutes; unknown, no hour of the person's own time is known to be right.
    #[must_use]
    pub fn include(self, at_ms: i64, utcoffset: Option<i64>) -> bool {
        if self.week().is_empty() {
            return true;
        }
        let Some(offset) = self.offset(at_ms, utcoffset) else { return false };
        let minutes = at_ms.div_euclid(MS_PER_MINUTE) + offset;
        // The epoch was a Thursday.
        let day = (minutes.div_euclid(MINUTES_PER_DAY) + 3).rem_euclid(7);
        let hour = day * 24 + minutes.rem_euclid(MINUTES_PER_DAY) / 60;
        self.week().iter().any(|own| i64::from(own) == hour)
    }

    /// The minutes that the time of the hours is ahead of UTC, where that is known.
    #[must_use]
    pub fn offset(self, at_ms: i64, utcoffset: Option<i64>) -> Option<i64> {
        let changes = self.changes();
        let current = changes.iter().take_while(|(from, _)| *from <= at_ms).last().or(changes.get(0));
        let offset = current.map(|(_, offset)| offset).or(utcoffset);
        offset.filter(|offset| offset.abs() <= MINUTES_PER_DAY)
    }
}
