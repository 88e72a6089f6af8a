//! The pacer in a closed loop with a dull model of isolates and bills, and what it keeps through faults.

#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a model")]

use std::collections::{BTreeMap, VecDeque};

use pacing::budget::{Budget, FIRST_DAY, Flight, asked};
use pacing::counts::{Count, Counts};
use pacing::day::Zone;
use pacing::pacer::{Booked, Pacer};
use pacing::shares::{Shares, WHOLE};
use pacing::terms::Terms;
use proptest::prelude::*;

/// Midnight of 2026-10-25 in UTC.
const MIDNIGHT_S: i64 = 1_792_886_400;
const PLACE: &str = "2026-10-25/00";
const DOLLAR: u64 = 1_000_000_000;
/// Nanos of a bid and a bill.
const PRICE: u64 = 2_000_000;
const CAMPAIGN: u64 = 7;
const SSP: u64 = 3;

/// Each fifth request let through is bid on, each tenth bid is billed, 20 s later.
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
    told: usize,
    /// The campaigns that the bills name in turn.
    payers: Vec<u64>,
    /// Nanos of a bid and a bill, and the part of the bids that is billed.
    price: u64,
    wins: f64,
}

impl World {
    fn new(budget: Budget, requests: u64) -> World {
        let mut pacer = Pacer::default();
        pacer.plan(vec![budget], Terms::default());
        World {
            pacer,
            now_s: MIDNIGHT_S,
            requests,
            shares: VecDeque::new(),
            parts: (0.0, 0.0),
            due: VecDeque::new(),
            bills: Vec::new(),
            is_answering: true,
            told: 0,
            payers: vec![CAMPAIGN],
            price: PRICE,
            wins: 0.1,
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
        while let Some((issued_s, count)) = self.due.front().copied().filter(|(at, _)| *at + 20 <= self.now_s) {
            self.due.pop_front();
            if count > 0 {
                let nanos = count * self.price;
                let campaign = self.payers.get(self.bills.len() % self.payers.len()).copied();
                self.bills.extend(campaign.map(|campaign| Booked {
                    campaign,
                    ssp: SSP,
                    issued_s,
                    count,
                    nanos,
                    ..Booked::default()
                }));
            }
        }
        if self.is_answering {
            let place = format!("2026-10-{}/00", 25 + (self.now_s - MIDNIGHT_S) / 86_400);
            self.pacer.booked(&place, false, self.bills.iter().skip(self.told).copied());
            self.told = self.bills.len();
        }
        let shares = self.pacer.tick(self.now_s * 1000);
        let share = shares.of(CAMPAIGN);
        self.shares.push_back(shares);
        share
    }

    fn run(&mut self, seconds: i64) -> u32 {
        (0..seconds / 5).map(|_| self.tick()).last().unwrap_or_default()
    }
}

fn daily(dollars: u64) -> Budget {
    Budget { id: "shoes".into(), key: CAMPAIGN, daily: dollars * DOLLAR, ..Budget::default() }
}

#[test]
fn an_even_budget_is_spent_over_the_day_and_not_above() {
    let mut world = World::new(daily(100), 1000);
    world.run(12 * 3600);
    let half = world.spent();
    assert!(half.abs_diff(50 * DOLLAR) < 2 * DOLLAR, "{half}");
    world.run(12 * 3600);
    let spent = world.spent();
    assert!((99 * DOLLAR..=100 * DOLLAR + PRICE).contains(&spent), "{spent}");
}

#[test]
fn a_flood_of_requests_does_not_overspend_a_small_budget() {
    for is_asap in [false, true] {
        let mut world = World::new(Budget { is_asap, ..daily(5) }, 400_000);
        world.run(24 * 3600 - 60);
        let spent = world.spent();
        assert!((4_900_000_000..=5 * DOLLAR + PRICE).contains(&spent), "{is_asap} {spent}");
    }
}

#[test]
fn asap_is_quick_and_ends() {
    let mut world = World::new(Budget { is_asap: true, ..daily(100) }, 100_000);
    world.run(3 * 3600);
    assert!(world.spent() > 70 * DOLLAR, "{}", world.spent());
    world.run(9 * 3600);
    assert!((99 * DOLLAR..=100 * DOLLAR + PRICE).contains(&world.spent()), "{}", world.spent());
}

#[test]
fn a_budget_that_is_cut_or_raised_acts_at_the_next_tick_and_loses_nothing() {
    let mut world = World::new(daily(100), 1000);
    assert!(world.run(6 * 3600) > 0);
    let spent = world.pacer.told(world.now_s * 1000)[0].spent_today;
    assert_eq!(spent, world.spent());
    world.pacer.plan(vec![daily(20)], Terms::default());
    assert_eq!(world.tick(), 0);
    assert_eq!(world.pacer.told(world.now_s * 1000)[0].why, "the daily budget is spent");
    world.pacer.plan(Vec::new(), Terms::default());
    world.tick();
    world.pacer.plan(vec![daily(200)], Terms::default());
    assert!(world.tick() > 0);
    assert!(world.pacer.told(world.now_s * 1000)[0].spent_today >= spent);
}

#[test]
fn without_the_ledger_bids_slow_and_do_not_overspend() {
    let mut world = World::new(Budget { is_asap: true, ..daily(100) }, 100_000);
    world.run(1800);
    assert!(world.spent() < 80 * DOLLAR);
    world.is_answering = false;
    world.run(12 * 3600);
    let spent = world.spent();
    assert!(spent <= 100 * DOLLAR + PRICE, "{spent}");
    assert!(spent > 60 * DOLLAR, "{spent}");
}

#[test]
fn a_place_that_never_answers_counts_with_all_that_it_may_have_booked() {
    let mut world = World::new(daily(100), 1000);
    // Yesterday had two places, today only one of them tells anything.
    world.pacer.booked("2026-10-24/00", false, std::iter::empty());
    world.pacer.booked("2026-10-24/01", false, std::iter::empty());
    world.run(24 * 3600 - 60);
    let told = &world.pacer.told(world.now_s * 1000)[0];
    assert!((45 * DOLLAR..=50 * DOLLAR + PRICE).contains(&told.spent_today), "{told:?}");
    assert!(told.exposed.abs_diff(told.spent_today) < 2 * DOLLAR, "{told:?}");
    // Also after a restart.
    let mut saved = String::new();
    world.pacer.save(&mut saved);
    let mut again = Pacer::restore(&saved);
    again.plan(vec![daily(100)], Terms::default());
    again.booked(PLACE, true, world.bills.iter().copied());
    again.tick(world.now_s * 1000 + 5_000);
    let told = &again.told(world.now_s * 1000 + 5_000)[0];
    assert!(told.exposed.abs_diff(told.spent_today) < 2 * DOLLAR, "{told:?}");
}

#[test]
fn bids_that_become_dearer_are_new_and_do_not_overspend() {
    let mut world = World::new(Budget { is_asap: true, ..daily(100) }, 20);
    world.run(3 * 3600);
    let before = world.spent();
    assert!(before < 20 * DOLLAR, "{before}");
    // Each bid costs thirty times as much, and is billed three times as often.
    (world.price, world.wins) = (30 * PRICE, 0.3);
    world.run(6 * 3600);
    let spent = world.spent();
    assert!((90 * DOLLAR..=105 * DOLLAR).contains(&spent), "{spent}");
}

#[test]
fn a_day_of_25_hours_is_spent_in_25_hours() {
    let zone = Zone(vec![(0, 120), (1_792_890_000_000, 60)]);
    let mut world = World::new(Budget { zone, ..daily(100) }, 1000);
    // The day began two hours before, at 22:00 UTC.
    world.now_s -= 2 * 3600;
    world.run(25 * 3600);
    let spent = world.spent();
    assert!((99 * DOLLAR..=100 * DOLLAR + PRICE).contains(&spent), "{spent}");
    assert_eq!(world.pacer.told(world.now_s * 1000 - 60_000)[0].spent_today, spent);
}

#[test]
fn a_total_ends_the_flight() {
    let budget = Budget { daily: 0, total: 30 * DOLLAR, is_asap: true, ..daily(0) };
    let mut world = World::new(budget, 10_000);
    world.pacer.past(CAMPAIGN, FIRST_DAY, 20 * DOLLAR, [0; 3]);
    world.run(12 * 3600);
    assert!((9_900_000_000..=10 * DOLLAR + PRICE).contains(&world.spent()), "{}", world.spent());
}

#[test]
fn a_restart_gives_the_same_shares() {
    let mut world = World::new(daily(100), 1000);
    world.run(3 * 3600);
    let mut saved = String::new();
    world.pacer.save(&mut saved);
    let mut again = Pacer::restore(&saved);
    again.plan(vec![daily(100)], Terms::default());
    let mut shares = [&mut world.pacer, &mut again].map(|pacer| {
        pacer.booked(PLACE, true, world.bills.iter().copied());
        pacer.tick(world.now_s * 1000 + 5_000)
    });
    assert!(shares[0].of(CAMPAIGN) > 0);
    let (first, second) = shares.split_at_mut(1);
    assert_eq!(first[0], second[0]);
    let mut text = String::new();
    again.save(&mut text);
    let mut other = String::new();
    world.pacer.save(&mut other);
    assert_eq!(text, other);
}

#[test]
fn a_campaign_outside_its_flight_does_not_bid() {
    let now_ms = MIDNIGHT_S * 1000;
    let flights = |flights: Vec<(i64, i64)>| {
        let flight = |(start_ms, end_ms)| Flight { start_ms, end_ms, ..Flight::ALWAYS };
        Budget { flights: flights.into_iter().map(flight).collect(), ..daily(9) }
    };
    let cases = [
        (flights(vec![(now_ms + 86_400_000, i64::MAX)]), "not started"),
        (flights(vec![(0, now_ms)]), "over"),
        (flights(vec![(0, now_ms), (now_ms + 86_400_000, i64::MAX)]), "between two flights"),
        (Budget { is_paused: true, ..daily(9) }, "paused"),
    ];
    for (budget, why) in cases {
        let mut world = World::new(budget, 1000);
        assert_eq!(world.run(600), 0);
        assert_eq!(world.pacer.told(world.now_s * 1000)[0].why, why);
    }
    let mut world = World::new(daily(9), 0);
    assert_eq!(world.run(600), 0);
    assert_eq!(world.pacer.told(world.now_s * 1000)[0].why, "no counts yet");
}

#[test]
fn another_zone_asks_for_the_bills_again() {
    let mut pacer = Pacer::default();
    assert!(!pacer.plan(vec![daily(5)], Terms::default()));
    let bill =
        Booked { campaign: CAMPAIGN, ssp: SSP, issued_s: MIDNIGHT_S + 60, count: 1, nanos: 5, ..Booked::default() };
    pacer.booked(PLACE, true, [bill].into_iter());
    assert!(!pacer.plan(vec![daily(6)], Terms::default()));
    assert!(pacer.plan(vec![Budget { zone: Zone(vec![(0, -60)]), ..daily(6) }], Terms::default()));
    pacer.booked(PLACE, true, [bill].into_iter());
    assert_eq!(pacer.told(MIDNIGHT_S * 1000 + 60_000)[0].spent_today, 5);
    assert_eq!(pacer.told(MIDNIGHT_S * 1000 + 3_600_000)[0].spent_today, 0);
}

#[test]
fn a_flight_has_a_total_of_its_own_and_leaves_nothing_to_the_next_one() {
    let day_ms = 86_400_000;
    let flight = |day: i64, total: u64| Flight {
        start_ms: MIDNIGHT_S * 1000 + day * day_ms,
        end_ms: MIDNIGHT_S * 1000 + (day + 1) * day_ms,
        daily: 0,
        total: total * DOLLAR,
    };
    let budget = Budget { flights: vec![flight(0, 30), flight(1, 10), flight(2, 20)], ..daily(0) };
    let mut world = World::new(budget, 5);
    // The first flight has too few requests to spend its total.
    world.run(86_400);
    let first = world.spent();
    assert!((10 * DOLLAR..25 * DOLLAR).contains(&first), "{first}");
    world.requests = 1000;
    world.run(86_400);
    let second = world.spent() - first;
    assert!((9_800_000_000..=10 * DOLLAR + 2 * PRICE).contains(&second), "{second}");
    world.run(86_400);
    let third = world.spent() - first - second;
    assert!((19_800_000_000..=20 * DOLLAR + 2 * PRICE).contains(&third), "{third}");
    assert_eq!(world.run(600), 0);
    assert_eq!(world.pacer.told(world.now_s * 1000)[0].why, "over");
}

#[test]
fn the_campaigns_of_an_order_share_its_budget() {
    let order = Budget { key: CAMPAIGN, members: vec![(8, "a".into()), (9, "b".into())], ..daily(100) };
    let mut world = World::new(order, 1000);
    world.payers = vec![8, 9];
    world.run(12 * 3600);
    let half = world.spent();
    assert!(half.abs_diff(50 * DOLLAR) < 2 * DOLLAR, "{half}");
    world.run(12 * 3600 - 60);
    let told = &world.pacer.told(world.now_s * 1000)[0];
    assert_eq!((told.spent_today, &told.members[..]), (world.spent(), &["a".to_owned(), "b".to_owned()][..]));
    assert!((99 * DOLLAR..=100 * DOLLAR + PRICE).contains(&world.spent()), "{}", world.spent());
}

#[test]
fn a_campaign_takes_what_it_has_spent_into_another_budget() {
    let order = |key, members: &[u64]| Budget {
        key,
        members: members.iter().map(|member| (*member, String::new())).collect(),
        ..daily(5)
    };
    let bill = |campaign, nanos| Booked {
        campaign,
        ssp: SSP,
        issued_s: MIDNIGHT_S + 60,
        count: 1,
        nanos,
        ..Booked::default()
    };
    let mut pacer = Pacer::default();
    let mut spent = |budgets: Vec<Budget>, bills: &[Booked]| -> Vec<u64> {
        assert!(!pacer.plan(budgets, Terms::default()));
        pacer.booked(PLACE, false, bills.iter().copied());
        pacer.told(MIDNIGHT_S * 1000 + 90_000).iter().map(|told| told.spent_today).collect()
    };
    assert_eq!(spent(vec![order(100, &[1, 2]), order(200, &[3])], &[bill(1, 5), bill(2, 7), bill(3, 11)]), [12, 11]);
    assert_eq!(spent(vec![order(100, &[1]), order(200, &[3, 2])], &[bill(2, 1)]), [5, 19]);
    assert_eq!(spent(vec![Budget { key: 2, ..daily(5) }, order(100, &[1])], &[]), [8, 5]);
}

#[test]
fn a_total_that_is_added_later_counts_no_bill_twice() {
    let total = Budget { total: 9 * DOLLAR, ..daily(5) };
    let bill =
        Booked { campaign: CAMPAIGN, ssp: SSP, issued_s: MIDNIGHT_S + 60, count: 1, nanos: 5, ..Booked::default() };
    let now_ms = MIDNIGHT_S * 1000 + 16 * 86_400_000;
    let mut pacer = Pacer::default();
    pacer.plan(vec![daily(5)], Terms::default());
    assert!(asked(&[daily(5)], now_ms).is_empty());
    pacer.booked(PLACE, true, [bill].into_iter());
    pacer.tick(now_ms);
    // The object has handed its totals over, and the summary tells them.
    pacer.closed(PLACE);
    pacer.plan(vec![total.clone()], Terms::default());
    assert_eq!(asked(&[total], now_ms).into_iter().collect::<Vec<_>>(), [(CAMPAIGN, FIRST_DAY)]);
    pacer.past(CAMPAIGN, FIRST_DAY, 5, [0; 3]);
    assert_eq!(pacer.told(now_ms)[0].spent, 5);
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
        pacer.plan((0..3).map(budget).collect(), Terms::default());
        let mut known: BTreeMap<usize, Vec<Booked>> = BTreeMap::new();
        for (at, (place, is_whole, rows)) in calls.into_iter().enumerate() {
            let bills: Vec<Booked> = rows
                .into_iter()
                .map(|(campaign, second, nanos)| Booked { campaign, ssp: SSP, issued_s: MIDNIGHT_S + second, count: 1, nanos, ..Booked::default() })
                .collect();
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
            for told in pacer.told(now_ms) {
                let of = |campaign: u64, end: i64| -> u64 {
                    let bills = known.values().flatten().filter(|bill| bill.campaign == campaign && bill.issued_s < end);
                    bills.map(|bill| bill.nanos).sum()
                };
                let campaign = shares.rows.iter().position(|(_, share)| *share == told.share);
                prop_assert!(campaign.is_some());
                prop_assert!(told.share == 0 || told.spent_today < told.daily);
                let sums: Vec<(u64, u64)> = (0..3).map(|campaign| (of(campaign, i64::MAX), of(campaign, MIDNIGHT_S + 86_400))).collect();
                prop_assert!(sums.contains(&(told.spent, told.spent_today)), "{told:?} {sums:?}");
            }
        }
    }

    /// What is told of a flight equals the sum of all bills since its start, in whatever places they are, and those
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
        pacer.plan(vec![budget.clone()], Terms::default());
        let booked = |(day, second, nanos): &(i64, i64, u64)| {
            let issued_s = zone.start(first + day) / 1000 + second;
            Booked { campaign: CAMPAIGN, ssp: SSP, issued_s, count: 1, nanos: *nanos, ..Booked::default() }
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
        pacer.past(CAMPAIGN, expected_since, sum(&|day| day < closed_days), [0; 3]);
        // Another flight's past is not this one's.
        pacer.past(CAMPAIGN, expected_since - 1, DOLLAR, [0; 3]);
        let told = &pacer.told(now_ms)[0];
        prop_assert_eq!((told.spent, told.total), (sum(&|_| true), 1 + current as u64));
    }
}

#[test]
fn past_days_count_in_the_currency_that_they_were_spent_in() {
    let budget = Budget { total: 9 * DOLLAR, cur: "USD".to_owned(), ..daily(5) };
    let mut pacer = Pacer::default();
    let rates = [(*b"USD", 150_000_000), (*b"JPY", 1_000_000)].into();
    pacer.plan(vec![budget], Terms { rates, ..Terms::default() });
    pacer.past(CAMPAIGN, FIRST_DAY, 150 * DOLLAR, *b"JPY");
    pacer.past(CAMPAIGN, FIRST_DAY, 2 * DOLLAR, *b"USD");
    pacer.past(CAMPAIGN, FIRST_DAY, 3, [0; 3]);
    let spent = || pacer.told(MIDNIGHT_S * 1000)[0].spent;
    assert_eq!(spent(), 3 * DOLLAR + 3);
}
