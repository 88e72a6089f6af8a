//! What orders have spent, whatever happens to their campaigns: compared with a plain model of who belongs where.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may panic")]

use std::collections::{BTreeMap, BTreeSet};

use pacing::budget::{Budget, asked};
use pacing::day::Zone;
use pacing::pacer::{Booked, Pacer, Status};
use pacing::part::Part;
use pacing::terms::Terms;
use pacing::why::Why;
use proptest::prelude::*;

/// 2026-10-25 in UTC.
const FIRST_DAY: i64 = 20_751;
const DAY_S: i64 = 86_400;
const MIDNIGHT_S: i64 = FIRST_DAY * DAY_S;
const HOUR_S: i64 = 3600;
const QUARTER_S: i64 = 900;
const SSP: u64 = 3;
/// The keys of two orders, and the hashes of the campaigns.
const ORDERS: [u64; 2] = [100, 200];
const CAMPAIGNS: [u64; 3] = [1, 2, 3];
/// A total that nothing spends.
const TOTAL: u64 = 1 << 60;

/// Where a campaign is: in an order, with a budget of its own, or without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Payer {
    Order(u64),
    Own,
    Nowhere,
}

/// A catalog: the payer of each campaign.
type Catalog = [Payer; 3];

fn budgets(catalog: &Catalog, zone: &Zone) -> Vec<Budget> {
    let cur = || "USD".to_owned();
    let of = |key, members| Budget { key, members, total: TOTAL, daily: TOTAL, cur: cur(), ..Budget::default() };
    let members = |order| {
        let members = CAMPAIGNS.iter().zip(catalog).filter(|(_, payer)| **payer == Payer::Order(order));
        members.map(|(campaign, _)| (*campaign, campaign.to_string())).collect::<Vec<_>>()
    };
    let orders = ORDERS.map(|order| of(order, members(order))).into_iter().filter(|order| !order.members.is_empty());
    let zoned = orders.map(|order| if order.key == ORDERS[1] { Budget { zone: zone.clone(), ..order } } else { order });
    let own = CAMPAIGNS.iter().zip(catalog).filter(|(_, payer)| **payer == Payer::Own);
    zoned.chain(own.map(|(campaign, _)| of(*campaign, Vec::new()))).collect()
}

/// Which catalog is served from which second on, and the bills.
struct World {
    catalogs: Vec<(i64, Catalog)>,
    bills: Vec<Booked>,
    zone: Zone,
    /// Each has a part of the budgets.
    pacers: Vec<Pacer>,
    /// The shards that the summary has.
    closed: BTreeSet<i64>,
}

impl World {
    fn new(zone: Zone, of: u32) -> World {
        let (catalogs, bills, closed) = (Vec::new(), Vec::new(), BTreeSet::new());
        let pacers = (0..of).map(|number| of_part(Pacer::default(), Part { number, of })).collect();
        World { catalogs, bills, zone, pacers, closed }
    }

    fn tick(&mut self, ms: i64) {
        self.pacers.iter_mut().for_each(|pacer| drop(pacer.tick(ms)));
    }

    fn statuses(&self, ms: i64) -> Vec<Status<'_>> {
        let mut all: Vec<Status<'_>> = self.pacers.iter().flat_map(|pacer| pacer.statuses(ms)).collect();
        all.sort_by_key(|status| status.budget.key);
        all
    }

    fn budgets(&self) -> Vec<Budget> {
        budgets(&self.catalogs.last().unwrap().1, &self.zone)
    }

    fn push(&mut self, second: i64, catalog: Catalog) {
        self.tick((MIDNIGHT_S + second) * 1000);
        self.catalogs.push((second, catalog));
        // The Worker asks the summary before it plans.
        self.ask(second);
        let budgets = self.budgets();
        let plan = |pacer: &mut Pacer| pacer.plan(budgets.clone(), Terms::default(), 0);
        if self.pacers.iter_mut().map(plan).fold(false, |all, one| all | one) {
            self.read();
        }
    }

    fn bill(&mut self, campaign: u64, second: i64, nanos: u64) {
        let issued_s = MIDNIGHT_S + second;
        let bill = Booked { campaign, ssp: SSP, issued_s, count: 1, nanos, bid: nanos, ..Booked::default() };
        self.bills.push(bill);
        for pacer in &mut self.pacers {
            pacer.booked(&shard(issued_s / DAY_S), false, [bill].into_iter());
        }
    }

    /// Starts again from the saved state, the catalog and the ledger.
    fn restart(&mut self, second: i64) {
        let budgets = self.budgets();
        for pacer in &mut self.pacers {
            let mut text = String::new();
            pacer.save(&mut text);
            *pacer = of_part(Pacer::restore(&text), pacer.part);
            pacer.plan(budgets.clone(), Terms::default(), 0);
        }
        self.read();
        self.ask(second);
    }

    /// Books all shards as a whole, as the ledger does: by quarter of an hour, and then between midnights.
    fn read(&mut self) {
        let days: BTreeSet<i64> = self.bills.iter().map(|bill| bill.issued_s / DAY_S).collect();
        for day in days.difference(&self.closed) {
            for pacer in &mut self.pacers {
                let midnights = pacer.midnights(*day);
                let rows = self.bills.iter().filter(|bill| bill.issued_s / DAY_S == *day).map(|bill| {
                    let quarter_s = bill.issued_s / QUARTER_S * QUARTER_S;
                    Booked { issued_s: *midnights.range(..=quarter_s).next_back().unwrap(), ..*bill }
                });
                pacer.booked(&shard(*day), true, rows);
            }
        }
    }

    /// The summary takes the totals of the first days.
    fn hand_over(&mut self, days: i64, second: i64) {
        for day in FIRST_DAY..FIRST_DAY + days {
            self.pacers.iter_mut().for_each(|pacer| pacer.closed(&shard(day)));
            self.closed.insert(day);
        }
        self.ask(second);
    }

    /// The summary tells past days.
    fn ask(&mut self, second: i64) {
        let now_ms = (MIDNIGHT_S + second) * 1000;
        let past = |(campaign, since): (u64, i64)| {
            let is_told = |bill: &&Booked| {
                let day = bill.issued_s / DAY_S;
                bill.campaign == campaign && day >= since && self.closed.contains(&day)
            };
            let none = Booked { campaign, ..Booked::default() };
            self.bills.iter().filter(is_told).copied().chain([none]).map(move |bill| (since, bill)).collect::<Vec<_>>()
        };
        let budgets = self.budgets();
        for pacer in &mut self.pacers {
            let told: Vec<_> = pacer.asked(&budgets, now_ms).into_iter().flat_map(past).collect();
            pacer.past(told.into_iter());
        }
    }

    /// Whether an order counts a bid of a second, by the catalogs: the campaign belongs to it, or left it within the last
    /// hour, or left with it, and has not had another budget since; or it is before its first one.
    fn belongs(&self, campaign: u64, order: u64, second: i64) -> bool {
        let at = CAMPAIGNS.iter().position(|one| *one == campaign).unwrap();
        let is_paid = |catalog: &Catalog| catalog[at] != Payer::Nowhere;
        if let Some((_, first)) = self.catalogs.iter().find(|(_, catalog)| is_paid(catalog))
            && !self.catalogs.iter().any(|(since, catalog)| *since <= second && is_paid(catalog))
        {
            return first[at] == Payer::Order(order);
        }
        let mut end_s = i64::MIN;
        for (since, catalog) in self.catalogs.iter().filter(|(since, _)| *since <= second) {
            end_s = match catalog[at] {
                Payer::Order(other) if other == order => i64::MAX,
                Payer::Order(_) | Payer::Own if end_s == i64::MAX => *since,
                Payer::Nowhere if catalog.contains(&Payer::Order(order)) && end_s == i64::MAX => since + HOUR_S,
                _ => end_s,
            };
        }
        second < end_s
    }

    /// Compares what each budget has spent today and in all.
    fn check(&self, second: i64) -> Result<(), TestCaseError> {
        let now_ms = (MIDNIGHT_S + second) * 1000;
        let mut told = BTreeMap::new();
        for status in self.statuses(now_ms) {
            prop_assert_ne!(status.allocation.why, Why::PastUnknown);
            told.insert(status.budget.key, (status.allocation.spent_today, status.allocation.spent));
        }
        for budget in self.budgets() {
            let counts = |bill: &&Booked| {
                let (second, day) = (bill.issued_s - MIDNIGHT_S, bill.issued_s / DAY_S);
                // The summary knows days only, so a day of a change counts for both orders, and both days around a midnight.
                let begin_s = (day - FIRST_DAY) * DAY_S;
                let hours =
                    if self.closed.contains(&day) { begin_s - 60..begin_s + DAY_S + 60 } else { second..second + 1 };
                let is_own = budget.members.is_empty() && bill.campaign == budget.key;
                is_own || hours.step_by(60).any(|second| self.belongs(bill.campaign, budget.key, second))
            };
            let spent = |is: &dyn Fn(i64) -> bool| -> u64 {
                let bills = self.bills.iter().filter(|bill| is(budget.zone.day(bill.issued_s * 1000)));
                bills.filter(counts).map(|bill| bill.nanos).sum()
            };
            let day = budget.zone.day(now_ms);
            prop_assert_eq!(told[&budget.key], (spent(&|of| of == day), spent(&|_| true)), "{}", budget.key);
        }
        Ok(())
    }
}

fn of_part(mut pacer: Pacer, part: Part) -> Pacer {
    pacer.part = part;
    pacer
}

fn shard(day: i64) -> String {
    format!("2026-{}/00", if day < 20_758 { format!("10-{}", day - 20_726) } else { format!("11-{:02}", day - 20_757) })
}

fn catalogs() -> impl Strategy<Value = Catalog> {
    let payer = prop_oneof![
        3 => Just(Payer::Order(ORDERS[0])), 2 => Just(Payer::Order(ORDERS[1])), 1 => Just(Payer::Own), 2 => Just(Payer::Nowhere)
    ];
    proptest::array::uniform3(payer)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// At some full hours, there is a new catalog or a restart; bills are of bids at half past.
    #[test]
    fn an_order_counts_what_its_campaigns_spent_while_they_belonged_to_it(
        hours in proptest::collection::vec(
            (1..9_i64, proptest::option::weighted(0.7, catalogs()), any::<bool>(), proptest::collection::vec((0..3_usize, 0..1_000_u64), 0..4)), 1..14,
        ),
        minutes in prop_oneof![Just(0), Just(120), Just(-300)], of in 1..4_u32,
    ) {
        let mut world = World::new(Zone(vec![(0, minutes)]), of);
        world.push(0, [Payer::Order(ORDERS[0]), Payer::Order(ORDERS[0]), Payer::Nowhere]);
        let mut hour = 0;
        for (more, catalog, is_restarted, bills) in hours {
            hour += more;
            if let Some(catalog) = catalog {
                world.push(hour * HOUR_S, catalog);
            }
            for (campaign, nanos) in bills {
                world.bill(CAMPAIGNS[campaign], hour * HOUR_S + 1800, nanos);
            }
            if is_restarted {
                world.restart(hour * HOUR_S);
            }
            world.check(hour * HOUR_S + 2700)?;
        }
        if minutes == 0 {
            let now_s = 9 * DAY_S;
            world.tick((MIDNIGHT_S + now_s) * 1000);
            world.hand_over(5, now_s);
            world.check(now_s)?;
            world.restart(now_s);
            world.check(now_s)?;
        }
    }
}

/// The order is in no catalog for months, and then has another campaign.
#[test]
fn an_order_that_returns_knows_what_its_former_campaigns_have_spent() {
    let order = Payer::Order(ORDERS[0]);
    for days in [2, 11, 300] {
        let mut world = World::new(Zone::default(), 1);
        world.push(0, [order, order, Payer::Nowhere]);
        world.bill(1, HOUR_S, 70);
        world.bill(2, HOUR_S, 30);
        world.push(2 * HOUR_S, [Payer::Nowhere; 3]);
        world.restart(3 * HOUR_S);
        // Ticks without counts join slots and forget.
        (1..400).for_each(|tick| world.tick((MIDNIGHT_S + 3 * HOUR_S + tick * days * 200) * 1000));
        let now_s = days * DAY_S;
        world.push(now_s, [Payer::Nowhere, Payer::Nowhere, order]);
        world.hand_over((days - 1).min(5), now_s);
        world.bill(3, now_s + HOUR_S, 5);
        world.check(now_s + 2 * HOUR_S).unwrap();
        let spent = world.statuses((MIDNIGHT_S + now_s) * 1000)[0].allocation.spent;
        assert_eq!(spent, 105, "{days}");
    }
}

/// Isolates get a catalog a minute earlier or later than the pacer.
#[test]
fn bids_around_a_change_count_for_both_orders() {
    let [a, b] = ORDERS.map(Payer::Order);
    let mut world = World::new(Zone::default(), 1);
    world.push(0, [a, a, b]);
    let change_s = 16 * HOUR_S + 400;
    world.push(change_s, [a, b, b]);
    for (second, nanos) in [(change_s - 60, 1), (change_s + 60, 10), (change_s + 3600, 100), (change_s - 3600, 1_000)] {
        world.bill(2, second, nanos);
    }
    for is_restarted in [false, true] {
        if is_restarted {
            world.restart(20 * HOUR_S);
        }
        let statuses = world.statuses((MIDNIGHT_S + 20 * HOUR_S) * 1000);
        assert_eq!(statuses.iter().map(|one| one.allocation.spent_today).collect::<Vec<_>>(), [1_011, 111]);
    }
}

/// An isolate that cannot read KV bids with an old catalog.
#[test]
fn a_campaign_that_leaves_without_a_budget_counts_for_an_hour_more() {
    let order = Payer::Order(ORDERS[0]);
    let mut world = World::new(Zone::default(), 1);
    world.push(0, [order, order, order]);
    world.push(8 * HOUR_S, [order, Payer::Nowhere, Payer::Nowhere]);
    world.push(8 * HOUR_S + 1200, [order, Payer::Nowhere, Payer::Own]);
    for (campaign, minute, nanos) in [(2, 50, 1), (2, 90, 10), (3, 10, 100), (3, 50, 1_000)] {
        world.bill(campaign, 8 * HOUR_S + minute * 60, nanos);
    }
    for is_restarted in [false, true] {
        if is_restarted {
            world.restart(10 * HOUR_S);
        }
        let statuses = world.statuses((MIDNIGHT_S + 10 * HOUR_S) * 1000);
        assert_eq!(statuses.iter().map(|one| one.allocation.spent_today).collect::<Vec<_>>(), [1_100, 1_101]);
    }
}

/// A new pacer has saved no orders.
#[test]
fn an_order_that_is_new_to_the_pacer_counts_all_that_its_campaigns_spent() {
    let budgets = budgets(&[Payer::Order(ORDERS[0]), Payer::Nowhere, Payer::Nowhere], &Zone::default());
    let mut pacer = Pacer::restore(&format!("pacer {} 0 0 0 0\n", (MIDNIGHT_S + 9 * HOUR_S) * 1000));
    assert_eq!(asked(&budgets, MIDNIGHT_S * 1000), pacer.asked(&budgets, MIDNIGHT_S * 1000));
    pacer.plan(budgets, Terms::default(), 0);
    let bill = Booked { campaign: 1, issued_s: MIDNIGHT_S + HOUR_S, count: 1, nanos: 7, ..Booked::default() };
    pacer.booked(&shard(FIRST_DAY), true, [bill].into_iter());
    let status = pacer.statuses((MIDNIGHT_S + 10 * HOUR_S) * 1000).next().unwrap();
    assert_eq!(status.allocation.spent_today, 7);
}
