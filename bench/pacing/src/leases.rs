//! Leases of $0.10 for each isolate, in the manner of `RTBkit`: an isolate bids only with money that it holds, and is topped
//! up each second while the campaign has any left. A model of means: all isolates with a lease hold the same.
//!
//! Kinder than reality: the plan is known exactly, nothing fails, and a bid's money is free again after a minute. Money
//! of isolates that end stays with them until the next day, as in `RTBkit` until an operator takes it back.

use crate::campaigns::{Campaign, Ssp};
use crate::outcome::planned;
use crate::traffic::Traffic;
use crate::{DOLLAR, FIRST_DAY, HOUR_S, ISOLATES};

/// Dollars.
const LEASE: f64 = 0.1;
/// Mean life of an isolate in seconds. Cloudflare says nothing about it; hours are usual.
const LIFE_S: f64 = 3.0 * HOUR_S as f64;
/// Seconds until the money of a bid without a bill is free again.
const HELD_S: f64 = 60.0;
const STEP_S: i64 = 10;

/// Dollars that a campaign spent on a day, and that were left in leases at its end.
pub(crate) fn lease(campaign: &Campaign, ssps: &[Ssp], traffic: &Traffic, day: i64) -> (f64, f64) {
    let zone = &traffic.zones[campaign.zone];
    let (begin, end) = (zone.start(FIRST_DAY + day) / 1000, zone.start(FIRST_DAY + day + 1) / 1000);
    let budget = campaign.budget.daily as f64 / DOLLAR as f64;
    let requests: f64 = campaign.rows.iter().map(|row| row.requests).sum();
    let bid = campaign.bid as f64 / DOLLAR as f64;
    let late = campaign.rows.iter().map(|row| ssps[row.ssp].late * row.requests).sum::<f64>() / requests;
    // Dollars per request of an isolate with money.
    let cost = campaign.cost() / DOLLAR as f64 / requests;
    let plan = planned(campaign, traffic, day);

    let (mut pool, mut released, mut holders, mut balance) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let (mut spent, mut stranded) = (0.0, 0.0);
    let mut coming = std::collections::VecDeque::new();
    for at in (begin..end).step_by(STEP_S as usize) {
        let part = if campaign.budget.is_asap { 1.0 } else { plan(at + STEP_S) };
        pool += (part - released) * budget;
        released = part;
        // Late bills were taken for losses, and are paid from what is left.
        coming.push_back(0.0);
        if coming.len() > (HOUR_S / STEP_S) as usize {
            let bills: f64 = coming.pop_front().unwrap_or_default();
            spent += bills;
            pool -= bills;
        }
        // Isolates that end take their money along; new ones have none.
        let gone = holders * (STEP_S as f64 / LIFE_S);
        stranded += gone * balance;
        holders -= gone;
        // Isolates ask for a lease at their first request.
        let each = requests * traffic.sum(campaign.zone, at, at + STEP_S) / ISOLATES;
        let asking = (ISOLATES - holders) * (1.0 - (-each).exp());
        let total = holders * balance;
        let wanted = ((holders + asking) * LEASE - total).max(0.0);
        let given = wanted.min(pool.max(0.0));
        pool -= given;
        holders += if wanted > 0.0 { asking * given / wanted } else { 0.0 };
        balance = if holders > 1e-9 { (total + given) / holders } else { 0.0 };
        // An isolate cannot have more bids open than its money pays.
        let open = (balance / bid) * (STEP_S as f64 / HELD_S);
        let bids = (each * campaign.bids).min(open);
        let costs = (bids / campaign.bids * cost).min(balance / (1.0 - late).max(0.01)) * holders;
        spent += costs * (1.0 - late);
        if let Some(last) = coming.back_mut() {
            *last += costs * late;
        }
        balance -= if holders > 1e-9 { costs * (1.0 - late) / holders } else { 0.0 };
    }
    (spent + coming.iter().sum::<f64>(), stranded + holders * balance)
}
