//! The pacer in a closed loop with a dull model of isolates and bills, and what it keeps through faults.

#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a model")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may panic")]

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

use pacing::budget::{Budget, FIRST_DAY, Flight, asked};
use pacing::counts::{Count, Counts};
use pacing::day::Zone;
use pacing::law::Allocation;
use pacing::pacer::{Booked, Pacer};
use pacing::shares::{Shares, WHOLE};
use pacing::terms::{SspTerms, Terms};
use pacing::why::Why;
use proptest::prelude::*;

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

/// Each fifth request let through is bid on, each tenth bid is billed, 20 s later or in a batch.
struct World {
    pacer: Pacer,
    now_s: i64,
    /// Requests per second.
    requests: u64,
    shares: VecDeque<Shares>,
    /// Bids not yet counted, and wins not yet made, in parts of one.
    parts: (f64, f64),
    due: VecDeque<(i64, u64)>,
    /// Bills that the ledger has, and whether it answers.
    bills: Vec<Booked>,
    is_answering: bool,
    booked: usize,
    /// The campaigns that the bills name in turn.
    payers: Vec<u64>,
    /// Nanos of a bid and a bill, and the part of the bids that is billed.
    price: u64,
    wins: f64,
    /// Seconds between batches of bills; 0: no batches.
    batch_s: i64,
}

impl World {
    fn new(budget: Budget, requests: u64) -> World {
        let mut pacer = Pacer::default();
        pacer.plan(vec![budget], Terms::default(), 0);
        World {
            pacer,
            now_s: MIDNIGHT_S,
            requests,
            shares: VecDeque::new(),
            parts: (0.0, 0.0),
            due: VecDeque::new(),
            bills: Vec::new(),
            is_answering: true,
            booked: 0,
            payers: vec![CAMPAIGN],
            price: PRICE,
            wins: 0.1,
            batch_s: 0,
        }
    }

    fn spent(&self) -> u64 {
        self.bills.iter().map(|bill| bill.nanos).sum()
    }

    /// One tick of five seconds. Isolates use the shares of two ticks ago.
    fn tick(&mut self) -> u32 {
        self.now_s += 5;
        let used = if self.shares.len() > 2 { self.shares.pop_front() } else { None };
        let matched = self.requests * 5;
        let (share, made_ms) = used.map_or((0, 0), |shares| (shares.of(CAMPAIGN), shares.made_ms));
        self.parts.0 += matched as f64 * f64::from(share) / f64::from(WHOLE) / 5.0;
        let bids = self.parts.0 as u64;
        self.parts.0 -= bids as f64;
        self.parts.1 += bids as f64 * self.wins;
        let wins = self.parts.1 as u64;
        self.parts.1 -= wins as f64;
        self.due.push_back((self.now_s, wins));

        let mut counts = Counts { since_ms: (self.now_s - 5) * 1000, made_ms, ..Counts::default() };
        counts.add((CAMPAIGN, SSP), Count { matched, bids, guaranteed: 0, nanos: bids * self.price });
        self.pacer.report(&counts);
        let batch_s = self.now_s - self.now_s.checked_rem(self.batch_s).unwrap_or_default();
        while let Some((issued_s, count)) = self.due.front().copied().filter(|(at, _)| *at + 20 <= batch_s) {
            self.due.pop_front();
            if count > 0 {
                let campaign = self.payers[self.bills.len() % self.payers.len()];
                self.bills.push(Booked { count, ..bill(campaign, issued_s - MIDNIGHT_S, count * self.price) });
            }
        }
        if self.is_answering {
            let place = format!("2026-10-{}/00", 25 + (self.now_s - MIDNIGHT_S) / 86_400);
            self.pacer.booked(&place, false, self.bills.iter().skip(self.booked).copied());
            self.booked = self.bills.len();
        }
        let shares = self.pacer.tick(self.now_s * 1000);
        let share = shares.of(CAMPAIGN);
        self.shares.push_back(shares);
        share
    }

    fn run(&mut self, seconds: i64) -> u32 {
        (0..seconds / 5).map(|_| self.tick()).last().unwrap_or_default()
    }

    /// Runs, and asserts how many dollars are spent by then; one bill more is fine.
    #[track_caller]
    fn spends(&mut self, seconds: i64, dollars: RangeInclusive<f64>) {
        self.run(seconds);
        let [least, most] = [dollars.start(), dollars.end()].map(|dollars| (dollars * DOLLAR as f64) as u64);
        assert!((least..=most + PRICE).contains(&self.spent()), "{} of {dollars:?}", self.spent());
    }

    fn allocation(&self) -> Allocation {
        allocation(&self.pacer, self.now_s * 1000)
    }

    /// The pacer after a restart: from its saved state, the budget, and the bills of the ledger.
    fn restarted(&self, budget: Budget) -> Pacer {
        let mut saved = String::new();
        self.pacer.save(&mut saved);
        let mut again = Pacer::restore(&saved);
        again.plan(vec![budget], Terms::default(), 0);
        again.booked(PLACE, true, self.bills.iter().copied());
        again
    }
}

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

#[test]
fn a_budget_is_spent_over_the_day_and_not_above() {
    let mut even = World::new(daily(100), 1000);
    even.spends(12 * HOUR_S, 48.0..=52.0);
    even.spends(12 * HOUR_S, 99.0..=100.0);
    let mut quick = World::new(asap(100), 100_000);
    quick.spends(3 * HOUR_S, 70.0..=100.0);
    quick.spends(9 * HOUR_S, 99.0..=100.0);
    // A flood of requests.
    for budget in [daily(5), asap(5)] {
        World::new(budget, 400_000).spends(DAY_S - 60, 4.9..=5.0);
    }
}

/// Bids that a batch has billed must not count again when slots are joined.
#[test]
fn bids_between_batches_are_exposed_as_they_are_billed() {
    let mut world = World { batch_s: HOUR_S, ..World::new(asap(1_000_000), 1_000) };
    world.run(3 * HOUR_S);
    for _ in 0..5 {
        world.run(HOUR_S - 5);
        let (exposed, spent) = (world.allocation().exposed, world.spent());
        world.run(5);
        let billed = (world.spent() - spent) as f64;
        assert!((0.99..1.03).contains(&(exposed as f64 / billed)), "{exposed} {billed}");
    }
}

#[test]
fn a_budget_that_is_cut_or_raised_acts_at_the_next_tick_and_loses_nothing() {
    let mut world = World::new(daily(100), 1000);
    assert!(world.run(6 * HOUR_S) > 0);
    let spent = world.allocation().spent_today;
    assert_eq!(spent, world.spent());
    world.pacer.plan(vec![daily(20)], Terms::default(), 0);
    assert_eq!(world.tick(), 0);
    assert_eq!(world.allocation().why, Why::DailyOverspent);
    world.pacer.plan(Vec::new(), Terms::default(), 0);
    world.tick();
    world.pacer.plan(vec![daily(200)], Terms::default(), 0);
    assert!(world.tick() > 0);
    assert!(world.allocation().spent_today >= spent);
}

#[test]
fn without_the_ledger_bids_slow_and_do_not_overspend() {
    let mut world = World::new(asap(100), 100_000);
    world.spends(HOUR_S / 2, 0.0..=80.0);
    world.is_answering = false;
    world.spends(12 * HOUR_S, 60.0..=100.0);
}

#[test]
fn a_place_that_never_answers_counts_with_all_that_it_may_have_booked() {
    let mut world = World::new(daily(100), 1000);
    // Yesterday had two places, today only one of them tells anything.
    world.pacer.booked("2026-10-24/00", false, std::iter::empty());
    world.pacer.booked("2026-10-24/01", false, std::iter::empty());
    world.run(DAY_S - 60);
    let now = world.allocation();
    assert!((45 * DOLLAR..=50 * DOLLAR + PRICE).contains(&now.spent_today), "{now:?}");
    let mut again = world.restarted(daily(100));
    let next_ms = world.now_s * 1000 + 5_000;
    again.tick(next_ms);
    for allocation in [now, allocation(&again, next_ms)] {
        assert!(allocation.exposed.abs_diff(allocation.spent_today) < 2 * DOLLAR, "{allocation:?}");
    }
}

#[test]
fn bids_that_become_dearer_are_new_and_do_not_overspend() {
    let mut world = World::new(asap(100), 20);
    world.spends(3 * HOUR_S, 0.0..=20.0);
    // Each bid costs thirty times as much, and is billed three times as often.
    (world.price, world.wins) = (30 * PRICE, 0.3);
    world.spends(6 * HOUR_S, 90.0..=105.0);
}

#[test]
fn a_day_of_25_hours_is_spent_in_25_hours() {
    let zone = Zone(vec![(0, 120), (1_792_890_000_000, 60)]);
    let mut world = World::new(Budget { zone, ..daily(100) }, 1000);
    // The day began two hours before, at 22:00 UTC.
    world.now_s -= 2 * 3600;
    world.spends(25 * HOUR_S, 99.0..=100.0);
    assert_eq!(allocation(&world.pacer, world.now_s * 1000 - 60_000).spent_today, world.spent());
}

#[test]
fn a_total_ends_the_flight() {
    let budget = Budget { daily: 0, total: 30 * DOLLAR, is_asap: true, ..daily(0) };
    let mut world = World::new(budget, 10_000);
    world.pacer.past([past(FIRST_DAY, 20 * DOLLAR, [0; 3])].into_iter());
    world.spends(12 * HOUR_S, 9.9..=10.0);
}

#[test]
fn a_restart_gives_the_same_shares() {
    let mut world = World::new(daily(100), 1000);
    world.run(3 * HOUR_S);
    let mut again = world.restarted(daily(100));
    world.pacer.booked(PLACE, true, world.bills.iter().copied());
    let next_ms = world.now_s * 1000 + 5_000;
    let shares = again.tick(next_ms);
    assert!(shares.of(CAMPAIGN) > 0);
    assert_eq!(shares, world.pacer.tick(next_ms));
    let texts = [&again, &world.pacer].map(|pacer| {
        let mut text = String::new();
        pacer.save(&mut text);
        text
    });
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn a_campaign_outside_its_flight_does_not_bid() {
    let now_ms = MIDNIGHT_S * 1000;
    let flights = |flights: Vec<(i64, i64)>| {
        let flight = |(start_ms, end_ms)| Flight { start_ms, end_ms, ..Flight::ALWAYS };
        Budget { flights: flights.into_iter().map(flight).collect(), ..daily(9) }
    };
    let tomorrow_ms = now_ms + DAY_S * 1000;
    for (budget, requests, why) in [
        (flights(vec![(tomorrow_ms, i64::MAX)]), 1000, Why::NotStarted),
        (flights(vec![(0, now_ms)]), 1000, Why::Over),
        (flights(vec![(0, now_ms), (tomorrow_ms, i64::MAX)]), 1000, Why::BetweenFlights),
        (Budget { is_paused: true, ..daily(9) }, 1000, Why::Paused),
        (daily(9), 0, Why::NoCounts),
    ] {
        let mut world = World::new(budget, requests);
        assert_eq!(world.run(600), 0);
        assert_eq!(world.allocation().why, why);
    }
}

#[test]
fn another_zone_asks_for_the_bills_again() {
    let mut pacer = Pacer::default();
    assert!(!pacer.plan(vec![daily(5)], Terms::default(), 0));
    let bill = bill(CAMPAIGN, 60, 5);
    pacer.booked(PLACE, true, [bill].into_iter());
    assert!(!pacer.plan(vec![daily(6)], Terms::default(), 0));
    assert!(pacer.plan(vec![Budget { zone: Zone(vec![(0, -60)]), ..daily(6) }], Terms::default(), 0));
    pacer.booked(PLACE, true, [bill].into_iter());
    assert_eq!([60, HOUR_S].map(|second| allocation(&pacer, (MIDNIGHT_S + second) * 1000).spent_today), [5, 0]);
}

proptest! {
    #[test]
    fn bills_between_two_midnights_may_be_booked_as_one(
        seconds in proptest::collection::vec(0..DAY_S, 1..20), minutes in -720..840_i64, day in -30..30_i64,
    ) {
        let zones = [Zone::default(), Zone(vec![(0, 60), (1_774_746_000_000, 120), (1_792_890_000_000, 60)]), Zone(vec![(0, minutes)])];
        let campaigns = zones.iter().zip(1..).map(|(zone, key)| Budget { key, zone: zone.clone(), ..daily(5) });
        let mut pacer = Pacer::default();
        pacer.plan(campaigns.collect(), Terms::default(), 0);
        let first_s = MIDNIGHT_S + day * DAY_S;
        let midnights = pacer.midnights(first_s / DAY_S);
        prop_assert!(midnights.len() <= 4 && midnights.first() == Some(&first_s));
        for second in seconds {
            let issued_s = first_s + second;
            let begin_s = *midnights.range(..=issued_s).next_back().unwrap();
            for zone in &zones {
                prop_assert_eq!(zone.day(begin_s * 1000), zone.day(issued_s * 1000));
            }
        }
    }
}

#[test]
fn a_flight_has_a_total_of_its_own_and_leaves_nothing_to_the_next_one() {
    let flight = |day: i64, total: u64| Flight {
        start_ms: (MIDNIGHT_S + day * DAY_S) * 1000,
        end_ms: (MIDNIGHT_S + (day + 1) * DAY_S) * 1000,
        daily: 0,
        total: total * DOLLAR,
    };
    let budget = Budget { flights: vec![flight(0, 30), flight(1, 10), flight(2, 20)], ..daily(0) };
    let mut world = World::new(budget, 5);
    // The first flight has too few requests to spend its total.
    world.spends(DAY_S, 10.0..=25.0);
    world.requests = 1000;
    for (least, most) in [(9.8, 10.0), (19.8, 20.0)] {
        let before = world.spent() as f64 / DOLLAR as f64;
        world.spends(DAY_S, before + least..=before + most + 0.002);
    }
    assert_eq!(world.run(600), 0);
    assert_eq!(world.allocation().why, Why::Over);
}

#[test]
fn the_campaigns_of_an_order_share_its_budget() {
    let order = Budget { key: CAMPAIGN, members: vec![(8, "a".into()), (9, "b".into())], ..daily(100) };
    let mut world = World::new(order, 1000);
    world.payers = vec![8, 9];
    world.spends(12 * HOUR_S, 48.0..=52.0);
    world.spends(12 * HOUR_S - 60, 99.0..=100.0);
    assert_eq!(world.allocation().spent_today, world.spent());
}

#[test]
fn a_campaign_takes_what_it_has_spent_into_another_budget() {
    let order = |key, members: &[u64]| Budget {
        key,
        members: members.iter().map(|member| (*member, String::new())).collect(),
        ..daily(5)
    };
    let bill = |campaign, nanos| bill(campaign, 60, nanos);
    let mut pacer = Pacer::default();
    let mut spent = |budgets: Vec<Budget>, bills: &[Booked]| -> Vec<u64> {
        assert!(!pacer.plan(budgets, Terms::default(), 0));
        pacer.booked(PLACE, false, bills.iter().copied());
        pacer.statuses(MIDNIGHT_S * 1000 + 90_000).map(|status| status.allocation.spent_today).collect()
    };
    assert_eq!(spent(vec![order(100, &[1, 2]), order(200, &[3])], &[bill(1, 5), bill(2, 7), bill(3, 11)]), [12, 11]);
    assert_eq!(spent(vec![order(100, &[1]), order(200, &[3, 2])], &[bill(2, 1)]), [5, 19]);
    assert_eq!(spent(vec![Budget { key: 2, ..daily(5) }, order(100, &[1])], &[]), [8, 5]);
}

#[test]
fn a_total_that_is_added_later_counts_no_bill_twice() {
    let total = Budget { total: 9 * DOLLAR, ..daily(5) };
    let bill = bill(CAMPAIGN, 60, 5);
    let now_ms = (MIDNIGHT_S + 16 * DAY_S) * 1000;
    let mut pacer = Pacer::default();
    pacer.plan(vec![daily(5)], Terms::default(), 0);
    assert!(asked(&[daily(5)], now_ms).is_empty());
    pacer.booked(PLACE, true, [bill].into_iter());
    pacer.tick(now_ms);
    // The object has handed its totals over, and the summary tells them.
    pacer.closed(PLACE);
    pacer.plan(vec![total.clone()], Terms::default(), 0);
    assert_eq!(asked(&[total], now_ms).into_iter().collect::<Vec<_>>(), [(CAMPAIGN, FIRST_DAY)]);
    pacer.past([past(FIRST_DAY, 5, [0; 3])].into_iter());
    assert_eq!(allocation(&pacer, now_ms).spent, 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Sums are those of a map from place to bills, whatever the order of parts and wholes; and nothing is bid on a
    /// budget that is spent.
    #[test]
    fn sums_are_exact(
        calls in proptest::collection::vec((0..3_usize, any::<bool>(), proptest::collection::vec((0..3_u64, 0..200_000_i64, 0..DOLLAR), 0..6)), 1..20),
        limit in 1..4_000_u64,
    ) {
        let places = ["2026-10-25/00", "2026-10-25/01", "2026-10-26/00"];
        let mut pacer = Pacer::default();
        let budget = |key| Budget { key, daily: limit * DOLLAR / 1000, ..Budget::default() };
        pacer.plan((0..3).map(budget).collect(), Terms::default(), 0);
        let mut known: BTreeMap<usize, Vec<Booked>> = BTreeMap::new();
        for (at, (place, is_whole, rows)) in calls.into_iter().enumerate() {
            let bills: Vec<Booked> = rows.into_iter().map(|(campaign, second, nanos)| bill(campaign, second, nanos)).collect();
            pacer.booked(places[place], is_whole, bills.iter().copied());
            let held = known.entry(place).or_default();
            if is_whole {
                held.clear();
            }
            held.extend(bills);
            let now_ms = MIDNIGHT_S * 1000 + i64::try_from(at).unwrap() * 5_000;
            let mut counts = Counts { since_ms: now_ms - 5_000, ..Counts::default() };
            for campaign in 0..3 {
                counts.add((campaign, SSP), Count { matched: 1000, bids: 1, guaranteed: 0, nanos: PRICE });
            }
            pacer.report(&counts);
            let shares = pacer.tick(now_ms);
            for status in pacer.statuses(now_ms) {
                let Allocation { share, spent, spent_today, .. } = status.allocation;
                let of = |campaign: u64, end: i64| -> u64 {
                    let bills = known.values().flatten().filter(|bill| bill.campaign == campaign && bill.issued_s < end);
                    bills.map(|bill| bill.nanos).sum()
                };
                prop_assert!(shares.rows.iter().any(|(_, new)| *new == share));
                prop_assert!(share == 0 || spent_today < status.daily);
                let sums: Vec<(u64, u64)> = (0..3).map(|campaign| (of(campaign, i64::MAX), of(campaign, MIDNIGHT_S + DAY_S))).collect();
                prop_assert!(sums.contains(&(spent, spent_today)), "{spent} {spent_today} {sums:?}");
            }
        }
    }

    /// What is known of a flight equals the sum of all bills since its start, in whatever places they are, and those
    /// before it count for no later flight.
    #[test]
    fn spent_of_a_flight_is_exact(
        bills in proptest::collection::vec((0..20_i64, 0..86_400_i64, 0..DOLLAR), 0..30),
        starts in proptest::collection::btree_set(0..20_i64, 1..5),
        gap in 0..2_i64,
        today in 0..20_i64,
        minutes in -720..840_i64,
        closed_days in 0..4_i64,
    ) {
        let zone = Zone(vec![(0, minutes)]);
        let first = zone.day(MIDNIGHT_S * 1000);
        let starts: Vec<i64> = starts.into_iter().collect();
        let flights = starts.iter().enumerate().map(|(at, start)| Flight {
            start_ms: zone.start(first + start),
            end_ms: starts.get(at + 1).map_or(i64::MAX, |next| zone.start(first + (next - gap).max(start + 1))),
            daily: 0,
            total: 1 + at as u64,
        });
        let budget = Budget { flights: flights.collect(), zone: zone.clone(), ..daily(0) };
        let now_ms = zone.start(first + today) + 1;
        let mut pacer = Pacer::default();
        pacer.plan(vec![budget.clone()], Terms::default(), 0);
        let booked = |(day, second, nanos): &(i64, i64, u64)| {
            bill(CAMPAIGN, zone.start(first + day) / 1000 - MIDNIGHT_S + second, *nanos)
        };
        let place = |day: i64| format!("2026-11-{:02}/00", day + 1);
        for day in 0..20 {
            let of_day = bills.iter().filter(|bill| bill.0 == day).map(booked);
            pacer.booked(&place(day), day % 2 == 0, of_day);
        }
        // The flight of today, else the next one, else the last one.
        let current = budget.flights.iter().position(|flight| now_ms < flight.end_ms).unwrap_or(starts.len() - 1);
        // The first days are handed over; the summary is asked for the days of the flight only.
        let expected_since = first + starts[current];
        let asked: Vec<(u64, i64)> = asked(&[budget], now_ms).into_iter().collect();
        prop_assert_eq!(&asked[..], [(CAMPAIGN, expected_since)]);
        for day in 0..closed_days {
            pacer.closed(&place(day));
        }
        let sum = |is: &dyn Fn(i64) -> bool| -> u64 {
            bills.iter().filter(|bill| is(bill.0) && bill.0 >= starts[current]).map(|bill| bill.2).sum()
        };
        // Another flight's past is not this one's.
        let own = past(expected_since, sum(&|day| day < closed_days), [0; 3]);
        pacer.past([own, past(expected_since - 1, DOLLAR, [0; 3])].into_iter());
        let status = pacer.statuses(now_ms).next().unwrap();
        prop_assert_eq!((status.allocation.spent, status.total), (sum(&|_| true), 1 + current as u64));
    }
}

#[test]
fn past_days_count_in_the_currency_that_they_were_spent_in() {
    let budget = Budget { total: 9 * DOLLAR, cur: "USD".to_owned(), ..daily(5) };
    let mut pacer = Pacer::default();
    let rates = [(*b"USD", 150_000_000), (*b"JPY", 1_000_000)].into();
    pacer.plan(vec![budget], Terms { rates, ..Terms::default() }, 0);
    let all = [(150 * DOLLAR, *b"JPY"), (2 * DOLLAR, *b"USD"), (3, [0; 3])];
    // What is told again replaces what was told before.
    for _ in 0..2 {
        pacer.past(all.into_iter().map(|(nanos, cur)| past(FIRST_DAY, nanos, cur)));
    }
    assert_eq!(allocation(&pacer, MIDNIGHT_S * 1000).spent, 3 * DOLLAR + 3);
}

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

fn saved(pacer: &Pacer) -> String {
    let mut text = String::new();
    pacer.save(&mut text);
    text
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
        let mut world = World::new(daily(100), 1000);
        world.run(HOUR_S);
        world.pacer.plan(Vec::new(), Terms::default(), 0);
        for minute in 1..days * 24 * 60 {
            world.pacer.tick((world.now_s + minute * 60) * 1000);
        }
        world.pacer.plan(vec![daily(100)], Terms::default(), 0);
        let why = allocation(&world.pacer, (world.now_s + days * DAY_S) * 1000).why;
        (why != Why::NoCounts, saved(&world.pacer).contains(&format!("{CAMPAIGN:016x} {SSP:016x}")))
    };
    assert_eq!(is_known_after(6), (true, true));
    assert_eq!(is_known_after(10), (false, false));
}

#[test]
fn a_budget_that_returns_in_another_currency_knows_what_its_bids_cost() {
    let terms = || Terms { rates: [(*b"USD", 1_000_000_000), (*b"JPY", 10_000_000)].into(), ..Terms::default() };
    let budget = |cur: &str, dollars| vec![Budget { cur: cur.into(), ..daily(dollars) }];
    let mut world = World::new(daily(100), 1000);
    world.pacer.plan(budget("USD", 100), terms(), 0);
    world.run(HOUR_S);
    for is_restarted in [false, true] {
        let exposed = |cur, whole| {
            let mut pacer = if is_restarted { Pacer::restore(&saved(&world.pacer)) } else { world.pacer.clone() };
            pacer.plan(Vec::new(), terms(), 0);
            pacer.plan(budget(cur, whole), terms(), 0);
            allocation(&pacer, world.now_s * 1000).exposed
        };
        let (dollars, yen) = (exposed("USD", 100), exposed("JPY", 10_000));
        assert!((dollars * 99..dollars * 101).contains(&yen), "{yen} {dollars} {is_restarted}");
    }
}

#[test]
fn an_ssp_with_requests_and_no_bids_leaves_no_row_in_the_state() {
    let mut world = World::new(daily(100), 0);
    world.run(60);
    let mut counts = Counts::default();
    counts.add((CAMPAIGN, 99), Count { matched: 5, ..Count::default() });
    world.pacer.report(&counts);
    world.tick();
    assert!(!saved(&world.pacer).contains(&format!("bid {CAMPAIGN:016x} ")));
}

#[test]
fn spend_in_a_currency_that_has_left_the_rates_holds_the_budget_back() {
    let cell = |cur| Booked { cur, ..bill(CAMPAIGN, 60, DOLLAR) };
    let rates =
        |curs: &[&[u8; 3]]| Terms { rates: curs.iter().map(|cur| (**cur, 1_000)).collect(), ..Terms::default() };
    let held_back = |budget: Budget, terms: Terms, bills: &[Booked], past: Option<[u8; 3]>| {
        let mut pacer = Pacer::default();
        pacer.plan(vec![Budget { cur: "USD".into(), ..budget }], terms, 0);
        pacer.booked(PLACE, true, bills.iter().copied());
        if let Some(cur) = past {
            pacer.past([self::past(FIRST_DAY, DOLLAR, cur)].into_iter());
        }
        allocation(&pacer, (MIDNIGHT_S + 90) * 1000).why == Why::RateMissing
    };
    let total = Budget { total: 9 * DOLLAR, ..daily(0) };
    let yesterday = Booked { issued_s: MIDNIGHT_S - 60, ..cell(*b"GBP") };
    for (budget, bills, past, expected) in [
        (daily(5), vec![cell(*b"GBP")], None, true),
        (daily(5), vec![cell(*b"USD"), cell([0; 3])], None, false),
        // A daily budget counts only its own day.
        (daily(5), vec![yesterday], None, false),
        (total.clone(), vec![yesterday], Some(*b"USD"), true),
        (total.clone(), vec![], Some(*b"GBP"), true),
        (total, vec![], Some(*b"USD"), false),
    ] {
        assert_eq!(held_back(budget.clone(), rates(&[b"USD"]), &bills, past), expected, "{bills:?} {past:?}");
        assert!(!held_back(budget, rates(&[b"USD", b"GBP"]), &bills, past));
    }
}

#[test]
fn a_price_that_has_fallen_is_spent_no_more() {
    let now_ms = (MIDNIGHT_S + DAY_S / 2) * 1000;
    let mut pacer = Pacer::default();
    pacer.plan(vec![Budget { total: 9 * DOLLAR, ..daily(0) }], Terms::default(), 0);
    pacer.past([past(FIRST_DAY, 0, [0; 3])].into_iter());
    pacer.booked(PLACE, true, [bill(CAMPAIGN, 60, 100)].into_iter());
    let fallen = Booked { count: 0, fall: 60, ..bill(CAMPAIGN, 60, 0) };
    pacer.booked(PLACE, false, [fallen, bill(CAMPAIGN, 60, 7)].into_iter());
    assert_eq!(allocation(&pacer, now_ms).spent, 47);
    pacer.booked(PLACE, true, [bill(CAMPAIGN, 60, 5)].into_iter());
    assert_eq!(allocation(&pacer, now_ms).spent, 5);
}

#[test]
fn bills_of_past_days_weigh_as_those_of_recent_days() {
    let total = Budget { total: 9 * DOLLAR, ..daily(0) };
    let ssp = SspTerms { invoice_ratio: 1_100_000, ..SspTerms::default() };
    let terms = Terms { ssps: [(SSP, ssp)].into(), ..Terms::default() };
    let sums = [
        Booked { bid: 120, ..bill(CAMPAIGN, 60, 100) },
        // Refused, and in another unit at another SSP.
        Booked { count: 0, held: 40, ..bill(CAMPAIGN, 60, 0) },
        Booked { ssp: 4, bid: 5_000, ..bill(CAMPAIGN, 60, 5) },
    ];
    let now_ms = (MIDNIGHT_S + 9 * DAY_S) * 1000;
    let mut pacer = Pacer::default();
    pacer.plan(vec![total], terms, 0);
    pacer.past([past(FIRST_DAY, 0, [0; 3])].into_iter());
    pacer.booked(PLACE, true, sums.into_iter());
    assert_eq!(allocation(&pacer, now_ms).spent, 110 + 40 + 5_000);
    pacer.closed(PLACE);
    pacer.past(sums.into_iter().map(|sum| (FIRST_DAY, sum)));
    assert_eq!(allocation(&pacer, now_ms).spent, 110 + 40 + 5_000);
}
