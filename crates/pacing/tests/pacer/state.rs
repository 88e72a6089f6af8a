//! What the pacer keeps of budgets that leave the catalog and return, and what it saves.

use pacing::budget::Budget;
use pacing::counts::{Count, Counts};
use pacing::pacer::Pacer;
use pacing::terms::Terms;
use pacing::why::Why;

use crate::fed::Fed;
use crate::{CAMPAIGN, DAY_S, HOUR_S, MIDNIGHT_S, PRICE, SSP, allocation, daily, saved};

/// A pacer with one campaign a day for so many days, each with bids at an SSP of its own, ticking each minute. Returns the
/// lengths of its saved state after each day.
fn lengths_with_a_new_catalog_each_day(days: i64) -> Vec<usize> {
    let mut pacer = Pacer::default();
    let mut lengths = Vec::new();
    for minute in 0..days * 24 * 60 {
        let now_ms = (MIDNIGHT_S + minute * 60) * 1000;
        let day = minute / (24 * 60);
        let key = 100 + day.cast_unsigned();
        if minute % (24 * 60) == 0 {
            pacer.plan(vec![Budget { key, ..daily(9) }], Terms::default(), 0);
        }
        let mut counts = Counts { since_ms: now_ms - 60_000, made_ms: now_ms - 60_000, ..Counts::default() };
        counts.add((key, key + 500), Count { matched: 100, bids: 1, guaranteed: 0, nanos: PRICE });
        pacer.report(&counts);
        pacer.tick(now_ms);
        if (minute + 1) % (24 * 60) == 0 {
            lengths.push(saved(&pacer).len());
        }
    }
    lengths
}

#[test]
fn the_state_does_not_grow_with_campaigns_that_left_the_catalog() {
    let lengths = lengths_with_a_new_catalog_each_day(30);
    let longest = |days: &[usize]| days.iter().max().copied().unwrap();
    assert!(longest(&lengths[20..]) < longest(&lengths[10..20]) * 11 / 10, "{lengths:?}");
}

#[test]
fn a_budget_that_returns_within_a_week_is_known_and_later_it_is_new() {
    let is_known_after = |days: i64| {
        let mut fed = Fed::new(daily(100));
        fed.run(HOUR_S);
        fed.pacer.plan(Vec::new(), Terms::default(), 0);
        for minute in 1..days * 24 * 60 {
            fed.pacer.tick((fed.now_s + minute * 60) * 1000);
        }
        fed.pacer.plan(vec![daily(100)], Terms::default(), 0);
        let why = allocation(&fed.pacer, (fed.now_s + days * DAY_S) * 1000).why;
        (why != Why::NoCounts, saved(&fed.pacer).contains(&format!("{CAMPAIGN:016x} {SSP:016x}")))
    };
    assert_eq!(is_known_after(6), (true, true));
    assert_eq!(is_known_after(10), (false, false));
}

#[test]
fn a_budget_that_returns_in_another_currency_knows_what_its_bids_cost() {
    let terms = || Terms { rates: [(*b"USD", 1_000_000_000), (*b"JPY", 10_000_000)].into(), ..Terms::default() };
    let budget = |cur: &str, dollars| vec![Budget { cur: cur.into(), ..daily(dollars) }];
    let mut fed = Fed::new(daily(100));
    fed.pacer.plan(budget("USD", 100), terms(), 0);
    fed.run(HOUR_S);
    for is_restarted in [false, true] {
        let exposed = |cur, whole| {
            let mut pacer = if is_restarted { Pacer::restore(&saved(&fed.pacer)) } else { fed.pacer.clone() };
            pacer.plan(Vec::new(), terms(), 0);
            pacer.plan(budget(cur, whole), terms(), 0);
            allocation(&pacer, fed.now_s * 1000).exposed
        };
        let (dollars, yen) = (exposed("USD", 100), exposed("JPY", 10_000));
        assert!((dollars * 99..dollars * 101).contains(&yen), "{yen} {dollars} {is_restarted}");
    }
}

#[test]
fn an_ssp_with_requests_and_no_bids_leaves_no_row_in_the_state() {
    let mut fed = Fed::new(daily(100));
    fed.is_busy = false;
    fed.run(60);
    let mut counts = Counts::default();
    counts.add((CAMPAIGN, 99), Count { matched: 5, ..Count::default() });
    fed.pacer.report(&counts);
    fed.tick();
    assert!(!saved(&fed.pacer).contains(&format!("bid {CAMPAIGN:016x} ")));
}
