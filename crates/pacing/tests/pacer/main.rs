//! The pacer as a whole, by what it is told: its shares decide nothing here. How budgets are spent by its shares is
//! simulated: `bench/pacing`, and `cli/test/simulate` with the Worker's classes.

#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a model")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may panic")]

mod fed;
mod law;
mod spent;
mod state;

use pacing::budget::Budget;
use pacing::law::Allocation;
use pacing::pacer::{Booked, Pacer};

/// Midnight of 2026-10-25 in UTC.
const MIDNIGHT_S: i64 = 1_792_886_400;
const PLACE: &str = "2026-10-25/00";
const DOLLAR: u64 = 1_000_000_000;
/// Nanos of a bid and a bill.
const PRICE: u64 = 2_000_000;
const CAMPAIGN: u64 = 7;
const SSP: u64 = 3;
const HOUR_S: i64 = 3600;
const DAY_S: i64 = 24 * HOUR_S;

/// What the pacer allocates to its first budget.
fn allocation(pacer: &Pacer, now_ms: i64) -> Allocation {
    pacer.statuses(now_ms).next().unwrap().allocation
}

/// A bill for a bid so many seconds after midnight.
fn bill(campaign: u64, second: i64, nanos: u64) -> Booked {
    Booked { campaign, ssp: SSP, issued_s: MIDNIGHT_S + second, count: 1, nanos, ..Booked::default() }
}

/// What the summary tells of days since a local day.
fn past(since: i64, nanos: u64, cur: [u8; 3]) -> (i64, Booked) {
    (since, Booked { cur, ..bill(CAMPAIGN, 0, nanos) })
}

fn asap(dollars: u64) -> Budget {
    Budget { is_asap: true, ..daily(dollars) }
}

fn daily(dollars: u64) -> Budget {
    Budget { id: "shoes".into(), key: CAMPAIGN, daily: dollars * DOLLAR, ..Budget::default() }
}

fn saved(pacer: &Pacer) -> String {
    let mut text = String::new();
    pacer.save(&mut text);
    text
}
