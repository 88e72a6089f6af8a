//! Several pacers, each with a part of the budgets, make the shares that one pacer makes of all of them.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::fmt::Write;

use pacing::budget::Budget;
use pacing::counts::{Count, Counts};
use pacing::pacer::{Booked, Pacer};
use pacing::part::Part;
use pacing::shares::Shares;
use pacing::terms::Terms;

const BUDGETS: u64 = 12;
const PLACE: &str = "2026-11-22/00";
/// Noon of that day.
const START_S: i64 = 20_779 * 86_400 + 43_200;

fn budgets(members: u64) -> Vec<Budget> {
    let of = |key| Budget { key, cur: "USD".to_owned(), daily: key * 1_000_000_000, ..Budget::default() };
    // The last one is an order.
    let members = (0..members).map(|one| (1_000 + one, one.to_string())).collect();
    (1..BUDGETS).map(of).chain([Budget { members, ..of(BUDGETS) }]).collect()
}

/// The pacers learn the delays of an SSP from their own budgets, so each budget has another one.
fn ssp_of(key: u64) -> u64 {
    100 + key
}

#[test]
fn shares_do_not_depend_on_the_number_of_pacers() {
    let pacers = |of| (0..of).map(move |number| Part { number, of });
    let new = |part| {
        let mut pacer = Pacer::default();
        pacer.part = part;
        pacer.plan(budgets(3), Terms::default());
        pacer
    };
    let (mut one, mut four) = (new(Part::WHOLE), pacers(4).map(new).collect::<Vec<_>>());
    let mut is_bidding = false;
    for tick in 1..300_u64 {
        let now_s = START_S + 5 * i64::try_from(tick).unwrap();
        let count = |key: u64| Count { matched: 500, bids: 5 * (key % 3), guaranteed: 0, nanos: 9_000_000 * (key % 3) };
        let rows = (1..=BUDGETS).map(|key| ((key, ssp_of(key)), count(key))).collect();
        let counts =
            Counts { since_ms: now_s * 1000 - 5_000, made_ms: now_s * 1000 - 15_000, rows, ..Counts::default() };
        let bill = |key: u64| {
            let campaign = if key == BUDGETS { 1_000 + tick % 3 } else { key };
            let nanos = 1_700_000 + key;
            Booked {
                campaign,
                ssp: ssp_of(key),
                issued_s: now_s - 40,
                count: 1,
                nanos,
                bid: nanos,
                ..Booked::default()
            }
        };
        let bills: Vec<Booked> = (1..=BUDGETS).filter(|key| (tick + key) % 4 < key % 3).map(bill).collect();
        let tick = |pacer: &mut Pacer| {
            pacer.report(&counts);
            pacer.booked(PLACE, tick == 1, bills.iter().copied());
            if tick == 150 {
                pacer.plan(budgets(2), Terms::default());
            }
            pacer.tick(now_s * 1000)
        };
        let whole = tick(&mut one);
        let mut text = String::new();
        for (part, pacer) in pacers(4).zip(&mut four) {
            let _ = writeln!(text, "pacer {} 4 0", part.number);
            tick(pacer).write(&mut text);
        }
        let mut joined = format!("{}\n", now_s * 1000);
        Shares::join(&text, &mut joined);
        assert_eq!(Shares::read(&joined).unwrap(), whole, "{now_s}");
        is_bidding |= whole.rows.iter().all(|(_, share)| *share > 0);
    }
    assert!(is_bidding);
}
