//! The hours of the week in which a campaign bids.

use crate::flat::flat;

flat! {
    /// When a campaign bids.
    #[derive(Default)]
    pub struct Hours from HoursDraft {
        /// The hours of the week, counted from Monday 0:00, ascending. Empty: always.
        pub week: Vec<u8>,
        /// The time zone of the hours. Empty: the person's local time.
        pub zone: String,
        /// The zone's offsets: instants (milliseconds since the epoch, ascending), each with the minutes ahead of UTC
        /// from then on. The first offset also holds before its instant. Empty without a zone.
        pub changes: Vec<(i64, i64)>,
    }
}

const MS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: i64 = 24 * 60;

impl Hours<'_> {
    /// Whether `at_ms` (milliseconds since the epoch) is in one of the hours. `utcoffset` is the person's, in minutes;
    /// if it is unknown, hours in local time include no instant.
    pub fn include(self, at_ms: i64, utcoffset: Option<i64>) -> bool {
        if self.week().is_empty() {
            return true;
        }
        let Some(offset) = self.offset(at_ms, utcoffset) else { return false };
        let minutes = at_ms.div_euclid(MS_PER_MINUTE) + offset;
        // The epoch was a Thursday, which is day 3 of a week that begins with Monday as day 0.
        let day = (minutes.div_euclid(MINUTES_PER_DAY) + 3).rem_euclid(7);
        let hour = day * 24 + minutes.rem_euclid(MINUTES_PER_DAY) / 60;
        self.week().iter().any(|own| i64::from(own) == hour)
    }

    /// How many minutes the time zone of the hours is ahead of UTC; `None` if unknown.
    pub fn offset(self, at_ms: i64, utcoffset: Option<i64>) -> Option<i64> {
        let changes = self.changes();
        let current = changes.iter().take_while(|(from, _)| *from <= at_ms).last().or(changes.get(0));
        let offset = current.map(|(_, offset)| offset).or(utcoffset);
        offset.filter(|offset| offset.abs() <= MINUTES_PER_DAY)
    }
}
