//! What the pacer holds of one campaign, also while it has no budget.

use std::collections::BTreeMap;

use crate::curve::{Ahead, Curve};
use crate::day::Zone;
use crate::exposure::Row;
use crate::rates::Rates;

/// One campaign.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// A short name of the campaign.
    pub(crate) number: u32,
    /// Where its days begin.
    pub(crate) zone: Zone,
    pub(crate) spent: Spent,
    pub(crate) rates: Rates,
    pub(crate) curve: Curve,
    /// The plan of this quarter of an hour.
    pub(crate) ahead: Ahead,
    /// By SSP.
    pub(crate) rows: BTreeMap<u64, Row>,
}

impl Held {
    /// Sets the zone. Returns whether bills were counted to other days than this zone has.
    pub(crate) fn set_zone(&mut self, zone: &Zone) -> bool {
        let differs = |day: &i32| {
            (0..2).any(|next| zone.start(i64::from(*day) + next) != self.zone.start(i64::from(*day) + next))
        };
        let is_moved = self.spent.days.keys().any(differs);
        self.zone = zone.clone();
        is_moved
    }

    /// The local day of a time in ms.
    pub(crate) fn day(&self, ms: i64) -> i32 {
        i32::try_from(self.zone.day(ms)).unwrap_or_default()
    }
}

/// What was billed, in nanos.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spent {
    /// Before the days of all places.
    pub(crate) past: u64,
    /// By local day of issue.
    pub(crate) days: BTreeMap<i32, u64>,
}

impl Spent {
    pub(crate) fn add(&mut self, day: i32, nanos: u64) {
        let sum = self.days.entry(day).or_default();
        *sum = sum.saturating_add(nanos);
    }

    pub(crate) fn take(&mut self, day: i32, nanos: u64) {
        if let Some(sum) = self.days.get_mut(&day) {
            *sum = sum.saturating_sub(nanos);
            if *sum == 0 {
                self.days.remove(&day);
            }
        }
    }

    /// For bids of one local day.
    #[must_use]
    pub(crate) fn on(&self, day: i64) -> u64 {
        i32::try_from(day).ok().and_then(|day| self.days.get(&day)).copied().unwrap_or_default()
    }

    /// In all.
    #[must_use]
    pub(crate) fn all(&self) -> u64 {
        self.days.values().fold(self.past, |sum, nanos| sum.saturating_add(*nanos))
    }
}
