//! The results of a run: overspend, delivery and smoothness of each campaign.

use std::ops::Range;

use pacing::budget::Budget;
use pacing::day::Zone;
use serde::Serialize;

use crate::campaigns::Campaign;
use crate::catalog::Catalog;
use crate::run::{Outcome, Spent};
use crate::scale::{DOLLAR, FIRST_DAY};
use crate::traffic::{Traffic, usual};
use crate::world::World;
use crate::worlds::noon;

/// One budget on one day. Amounts in dollars.
#[derive(Serialize)]
pub(crate) struct Day {
    /// If it was lowered below what was won before: that.
    pub(crate) budget: f64,
    /// The highest price of one impression.
    pub(crate) impression: f64,
    pub(crate) spent: f64,
    /// The part of its budget that it spent. If the requests were too few: the mean cost of the requests in the share
    /// divided by the mean cost of all, because a small number of wins depends on luck.
    pub(crate) delivery: f64,
    /// The mean deviation of a quarter of an hour from the plan; none for campaigns without a plan or with few
    /// requests.
    pub(crate) deviation: Option<f64>,
}

/// The quarters of a budget's local day, as positions since the UTC midnight before the first second.
fn quarters(zone: &Zone, traffic: &Traffic, day: i64) -> Range<usize> {
    let from_s = traffic.from_s.div_euclid(86_400) * 86_400;
    let at = |day: i64| ((zone.start(FIRST_DAY + day) / 1000 - from_s) / 900) as usize;
    at(day)..at(day + 1)
}

/// The part of a day's budget that the plan spends before a time: by the campaign's own curve, or by usual traffic.
fn planned(budget: &Budget, day: i64) -> impl Fn(i64) -> f64 {
    let zone = budget.zone.clone();
    let (begin, end) = (zone.start(FIRST_DAY + day) / 1000, zone.start(FIRST_DAY + day + 1) / 1000);
    let weight = |time_s: i64| {
        let hour = zone.quarter(time_s * 1000) / 4;
        budget.curve.get(hour).map_or_else(|| usual(&zone, time_s), |weight| f64::from(*weight))
    };
    let mut sums = vec![0.0];
    for quarter in (begin..end).step_by(900) {
        sums.push(sums.last().copied().unwrap_or_default() + weight(quarter));
    }
    let all = sums.last().copied().unwrap_or(1.0);
    move |time_s: i64| {
        let within = (time_s.clamp(begin, end) - begin) as f64 / 900.0;
        let at = (within as usize).min(sums.len() - 2);
        (sums[at] + (sums[at + 1] - sums[at]) * (within - at as f64)) / all
    }
}

/// A day of all budgets.
pub(crate) fn days(world: &World<'_>, campaigns: &[Campaign], outcome: &Outcome, day: i64) -> Vec<Day> {
    let catalog = world.catalog(world.kind.is_pushed(noon(day), 0));
    let of = |(at, budget): (usize, &Budget)| {
        let is_own = |catalog: &Catalog, campaign: usize| catalog.payers[campaign] == at;
        let own = (0..campaigns.len()).filter(|campaign| world.catalogs.iter().any(|one| is_own(one, *campaign)));
        let own: Vec<&Campaign> = own.map(|campaign| &campaigns[campaign]).collect();
        one(budget, world.catalog(false).budgets[at].daily, &own, world, &outcome.budgets[at], day)
    };
    catalog.budgets.iter().enumerate().map(of).collect()
}

/// `before`: the daily budget before the push. `campaigns`: those that spend it at some time.
fn one(budget: &Budget, before: u64, campaigns: &[&Campaign], world: &World<'_>, spent: &Spent, day: i64) -> Day {
    let dollars = |nanos: f64| nanos / DOLLAR as f64;
    let range = quarters(&budget.zone, world.traffic, day);
    let begin = budget.zone.start(FIRST_DAY + day) / 1000;
    let by_quarter = &spent.quarters[range];
    let noon = usize::try_from((noon(day) - begin) / 900).unwrap_or_default().min(by_quarter.len());
    // Nothing can take back what was won before the push.
    let won = by_quarter[..noon].iter().sum::<u64>().min(before);
    let allowed = dollars(budget.daily.max(won) as f64);
    let [expected, possible] = spent.days[day as usize + 1].map(dollars);
    let plan = planned(budget, day);
    let is_planned = !budget.is_asap && campaigns.iter().all(|one| one.reach == 0.0 || one.reach >= 2.0);
    let deviation = is_planned.then(|| {
        let off = |(at, spent): (usize, &u64)| {
            let from = begin + at as i64 * 900;
            (dollars(*spent as f64) - allowed * (plan(from + 900) - plan(from))).abs()
        };
        by_quarter.iter().enumerate().map(off).sum::<f64>() / allowed
    });
    let spent = dollars(by_quarter.iter().sum::<u64>() as f64);
    let delivery = if possible < allowed { expected / possible } else { spent.min(allowed) / allowed };
    let impression = dollars(campaigns.iter().map(|one| one.bill).max().unwrap_or_default() as f64);
    Day { budget: allowed, impression, spent, delivery, deviation }
}
