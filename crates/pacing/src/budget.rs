//! The budget of a campaign or of an order, as in the catalog, and its terms at one time.

use std::collections::BTreeSet;

use crate::day::Zone;
use crate::why::Why;

/// The first day of the year 0. No flight starts before it.
pub const FIRST_DAY: i64 = -719_528;

/// What a campaign or all campaigns of an order may spend, and when. Money is in nanos of `cur`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Budget {
    /// The id of the campaign or the order in the catalog.
    pub id: String,
    /// The name of the budget in counts and shares: the hash of the campaign's id, or the order's key.
    pub key: u64,
    /// The campaigns of an order: their hashes and ids. Empty: `key` is the only campaign.
    pub members: Vec<(u64, String)>,
    /// The currency, such as `USD`.
    pub cur: String,
    /// For one local day; 0: no such limit.
    pub daily: u64,
    /// For all time; 0: no such limit.
    pub total: u64,
    /// Spends as fast as it can, instead of evenly.
    pub is_asap: bool,
    /// The weights of the 24 local hours; empty: the requests of yesterday.
    pub curve: Vec<u32>,
    /// When it is spent, in the order of time, without overlaps. Empty: always.
    pub flights: Vec<Flight>,
    /// The time zone of its days.
    pub zone: Zone,
    /// Whether it is paused: its campaigns do not bid.
    pub is_paused: bool,
}

/// A time in which a budget is spent. If it has limits of its own, which replace those of the budget, it starts and
/// ends at a midnight of the zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flight {
    /// Its first millisecond; `i64::MIN`: no start.
    pub start_ms: i64,
    /// The first millisecond after it; `i64::MAX`: no end.
    pub end_ms: i64,
    /// Its limit for one local day; 0: none.
    pub daily: u64,
    /// Its limit in all; 0: none.
    pub total: u64,
}

impl Flight {
    /// All time.
    pub const ALWAYS: Flight = Flight { start_ms: i64::MIN, end_ms: i64::MAX, daily: 0, total: 0 };
}

/// The terms of a budget at one time: those of the flight of this time, else of the next one, else of the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term<'a> {
    /// The limits; 0: none.
    pub daily: u64,
    pub total: u64,
    /// The first local day whose bills count for `total`.
    pub since: i64,
    /// The flight's end.
    pub end_ms: i64,
    /// The flights over which `total` is spread, from this one on.
    pub rest: &'a [Flight],
    /// Why the budget is not spent at this time.
    pub idle: Option<Why>,
}

impl Budget {
    /// The campaigns that spend it, by their hashes.
    pub(crate) fn campaigns(&self) -> impl Iterator<Item = u64> {
        let own = self.members.is_empty().then_some(self.key);
        own.into_iter().chain(self.members.iter().map(|(campaign, _)| *campaign))
    }

    /// Whether it or one of its flights has a `total`.
    pub(crate) fn has_total(&self) -> bool {
        self.total != 0 || self.flights.iter().any(|flight| flight.total != 0)
    }

    /// When it is spent: its flights, or always.
    pub(crate) fn flights(&self) -> &[Flight] {
        const ALWAYS: &[Flight] = &[Flight::ALWAYS];
        if self.flights.is_empty() { ALWAYS } else { &self.flights }
    }

    /// The terms at a time.
    pub(crate) fn term(&self, now_ms: i64) -> Term<'_> {
        let flights = self.flights();
        let at = flights.partition_point(|flight| flight.end_ms <= now_ms).min(flights.len().saturating_sub(1));
        let rest = flights.get(at..).unwrap_or_default();
        let flight = rest.first().unwrap_or(&Flight::ALWAYS);
        let idle = if now_ms >= flight.end_ms {
            Some(Why::Over)
        } else if now_ms >= flight.start_ms {
            None
        } else if at == 0 {
            Some(Why::NotStarted)
        } else {
            Some(Why::BetweenFlights)
        };
        if flight.daily == 0 && flight.total == 0 {
            let (daily, total) = (self.daily, self.total);
            return Term { daily, total, since: FIRST_DAY, end_ms: flight.end_ms, rest, idle };
        }
        Term {
            daily: flight.daily,
            total: flight.total,
            since: self.zone.day(flight.start_ms),
            end_ms: flight.end_ms,
            rest: rest.get(..1).unwrap_or_default(),
            idle,
        }
    }
}

/// The campaigns for which [`Pacer::past`](crate::pacer::Pacer::past) must be called, each with the first local day
/// that counts: those whose budget or flight has a `total`.
#[must_use]
pub fn asked(budgets: &[Budget], now_ms: i64) -> BTreeSet<(u64, i64)> {
    let of_budget = |budget: &Budget| {
        let since = budget.term(now_ms).since;
        budget.campaigns().map(|campaign| (campaign, since)).collect::<Vec<_>>()
    };
    budgets.iter().filter(|budget| budget.has_total()).flat_map(of_budget).collect()
}
