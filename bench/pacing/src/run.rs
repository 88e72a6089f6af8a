//! One run of a rule over all days: each second, notices are booked, relays and isolates exchange, the pacer ticks.

use std::time::{Duration, Instant};

use pacing::budget::Budget;
use pacing::pacer::Pacer;
use pacing::shares::{Shares, WHOLE};
use pacing::terms::Terms;

use crate::campaigns::Row;
use crate::catalog::Catalog;
use crate::isolates::Isolates;
use crate::ledger::Ledger;
use crate::random::Random;
use crate::scale::{CLASSES, FIRST_DAY, LOST, TICK_S};
use crate::world::World;
use crate::worlds::Push;

/// More seconds than an interval between exchanges has.
const AHEAD: usize = 16;
/// Seconds between saved states.
const SAVED_S: i64 = 10;

/// How shares are made.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Rule {
    /// The pacer of edgebid.
    Pacer,
    /// All requests, until the isolate reads that the budget is booked.
    Stop,
}

/// What a budget spends. Amounts in nanos.
#[derive(Clone)]
pub(crate) struct Spent {
    /// By quarter of an hour since the first second.
    pub(crate) quarters: Vec<u64>,
    /// By local day, from the day before the first: the mean cost of the requests in the share, and of all. If the budget
    /// is pushed within the day, of all since then.
    pub(crate) days: Vec<[f64; 2]>,
}

/// The bookings of a run.
pub(crate) struct Outcome {
    pub(crate) budgets: Vec<Spent>,
    pub(crate) ages: Vec<u64>,
    pub(crate) bills: u64,
    pub(crate) refused: u64,
    pub(crate) tick_ms: f64,
    pub(crate) saved_bytes: usize,
}

/// A run of a rule.
pub(crate) struct Run<'a> {
    world: &'a World<'a>,
    rule: Rule,
    /// The UTC midnight before the first second.
    midnight_s: i64,
    random: Random,
    ledger: Ledger<'a>,
    isolates: Isolates,
    pacer: Pacer,
    /// The last saved state of the pacer.
    saved: String,
    newest: Shares,
    budgets: Vec<Spent>,
    /// Booked by budget and local day, for the rule `Stop`.
    known: Vec<Vec<u64>>,
    /// Rows, budgets and bids whose wins are not yet drawn, by second modulo [`AHEAD`].
    bids: Vec<Vec<(usize, usize, u64)>>,
    ticks: u32,
    ticking: Duration,
    saved_bytes: usize,
}

impl<'a> Run<'a> {
    pub(crate) fn new(world: &'a World<'a>, rule: Rule, seed: u64) -> Run<'a> {
        let World { rows, traffic, kind, days, .. } = world;
        let budgets = world.catalog(false).budgets.len();
        let midnight_s = traffic.from_s.div_euclid(86_400) * 86_400;
        let by_day = *days as usize + 3;
        let mut run = Run {
            world,
            rule,
            midnight_s,
            random: Random::new(seed),
            ledger: Ledger::new(rows, midnight_s, traffic.seconds + 86_400, *kind),
            isolates: Isolates::new(budgets, rows.len()),
            pacer: Pacer::default(),
            saved: String::new(),
            newest: Shares::default(),
            budgets: vec![
                Spent { quarters: vec![0; traffic.seconds / 900 + 100], days: vec![[0.0; 2]; by_day] };
                budgets
            ],
            known: vec![vec![0; by_day]; budgets],
            bids: vec![Vec::new(); AHEAD],
            ticks: 0,
            ticking: Duration::ZERO,
            saved_bytes: 0,
        };
        run.plan(traffic.from_s);
        run
    }

    /// The pacer takes the present catalog.
    fn plan(&mut self, now_s: i64) {
        let World { kind, .. } = self.world;
        let budgets = self.world.catalog(kind.is_pushed(now_s, 0)).budgets.clone();
        if self.pacer.plan(budgets, Terms::default(), kind.clock(now_s) * 1000) {
            self.read_all(now_s);
        }
    }

    /// The pacer reads all bills of the ledger.
    fn read_all(&mut self, now_s: i64) {
        self.ledger.all(now_s, |shard, bills| self.pacer.booked(shard, true, bills.into_iter()));
    }

    /// Runs all seconds.
    pub(crate) fn outcome(mut self) -> Outcome {
        let World { traffic, days, .. } = self.world;
        let from_s = traffic.from_s;
        // A stop flag learns nothing, so its last day is enough.
        let first_s = if self.rule == Rule::Stop { from_s + (days - 1) * 86_400 - 600 } else { from_s };
        self.isolates.start(first_s);
        for now_s in first_s..from_s + traffic.seconds as i64 {
            if (now_s - from_s) % 7_200 == 0 {
                eprint!("\r{} h", (now_s - from_s) / 3_600);
            }
            self.second(now_s);
        }
        let Run { budgets, isolates, ledger, ticking, ticks, saved_bytes, .. } = self;
        let tick_ms = ticking.as_secs_f64() * 1000.0 / f64::from(ticks.max(1));
        Outcome { budgets, ages: isolates.ages, bills: ledger.bills, refused: ledger.refused, tick_ms, saved_bytes }
    }

    /// Simulates one second, in the order of events.
    fn second(&mut self, now_s: i64) {
        let World { faults, kind, .. } = self.world;
        let (budgets, payers) = (&self.world.catalog(false).budgets, &self.world.catalog(false).payers);
        let outage = faults.outages.iter().find(|(begin, end)| (*begin..*end).contains(&now_s)).map(|(_, end)| *end);
        let is_down = faults.restarts.iter().any(|(begin, end)| (*begin..*end).contains(&now_s));
        for (relay, _, until_s) in faults.deaths.iter().filter(|(_, begin, _)| *begin == now_s) {
            self.isolates.kill(*relay, *until_s);
        }
        let known = &mut self.known;
        self.ledger.book(now_s, outage, &mut self.random, |row, issued_s, nanos| {
            let payer = payers[row.campaign];
            known[payer][day_of(&budgets[payer], issued_s)] += nanos;
        });
        if self.rule == Rule::Pacer && faults.restarts.iter().any(|(_, end)| *end == now_s) {
            self.pacer = Pacer::restore(&self.saved);
            self.plan(now_s);
            self.read_all(now_s);
        } else if kind.pushes(now_s) {
            self.push(now_s);
        }
        if now_s % TICK_S == 0 && !is_down {
            self.tick(now_s, outage.is_some());
        }
        let is_lost = kind.is_without_relays(now_s);
        self.isolates.relay(now_s, (!is_down).then_some(&self.newest).filter(|shares| shares.made_ms > 0));
        self.isolates.store(now_s, &self.newest, is_lost);
        self.exchange(now_s, is_lost);
        self.win(now_s);
    }

    /// An operator pushes the other catalog.
    fn push(&mut self, now_s: i64) {
        self.plan(now_s);
        if let Push::Daily(_) = self.world.kind.push {
            for (spent, budget) in self.budgets.iter_mut().zip(&self.world.catalog(false).budgets) {
                let [expected, possible] = &mut spent.days[day_of(budget, now_s)];
                *possible = *expected;
            }
        }
    }

    /// The rule makes new shares.
    fn tick(&mut self, now_s: i64, is_outage: bool) {
        let World { rows, kind, .. } = self.world;
        let Catalog { budgets, payers, .. } = self.world.catalog(kind.is_pushed(now_s, 0));
        let counts = self.isolates.take(|row| {
            let Row { campaign, ssp, bid, .. } = rows[row];
            (budgets[payers[campaign]].key, ssp as u64, bid * kind.times(now_s))
        });
        if self.rule == Rule::Stop {
            if !is_outage {
                self.newest.rows = stops(budgets, &self.known, now_s);
            }
            self.newest.made_ms = now_s * 1000;
            return;
        }
        if !is_outage {
            // The shipped reader treats a shard as missing after twelve readings; that minute makes no difference here.
            self.ledger.pull(now_s, |shard, bills| match bills {
                Some(bills) => self.pacer.booked(shard, false, bills.iter().copied()),
                None => self.pacer.missing(shard),
            });
        }
        let begin = Instant::now();
        for counts in &counts {
            self.pacer.report(counts);
        }
        self.newest = self.pacer.tick(kind.clock(now_s) * 1000);
        self.ticking += begin.elapsed();
        self.ticks += 1;
        // Shares carry their age; isolates compute the time by their own clocks, which are right.
        self.newest.made_ms = now_s * 1000;
        // Only the last state before the pacer is lost is ever read.
        let mut restarts = self.world.faults.restarts.iter();
        let is_read = restarts.any(|(begin, _)| (now_s + 1..=now_s + SAVED_S).contains(begin));
        if now_s % SAVED_S == 0 && is_read {
            self.saved.clear();
            self.pacer.save(&mut self.saved);
            self.saved_bytes = self.saved.len();
        }
    }

    /// Isolates exchange with their relays, and bid until the next exchange.
    fn exchange(&mut self, now_s: i64, is_lost: bool) {
        let World { rows, traffic, kind, .. } = self.world;
        let (spent, coming) = (&mut self.budgets, &mut self.bids);
        self.isolates.exchange(now_s, is_lost, &mut self.random, |interval, random| {
            let (from_s, length) = (interval.from_s, interval.to_s - interval.from_s);
            let sums: [f64; 3] = std::array::from_fn(|zone| traffic.sum(zone, from_s, interval.to_s) / CLASSES as f64);
            // KV needs up to a minute until an isolate reads a push.
            let Catalog { budgets, payers, has } =
                self.world.catalog(kind.is_pushed(from_s, 5 * interval.class as i64));
            let running = |row: &Row| from_s >= row.flight.0 && from_s < row.flight.1 && has[row.campaign];
            for (at, row) in rows.iter().enumerate().filter(|(_, row)| running(row)) {
                let matched = row.requests * sums[row.zone];
                interval.held.matched[at] += about(matched, random);
                let payer = payers[row.campaign];
                let share = interval.share(payer);
                let part = f64::from(share) / f64::from(WHOLE);
                let dearer = kind.times(from_s) as f64 * kind.wins(row.wins, from_s) / row.wins;
                let cost = matched * row.cost() * dearer;
                let [expected, possible] = &mut spent[payer].days[day_of(&budgets[payer], from_s)];
                *expected += cost * part;
                *possible += cost;
                if share == 0 {
                    continue;
                }
                let bids = random.poisson(matched * row.bids * f64::from(share) / f64::from(WHOLE));
                let bids = interval.bound(payer, row.bid * kind.times(from_s), bids, random);
                if bids == 0 {
                    continue;
                }
                let issued_s = from_s + random.below(length as u64) as i64;
                // The isolate itself knows when a flight ends.
                if issued_s < row.flight.1 {
                    interval.held.bids[at] += bids;
                    coming[issued_s as usize % AHEAD].push((at, payer, bids));
                }
            }
        });
    }

    /// Draws the wins of this second's bids, and sends their notices.
    fn win(&mut self, now_s: i64) {
        let World { rows, ssps, kind, .. } = self.world;
        let quarter = ((now_s - self.midnight_s) / 900) as usize;
        for (at, payer, bids) in self.bids[now_s as usize % AHEAD].drain(..) {
            let row = &rows[at];
            let chance = kind.wins(row.wins, now_s);
            let wins = self.random.binomial(bids, chance * (1.0 - LOST));
            if wins > 0 {
                self.budgets[payer].quarters[quarter] += wins * kind.times(now_s) * row.bill;
                self.ledger.send(at, now_s, wins, &ssps[row.ssp], &mut self.random);
            }
        }
    }
}

/// The budget's local day, from the day before the first.
fn day_of(budget: &Budget, time_s: i64) -> usize {
    (budget.zone.day(time_s * 1000) - FIRST_DAY + 1) as usize
}

fn stops(budgets: &[Budget], known: &[Vec<u64>], now_s: i64) -> Vec<(u64, u32)> {
    let stop = |(budget, known): (&Budget, &Vec<u64>)| {
        let is_spent = known[day_of(budget, now_s)] >= budget.daily;
        (budget.key, if is_spent { 0 } else { WHOLE })
    };
    budgets.iter().zip(known).map(stop).collect()
}

/// A random count with this mean. A large mean is used as it is, because it hardly varies.
fn about(mean: f64, random: &mut Random) -> u64 {
    if mean > 200.0 { (mean + random.unit()) as u64 } else { random.poisson(mean) }
}
