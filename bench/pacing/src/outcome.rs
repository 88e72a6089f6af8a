//! The results of a run: overspend, delivery and smoothness of each campaign.

use serde::Serialize;

use crate::campaigns::Campaign;
use crate::run::Outcome;
use crate::scale::{DOLLAR, FIRST_DAY};
use crate::traffic::{Traffic, usual};

/// One campaign on one day. Amounts in dollars.
#[derive(Serialize)]
pub(crate) struct Day {
    pub(crate) budget: f64,
    /// The price of one impression.
    pub(crate) impression: f64,
    pub(crate) spent: f64,
    /// The part of its budget that it spent. If the requests were too few: the mean cost of the requests in the share
    /// divided by the mean cost of all, because a small number of wins depends on luck.
    pub(crate) delivery: f64,
    /// The mean deviation of a quarter of an hour from the plan; none for campaigns without a plan or with few
    /// requests.
    pub(crate) deviation: Option<f64>,
}

/// The quarters of a campaign's local day, as positions since the UTC midnight before the first second.
pub(crate) fn quarters(campaign: &Campaign, traffic: &Traffic, day: i64) -> std::ops::Range<usize> {
    let from_s = traffic.from_s.div_euclid(86_400) * 86_400;
    let at = |day: i64| ((traffic.zones[campaign.zone].start(FIRST_DAY + day) / 1000 - from_s) / 900) as usize;
    at(day)..at(day + 1)
}

/// The part of a day's budget that the plan spends before a time: by the campaign's own curve, or by usual traffic.
pub(crate) fn planned(campaign: &Campaign, traffic: &Traffic, day: i64) -> impl Fn(i64) -> f64 {
    let zone = traffic.zones[campaign.zone].clone();
    let (begin, end) = (zone.start(FIRST_DAY + day) / 1000, zone.start(FIRST_DAY + day + 1) / 1000);
    let weight = |time_s: i64| {
        let hour = zone.quarter(time_s * 1000) / 4;
        campaign.budget.curve.get(hour).map_or_else(|| usual(&zone, time_s), |weight| f64::from(*weight))
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

/// The days of all campaigns.
pub(crate) fn days(campaigns: &[Campaign], traffic: &Traffic, outcome: &Outcome, day: i64) -> Vec<Day> {
    let both = outcome.spent.iter().zip(&outcome.expected);
    campaigns
        .iter()
        .zip(both)
        .map(|(campaign, (spent, expected))| one(campaign, traffic, spent, expected, day))
        .collect()
}

fn one(campaign: &Campaign, traffic: &Traffic, spent: &[u64], expected: &[f64], day: i64) -> Day {
    let dollars = |nanos: f64| nanos / DOLLAR as f64;
    let zone = &traffic.zones[campaign.zone];
    let (begin, end) = (zone.start(FIRST_DAY + day) / 1000, zone.start(FIRST_DAY + day + 1) / 1000);
    let budget = dollars(campaign.budget.daily as f64);
    let could = dollars(campaign.cost * traffic.sum(campaign.zone, begin, end));
    let by_quarter = &spent[quarters(campaign, traffic, day)];
    let plan = planned(campaign, traffic, day);
    let is_planned = !campaign.budget.is_asap && (campaign.reach == 0.0 || campaign.reach >= 2.0);
    let deviation = is_planned.then(|| {
        let off = |(at, spent): (usize, &u64)| {
            let from = begin + at as i64 * 900;
            (dollars(*spent as f64) - budget * (plan(from + 900) - plan(from))).abs()
        };
        by_quarter.iter().enumerate().map(off).sum::<f64>() / budget
    });
    let spent = dollars(by_quarter.iter().sum::<u64>() as f64);
    let delivery =
        if could < budget { dollars(expected[day as usize + 1]) / could } else { spent.min(budget) / budget };
    Day { budget, impression: dollars(campaign.bill as f64), spent, delivery, deviation }
}
