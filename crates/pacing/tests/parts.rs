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
const SHARD: &str = "2026-11-22/00";
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
        pacer.plan(budgets(3), Terms::default(), 0);
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
            pacer.booked(SHARD, tick == 1, bills.iter().copied());
            if tick == 150 {
                pacer.plan(budgets(2), Terms::default(), 0);
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

/// A campaign leaves an order, and then another pacer gets the order.
#[test]
fn a_pacer_that_gets_an_order_counts_what_a_former_campaign_spent() {
    let now_ms = |s: i64| (START_S + s) * 1000;
    let mut first = Pacer::default();
    first.plan(budgets(2), Terms::default(), 0);
    first.tick(now_ms(0));
    first.tick(now_ms(600));
    // The pacer was away for a while when it learned that the campaign has left.
    first.plan(budgets(1), Terms::default(), now_ms(2_000));
    let part = Part { number: 0, of: 4 };
    assert!(part.has(BUDGETS));
    let mut orders = String::new();
    first.save_orders(&mut orders);
    let mut saved = String::new();
    first.save(&mut saved);
    let learned = {
        let mut pacer = Pacer::default();
        pacer.restore_orders("member 0000000000000001 000000000000000c 0 1\n");
        pacer.restore_orders(&orders);
        pacer
    };
    for mut pacer in [learned, Pacer::restore(&saved)] {
        pacer.part = part;
        // The ledger is asked before the plan is made.
        assert_eq!(pacer.campaigns(&budgets(1)), [1_000, 1_001, 4, 8].into());
        pacer.plan(budgets(1), Terms::default(), 0);
        let bill =
            Booked { campaign: 1_001, ssp: 7, issued_s: START_S + 1_900, count: 1, nanos: 5, ..Booked::default() };
        pacer.booked(SHARD, true, [Booked { bid: 5, ..bill }].into_iter());
        let status = pacer.statuses(now_ms(2_100)).find(|one| one.budget.key == BUDGETS).unwrap();
        assert_eq!(status.allocation.spent_today, 5);
    }
}

#[test]
fn in_a_split_an_order_has_the_campaigns_of_both_catalogs() {
    let mut pacer = Pacer::default();
    pacer.plan([budgets(1), budgets(2)].concat(), Terms::default(), 0);
    let bill =
        |campaign| Booked { campaign, ssp: 7, issued_s: START_S, count: 1, nanos: 5, bid: 5, ..Booked::default() };
    pacer.booked(SHARD, true, [bill(1_000), bill(1_001)].into_iter());
    let status = pacer.statuses(START_S * 1000).find(|one| one.budget.key == BUDGETS).unwrap();
    assert_eq!((status.allocation.spent_today, status.budget.members.len()), (10, 2));
}
