//! The next shares of a pacer that knows its rates: how quickly they spend a budget, what they hold back for bids that
//! are not billed yet, and why there are none.

use pacing::budget::{Budget, FIRST_DAY, Flight};
use pacing::day::Zone;
use pacing::shares::WHOLE;
use pacing::terms::Terms;
use pacing::why::Why;

use crate::fed::Fed;
use crate::{CAMPAIGN, DAY_S, DOLLAR, HOUR_S, MIDNIGHT_S, PRICE, allocation, asap, daily, past};

/// A campaign that has spent about $288 in each hour from noon until six.
fn known() -> Fed {
    let mut fed = Fed::new(asap(1_000_000));
    fed.run(6 * HOUR_S);
    fed
}

/// Two bids more than the tested amount are fine.
#[track_caller]
fn is_near(nanos: u64, dollars: f64, part: f64) {
    let expected = dollars * DOLLAR as f64;
    assert!((nanos as f64 - expected).abs() < expected * part + 2.0 * PRICE as f64, "{nanos} for {dollars}");
}

#[test]
fn a_share_spends_what_is_left_by_the_end_of_the_plan_and_asap_within_three_minutes() {
    let mut curve = vec![1; 24];
    curve[18] = 23;
    let berlin = Zone(vec![(0, 120), (1_792_890_000_000, 60)]);
    let total = Budget { total: 2_000 * DOLLAR, is_asap: false, ..daily(0) };
    let tomorrow_ms = (MIDNIGHT_S + 2 * DAY_S) * 1000;
    let ending = vec![Flight { end_ms: tomorrow_ms, total: 2_000 * DOLLAR, ..Flight::ALWAYS }];
    for (budget, seconds) in [
        (daily(2_000), 6 * HOUR_S),
        (Budget { zone: berlin, ..daily(2_000) }, 5 * HOUR_S),
        (asap(1_740), 180),
        // Of 28 parts of the rest of the day, this hour has 23.
        (Budget { curve, ..daily(2_000) }, HOUR_S * 28 / 23),
        (Budget { flights: ending, ..total }, (6 + 24) * HOUR_S),
    ] {
        let mut fed = known();
        fed.pacer.plan(vec![budget.clone()], Terms::default(), fed.now_s * 1000);
        fed.pacer.past([past(FIRST_DAY, 0, [0; 3])].into_iter());
        let share = fed.tick().of(CAMPAIGN);
        let now = fed.allocation();
        let speed = now.cost as f64 * f64::from(share) / f64::from(WHOLE);
        let whole = now.left as f64 / speed;
        assert!((0.98..1.02).contains(&(whole / seconds as f64)), "{whole} {seconds} {budget:?}");
    }
}

/// Bids that a batch has billed must not count again when slots are joined.
#[test]
fn bids_between_batches_are_exposed_as_they_are_billed() {
    let mut fed = Fed::new(asap(1_000_000));
    fed.batch_s = HOUR_S;
    fed.run(3 * HOUR_S);
    for _ in 0..5 {
        fed.run(HOUR_S - 5);
        let (exposed, spent) = (fed.allocation().exposed, fed.spent());
        fed.tick();
        let billed = (fed.spent() - spent) as f64;
        assert!((0.99..1.03).contains(&(exposed as f64 / billed)), "{exposed} {billed}");
    }
}

#[test]
fn a_budget_that_is_cut_or_raised_acts_at_the_next_tick_and_loses_nothing() {
    let mut fed = known();
    let spent = fed.allocation().spent_today;
    assert_eq!(spent, fed.spent());
    fed.pacer.plan(vec![daily(20)], Terms::default(), 0);
    assert_eq!(fed.tick().of(CAMPAIGN), 0);
    assert_eq!(fed.allocation().why, Why::DailyOverspent);
    fed.pacer.plan(Vec::new(), Terms::default(), 0);
    fed.tick();
    fed.pacer.plan(vec![daily(2_000)], Terms::default(), 0);
    assert!(fed.tick().of(CAMPAIGN) > 0);
    assert!(fed.allocation().spent_today >= spent);
}

#[test]
fn without_the_ledger_bids_are_exposed_until_nothing_is_left() {
    let mut fed = known();
    fed.pacer.plan(vec![asap(2000)], Terms::default(), fed.now_s * 1000);
    fed.is_answering = false;
    let known = fed.allocation().spent_today;
    fed.run(HOUR_S / 2);
    assert!(fed.tick().of(CAMPAIGN) > 0);
    is_near(fed.allocation().exposed, (fed.spent() - known) as f64 / DOLLAR as f64, 0.05);
    fed.run(HOUR_S);
    assert_eq!((fed.tick().of(CAMPAIGN), fed.allocation().why), (0, Why::Exposed));
}

#[test]
fn a_place_that_never_answers_counts_with_all_that_it_may_have_booked() {
    let mut fed = Fed::new(asap(1_000_000));
    // Yesterday had two shards, today only one of them tells anything.
    fed.pacer.booked("2026-10-24/00", false, std::iter::empty());
    fed.pacer.booked("2026-10-24/01", false, std::iter::empty());
    fed.run(6 * HOUR_S);
    let mut again = fed.restarted(asap(1_000_000));
    let next_ms = fed.now_s * 1000 + 5_000;
    again.tick(next_ms);
    for allocation in [fed.allocation(), allocation(&again, next_ms)] {
        is_near(allocation.exposed, allocation.spent_today as f64 / DOLLAR as f64, 0.04);
    }
}

/// Each bid costs thirty times as much, and is billed three times as often.
#[test]
fn bids_that_become_dearer_are_new_so_all_of_them_may_be_billed() {
    for seconds in [10, 60] {
        let mut fed = known();
        (fed.price, fed.bids_per_bill) = (30 * PRICE, 3);
        fed.run(seconds);
        let (exposed, spent) = (fed.allocation().exposed, fed.spent());
        fed.is_busy = false;
        fed.run(30);
        assert!(exposed > 2 * (fed.spent() - spent), "{exposed} {}", fed.spent() - spent);
    }
}

#[test]
fn a_restart_gives_the_same_shares() {
    let mut fed = known();
    let mut again = fed.restarted(asap(1_000_000));
    fed.pacer.booked(crate::PLACE, true, fed.bills.iter().copied());
    let next_ms = fed.now_s * 1000 + 5_000;
    let shares = again.tick(next_ms);
    assert!(shares.of(CAMPAIGN) > 0);
    assert_eq!(shares, fed.pacer.tick(next_ms));
    assert_eq!(crate::saved(&again), crate::saved(&fed.pacer));
}

#[test]
fn without_a_share_the_budget_says_why() {
    let now_ms = (MIDNIGHT_S + DAY_S / 2) * 1000;
    let flights = |flights: Vec<(i64, i64)>| {
        let flight = |(start_ms, end_ms)| Flight { start_ms, end_ms, ..Flight::ALWAYS };
        Budget { flights: flights.into_iter().map(flight).collect(), ..daily(9) }
    };
    let tomorrow_ms = now_ms + DAY_S * 1000;
    let total = |dollars| Budget { total: dollars * DOLLAR, ..daily(0) };
    for (budget, is_busy, why) in [
        (flights(vec![(tomorrow_ms, i64::MAX)]), true, Why::NotStarted),
        (flights(vec![(0, now_ms)]), true, Why::Over),
        (flights(vec![(0, now_ms), (tomorrow_ms, i64::MAX)]), true, Why::BetweenFlights),
        (Budget { is_paused: true, ..daily(9) }, true, Why::Paused),
        (daily(9), false, Why::NoCounts),
        (total(20), true, Why::TotalSpent),
        (total(19), true, Why::TotalOverspent),
    ] {
        let mut fed = Fed::new(budget);
        fed.is_busy = is_busy;
        fed.pacer.past([past(FIRST_DAY, 20 * DOLLAR, [0; 3])].into_iter());
        let share = fed.tick().of(CAMPAIGN);
        assert_eq!((share, fed.allocation().why), (0, why));
    }
}
