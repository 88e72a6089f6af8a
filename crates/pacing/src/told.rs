//! What the operator is told about each budget.

use crate::law::forecast;
use crate::pacer::Pacer;

/// One budget. Money in nanos of `cur`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The id of the campaign or the order.
    pub id: String,
    /// The ids of the order's campaigns; empty for a campaign.
    pub members: Vec<String>,
    /// The currency.
    pub cur: String,
    /// The local day, as days since the first of January 1970.
    pub day: i64,
    /// The budget of a day; 0: none.
    pub daily: u64,
    /// The budget of the flight, or in all; 0: none.
    pub total: u64,
    /// Whether it is spent as fast as possible.
    pub is_asap: bool,
    /// Billed for bids of the local day.
    pub spent_today: u64,
    /// Billed of `total`: since the start of the flight, or in all.
    pub spent: u64,
    /// What bids of all days may still cost.
    pub exposed: u64,
    /// What is neither billed nor exposed, of the day or in all, whichever is less.
    pub left: u64,
    /// The part of 2^32 of its requests that it may bid on.
    pub share: u32,
    /// Requests per second that it could bid on, rounded.
    pub requests: u64,
    /// What the local day is expected to cost.
    pub forecast: u64,
    /// Why the share is what it is.
    pub why: &'static str,
}

impl Pacer {
    /// Tells about all budgets, in the order of their keys.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast saturates")]
    pub fn told(&self, now_ms: i64) -> Vec<Told> {
        let told = self.judged(now_ms).map(|(budget, held, judged)| Told {
            id: budget.id.clone(),
            members: budget.members.iter().map(|(_, cid)| cid.clone()).collect(),
            cur: budget.cur.clone(),
            day: budget.zone.day(now_ms),
            daily: budget.term(now_ms).daily,
            total: budget.term(now_ms).total,
            is_asap: budget.is_asap,
            spent_today: judged.spent_today,
            spent: judged.spent,
            exposed: judged.exposed,
            left: judged.left,
            share: judged.share,
            requests: held.rates.requests().round() as u64,
            forecast: forecast(budget, held, &judged, now_ms),
            why: judged.why,
        });
        told.collect()
    }
}
