//! What one campaign has spent, also while no budget pays it. Money in nanos.

use std::collections::BTreeMap;

use crate::day::Zone;

/// One campaign.
#[derive(Debug, Clone, Default)]
pub(crate) struct Account {
    /// A short name of the campaign.
    pub(crate) number: u32,
    /// Where its days begin.
    zone: Zone,
    /// Billed before the days of all places, by the first local day that was asked for and by currency.
    past: BTreeMap<(i64, [u8; 3]), u64>,
    /// Billed in the places, by local day of issue.
    days: BTreeMap<i64, u64>,
}

impl Account {
    pub(crate) fn new(number: u32) -> Account {
        Account { number, ..Account::default() }
    }

    /// Sets the zone. Returns whether bills were counted to other days than this zone has.
    pub(crate) fn set_zone(&mut self, zone: &Zone) -> bool {
        let differs = |day: &i64| (0..2).any(|next| zone.start(*day + next) != self.zone.start(*day + next));
        let is_moved = self.days.keys().any(differs);
        self.zone = zone.clone();
        is_moved
    }

    /// The local day of a time in ms.
    pub(crate) fn day(&self, ms: i64) -> i64 {
        self.zone.day(ms)
    }

    pub(crate) fn add(&mut self, day: i64, nanos: u64) {
        let sum = self.days.entry(day).or_default();
        *sum = sum.saturating_add(nanos);
    }

    pub(crate) fn take(&mut self, day: i64, nanos: u64) {
        if let Some(sum) = self.days.get_mut(&day) {
            *sum = sum.saturating_sub(nanos);
            if *sum == 0 {
                self.days.remove(&day);
            }
        }
    }

    /// Sets what was billed from a local day on, before the days of all places.
    pub(crate) fn set_past(&mut self, since: i64, nanos: u64, cur: [u8; 3]) {
        self.past.insert((since, cur), nanos);
    }

    /// Billed for bids of one local day.
    #[must_use]
    pub(crate) fn on(&self, day: i64) -> u64 {
        self.days.get(&day).copied().unwrap_or_default()
    }

    /// Billed for bids from a local day on. What places have handed over counts only if it was told for this day.
    #[must_use]
    pub(crate) fn since(&self, day: i64) -> u64 {
        let past = self.past.range((day, [0; 3])..=(day, [u8::MAX; 3])).map(|(_, nanos)| nanos);
        self.days.range(day..).map(|(_, nanos)| nanos).chain(past).fold(0, |sum, nanos| sum.saturating_add(*nanos))
    }
}
