//! The control law: turns the rest of a budget into a share of requests.
//!
//! ```text
//! free   = budget - billed - exposure - margin
//! target = min(free * plan'(t) / (1 - plan(t)), free / (SURGE * loop))      per second; asap: only the second term
//! share  = target / (requests per second * bids per request * price * part that is billed)
//! most   = free / (BOUND_LOOPS * loop * calls of isolates per second * part that is billed)      for an isolate
//! ```

use crate::budget::{Budget, Term};
use crate::exposure::{Ssp, margin};
use crate::held::Held;
use crate::limits::{BOUND_LOOPS, MOST_PART, PROBE_BIDS, SHORT, SURE, SURGE};
use crate::money::{part_of, seconds, times};
use crate::shares::WHOLE;
use crate::slots::Slot;
use crate::why::Why;
use std::collections::BTreeMap;

/// The inputs of the law that all campaigns share at one time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now<'a> {
    /// Milliseconds since the epoch.
    pub ms: i64,
    /// Seconds from making shares to seeing their bids.
    pub loop_s: f64,
    /// Seconds whose bids are not reported yet.
    pub unseen_s: f64,
    /// The slots of time.
    pub slots: &'a [Slot],
    /// The SSPs.
    pub ssps: &'a BTreeMap<u64, Ssp>,
}

/// The law's answer for one budget. Money in nanos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// Billed for bids of the local day.
    pub spent_today: u64,
    /// Billed since the first day that counts for the total.
    pub spent: u64,
    /// What may still be billed for bids of the local day.
    pub exposed_today: u64,
    /// What may still be billed in all.
    pub exposed: u64,
    /// The rest of the daily or of the total budget, whichever is smaller: neither billed nor exposed.
    pub left: u64,
    /// The cost of each second at a share of [`WHOLE`].
    pub cost: u64,
    /// The part of 2^32 of its requests that it may bid on.
    pub share: u32,
    /// What an isolate may bid at most until it gets newer shares; `None` if it is not known how many there are.
    pub most: Option<u64>,
    /// Why it is this share.
    pub why: Why,
}

/// Decides on one budget. `spent` is the spend of its campaigns: on bids of the local day, and on all days that count
/// for the total. `unknown`: why this is not all of it, if so.
#[must_use]
pub(crate) fn allocate(
    budget: &Budget,
    term: &Term<'_>,
    held: &Held,
    (spent_today, spent): (u64, u64),
    unknown: Option<Why>,
    now: &Now<'_>,
) -> Allocation {
    let day = budget.zone.day(now.ms);
    let midnight = budget.zone.start(day);
    let first = now.slots.partition_point(|slot| slot.bid_ms < midnight);
    let price = held.rates.price();
    let mean = price.unwrap_or_default();

    let (mut exposed_today, mut exposed, mut billed) = (0_u64, 0_u64, 0_u64);
    let (mut chances, mut weights) = (0.0, 0.0);
    for (row, ssp) in held.rows.iter().filter_map(|(ssp, row)| Some((row, now.ssps.get(ssp)?))) {
        let (before, today) = row.exposed(ssp, first, mean);
        exposed_today = exposed_today.saturating_add(today);
        exposed = exposed.saturating_add(before).saturating_add(today);
        billed = billed.saturating_add(row.billed);
        let (chance, weight) = row.chance(ssp, mean);
        chances += chance * weight;
        weights += weight;
    }
    let chance = if weights > 0.0 { chances / weights } else { 1.0 };
    let unseen = times(held.rates.bidding, now.unseen_s * chance);
    (exposed_today, exposed) = (exposed_today.saturating_add(unseen), exposed.saturating_add(unseen));

    // Bids of the days before a flight do not count for the flight. No bid is exposed for longer than a day.
    let exposed_of_total = if term.since == day { exposed_today } else { exposed };

    let limit = |limit: u64, spent: u64, kept: u64| {
        if limit == 0 { u64::MAX } else { limit.saturating_sub(spent).saturating_sub(kept) }
    };
    let left = limit(term.daily, spent_today, exposed_today).min(limit(term.total, spent, exposed_of_total));
    let kept = |exposed: u64| exposed.saturating_add(margin(exposed, billed, mean));
    let free =
        limit(term.daily, spent_today, kept(exposed_today)).min(limit(term.total, spent, kept(exposed_of_total)));
    let paid = held.rates.bids_per_request() * chance;
    let cost = times(mean, held.rates.requests() * paid);

    let held_back = if budget.is_paused {
        Some(Why::Paused)
    } else if term.idle.is_some() {
        term.idle
    } else if unknown.is_some() {
        unknown
    } else if term.total != 0 && spent > term.total {
        Some(Why::TotalOverspent)
    } else if term.daily != 0 && spent_today > term.daily {
        Some(Why::DailyOverspent)
    } else if term.total != 0 && spent == term.total {
        Some(Why::TotalSpent)
    } else if term.daily != 0 && spent_today == term.daily {
        Some(Why::DailySpent)
    } else if free == 0 {
        Some(Why::Exposed)
    } else if held.rates.known_s <= 0.0 {
        Some(Why::NoCounts)
    } else if !held.rates.is_warm() {
        Some(Why::Counting)
    } else {
        None
    };
    let (share, why) = match (held_back, price) {
        (Some(why), _) => (0, why),
        (None, None) => (probe(held, now), Why::Learning),
        (None, Some(price)) => paced(budget, held, now, free, price, paid),
    };
    // Each call gives an isolate newer shares.
    let calls = held.calls.rate * BOUND_LOOPS * now.loop_s;
    let most = (calls > 0.0).then(|| times(free, 1.0 / (calls * chance)));
    Allocation { spent_today, spent, exposed_today, exposed, left, cost, share, most, why }
}

/// The share for a free amount. Each request in the share becomes a bill of `price` with the chance `paid`.
fn paced(budget: &Budget, held: &Held, now: &Now<'_>, free: u64, price: u64, paid: f64) -> (u32, Why) {
    let safe = 1.0 / (SURGE * now.loop_s);
    let plan = held.ahead.plan(now.ms).unwrap_or_else(|| held.curve.plan(budget, now.ms));
    // If even all requests still to come cannot spend it, the campaign bids on each of them, also in a burst.
    let is_short = plan.requests.is_some_and(|requests| times(price, requests * paid * SHORT) <= free);
    let speed = if budget.is_asap || is_short && plan.speed > 0.0 { safe } else { plan.speed.min(safe) };
    let by_time = part_of(times(free, speed), times(price, held.rates.requests() * paid));
    // Requests that come in a few windows are over too soon for a plan by time.
    let share = match plan.in_windows.filter(|_| !budget.is_asap && plan.speed > 0.0) {
        Some(all) => {
            let rest = (all * SURE - held.curve.in_quarter(budget, now.ms)).max(0.0);
            let safe = part_of(times(free, safe), times(price, held.rates.requests() * paid));
            part_of(free, times(price, rest * paid)).min(safe)
        }
        None => by_time,
    };
    // Traffic may return at once to its highest rate.
    let most = held.rates.most_requests().max(held.curve.usual(budget, now.ms));
    let share = share.min(part_of(times(free, 1.0 / (MOST_PART * now.loop_s)), times(price, most * paid)));
    let why = match share {
        WHOLE if budget.is_asap => Why::AllRequests,
        WHOLE => Why::FewRequests,
        _ if budget.is_asap => Why::Slower,
        _ if plan.speed <= 0.0 => Why::Unplanned,
        _ => Why::OnPlan,
    };
    (share, why)
}

/// A share that allows a few bids within one loop, to learn their price. A campaign that is seldom the best one needs
/// more requests for a bid.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast saturates")]
fn probe(held: &Held, now: &Now<'_>) -> u32 {
    let requests = held.rates.requests().max(held.rates.most_requests()) * now.loop_s;
    let wanted = PROBE_BIDS / held.rates.bids_per_request();
    (wanted / requests.max(wanted) * f64::from(WHOLE)) as u32
}

/// The expected spend of a budget at the end of its day, in nanos. Never `u64::MAX`: without a daily budget, the total
/// limits it.
#[must_use]
pub(crate) fn forecast(budget: &Budget, held: &Held, allocation: &Allocation, now_ms: i64) -> u64 {
    let speed = held.curve.plan_of_day(budget, now_ms).speed;
    let more = if allocation.share == 0 && allocation.why != Why::Counting {
        0
    } else if speed > 0.0 {
        // For as many seconds as the rest of the day's weight takes at the present speed.
        times(allocation.cost, 1.0 / speed)
    } else {
        times(allocation.cost, seconds(now_ms.rem_euclid(1000)))
    };
    allocation.spent_today.saturating_add(allocation.exposed_today).saturating_add(more.min(allocation.left))
}
