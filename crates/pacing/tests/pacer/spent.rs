//! What the pacer knows to be spent: bills in any order, past days, currencies, and prices that change.

use std::collections::BTreeMap;

use pacing::budget::{Budget, FIRST_DAY, Flight, asked};
use pacing::counts::{Count, Counts};
use pacing::day::Zone;
use pacing::law::Allocation;
use pacing::pacer::{Booked, Pacer};
use pacing::terms::{SspTerms, Terms};
use pacing::why::Why;
use proptest::prelude::*;

use crate::{CAMPAIGN, DAY_S, DOLLAR, HOUR_S, MIDNIGHT_S, PLACE, PRICE, SSP, allocation, bill, daily, past};

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

    /// Sums are those of a map from shard to bills, whatever the order of parts and wholes; and nothing is bid on a
    /// budget that is spent.
    #[test]
    fn sums_are_exact(
        calls in proptest::collection::vec((0..3_usize, any::<bool>(), proptest::collection::vec((0..3_u64, 0..200_000_i64, 0..DOLLAR), 0..6)), 1..20),
        limit in 1..4_000_u64,
    ) {
        let shards = ["2026-10-25/00", "2026-10-25/01", "2026-10-26/00"];
        let mut pacer = Pacer::default();
        let budget = |key| Budget { key, daily: limit * DOLLAR / 1000, ..Budget::default() };
        pacer.plan((0..3).map(budget).collect(), Terms::default(), 0);
        let mut known: BTreeMap<usize, Vec<Booked>> = BTreeMap::new();
        for (at, (number, is_whole, rows)) in calls.into_iter().enumerate() {
            let bills: Vec<Booked> = rows.into_iter().map(|(campaign, second, nanos)| bill(campaign, second, nanos)).collect();
            pacer.booked(shards[number], is_whole, bills.iter().copied());
            let held = known.entry(number).or_default();
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

    /// What is known of a flight equals the sum of all bills since its start, in whatever shards they are, and those
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
        let shard = |day: i64| format!("2026-11-{:02}/00", day + 1);
        for day in 0..20 {
            let of_day = bills.iter().filter(|bill| bill.0 == day).map(booked);
            pacer.booked(&shard(day), day % 2 == 0, of_day);
        }
        // The flight of today, else the next one, else the last one.
        let current = budget.flights.iter().position(|flight| now_ms < flight.end_ms).unwrap_or(starts.len() - 1);
        // The first days are handed over; the summary is asked for the days of the flight only.
        let expected_since = first + starts[current];
        let asked: Vec<(u64, i64)> = asked(&[budget], now_ms).into_iter().collect();
        prop_assert_eq!(&asked[..], [(CAMPAIGN, expected_since)]);
        for day in 0..closed_days {
            pacer.closed(&shard(day));
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
            pacer.past([crate::past(FIRST_DAY, DOLLAR, cur)].into_iter());
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
