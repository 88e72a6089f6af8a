//! One run of a rule over all days: each second, notices are booked, relays and isolates exchange, the pacer ticks.

use pacing::budget::Flight;
use pacing::pacer::Pacer;
use pacing::shares::{Shares, WHOLE};
use pacing::terms::Terms;

use crate::campaigns::{Campaign, Ssp};
use crate::isolates::Isolates;
use crate::ledger::Ledger;
use crate::random::Random;
use crate::traffic::Traffic;
use crate::worlds::Kind;
use crate::{CLASSES, FIRST_DAY, LOST, TICK_S};

/// Seconds of a step in which wins are drawn.
const STEP_S: i64 = 10;
/// Steps that an interval between exchanges may reach ahead.
const AHEAD: usize = 4;
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

/// What fails, in seconds since the epoch.
#[derive(Default)]
pub(crate) struct Faults {
    /// Begin and end of the ledger's outages.
    pub(crate) outages: Vec<(i64, i64)>,
    /// A relay, and from when until when it is dead.
    pub(crate) deaths: Vec<(usize, i64, i64)>,
    /// When the pacer is lost, and when it starts again.
    pub(crate) restarts: Vec<(i64, i64)>,
}

pub(crate) struct World<'a> {
    pub(crate) campaigns: &'a [Campaign],
    pub(crate) ssps: &'a [Ssp],
    pub(crate) traffic: &'a Traffic,
    pub(crate) faults: &'a Faults,
    pub(crate) days: i64,
    pub(crate) kind: Kind,
}

/// What a run booked.
pub(crate) struct Outcome {
    /// Nanos by campaign and quarter of an hour since the first second.
    pub(crate) spent: Vec<Vec<u64>>,
    /// The mean cost of the requests that were let through, in nanos by campaign and local day, from the day before the
    /// first.
    pub(crate) expected: Vec<Vec<f64>>,
    pub(crate) ages: Vec<u64>,
    pub(crate) bills: u64,
    pub(crate) refused: u64,
    pub(crate) tick_ms: f64,
    pub(crate) saved_bytes: usize,
}

struct Row {
    campaign: usize,
    ssp: usize,
    zone: usize,
    requests: f64,
    bids: f64,
    wins: f64,
    /// Nanos of a request that is let through, on average.
    cost: f64,
    /// The times in which the campaign runs, in seconds.
    flight: (i64, i64),
}

#[allow(clippy::too_many_lines, reason = "one loop over the seconds, in the order of events")]
pub(crate) fn run(world: &World<'_>, rule: Rule, seed: u64) -> Outcome {
    let World { campaigns, ssps, traffic, faults, kind, .. } = world;
    let rows: Vec<Row> = rows(campaigns);
    let from_s = traffic.from_s.div_euclid(86_400) * 86_400;
    let quarters = traffic.seconds / 900 + 100;
    let mut random = Random::new(seed);
    let mut ledger = Ledger::new(campaigns, from_s, traffic.seconds + 86_400, *kind);
    let mut isolates = Isolates::new(rows.len());
    let mut pacer = Pacer::default();
    let plan = || campaigns.iter().map(|campaign| campaign.budget.clone()).collect();
    pacer.plan(plan(), Terms::default());
    let mut saved = String::new();
    let mut newest = Shares::default();
    let mut spent = vec![vec![0_u64; quarters]; campaigns.len()];
    // Spent by local day, for the rule `Stop`.
    let mut known = vec![vec![0_u64; world.days as usize + 3]; campaigns.len()];
    let mut expected = vec![vec![0.0; world.days as usize + 3]; campaigns.len()];
    let mut steps = vec![vec![0_u64; rows.len()]; AHEAD];
    let (mut ticks, mut ticking, mut saved_bytes) = (0_u32, std::time::Duration::ZERO, 0);

    // A stop flag learns nothing, so its last day is enough.
    let first_s = if rule == Rule::Stop { traffic.from_s + (world.days - 1) * 86_400 - 600 } else { traffic.from_s };
    isolates.start(first_s);
    for now_s in first_s..traffic.from_s + traffic.seconds as i64 {
        let outage = faults.outages.iter().find(|(begin, end)| (*begin..*end).contains(&now_s)).map(|(_, end)| *end);
        let down = faults.restarts.iter().any(|(begin, end)| (*begin..*end).contains(&now_s));
        for (relay, _, until_s) in faults.deaths.iter().filter(|(_, begin, _)| *begin == now_s) {
            isolates.kill(*relay, *until_s);
        }
        ledger.book(now_s, outage, &mut random, |name, issued_s, nanos| {
            let day = campaigns[name.campaign].budget.zone.day(issued_s * 1000) - FIRST_DAY + 1;
            known[name.campaign][day as usize] += nanos;
        });

        if faults.restarts.iter().any(|(_, end)| *end == now_s) && rule == Rule::Pacer {
            pacer = Pacer::restore(&saved);
            pacer.plan(plan(), Terms::default());
            ledger.all(now_s, |place, bills| pacer.booked(place, true, bills.into_iter()));
        }
        if (now_s - traffic.from_s) % 7_200 == 0 {
            eprint!("\r{} h", (now_s - traffic.from_s) / 3_600);
        }
        if now_s % TICK_S == 0 && !down {
            let counts = isolates.take(|row| {
                let Row { campaign, ssp, .. } = rows[row];
                let times = if kind.is_dear(now_s) { 10 } else { 1 };
                (1 + campaign as u64, ssp as u64, campaigns[campaign].bid * times)
            });
            if rule == Rule::Pacer {
                if outage.is_none() {
                    // The shipped reader takes a place for missing after twelve readings; a minute changes nothing here.
                    ledger.pull(now_s, |place, bills| match bills {
                        Some(bills) => pacer.booked(place, false, bills.iter().copied()),
                        None => pacer.missing(place),
                    });
                }
                let begin = std::time::Instant::now();
                if let Some(counts) = counts {
                    pacer.report(&counts);
                }
                newest = pacer.tick(kind.clock(now_s) * 1000);
                // Shares carry their age; isolates compute the time by their own clocks, which are right.
                newest.made_ms = now_s * 1000;
                ticking += begin.elapsed();
                ticks += 1;
                // Only the last state before the pacer is lost is ever read.
                let is_read = faults.restarts.iter().any(|(begin, _)| (now_s + 1..=now_s + SAVED_S).contains(begin));
                if now_s % SAVED_S == 0 && is_read {
                    saved.clear();
                    pacer.save(&mut saved);
                    saved_bytes = saved.len();
                }
            } else if outage.is_none() {
                newest = Shares { made_ms: now_s * 1000, rows: stops(campaigns, &known, now_s) };
            } else {
                newest.made_ms = now_s * 1000;
            }
        }
        let is_lost = kind.is_without_relays(now_s);
        isolates.relay(now_s, (!down).then_some(&newest).filter(|shares| shares.made_ms > 0));
        isolates.store(now_s, &newest, is_lost);
        isolates.exchange(now_s, is_lost, &mut random, |interval, random| {
            let length = interval.to_s - interval.from_s;
            let sums: [f64; 3] =
                std::array::from_fn(|zone| traffic.sum(zone, interval.from_s, interval.to_s) / CLASSES as f64);
            for (at, row) in rows.iter().enumerate() {
                if interval.from_s < row.flight.0 || interval.from_s >= row.flight.1 {
                    continue;
                }
                let matched = row.requests * sums[row.zone];
                interval.held.matched[at] += about(matched, random);
                let share = interval.share(row.campaign);
                if share > 0 {
                    let day = campaigns[row.campaign].budget.zone.day(interval.from_s * 1000) - FIRST_DAY + 1;
                    let part = f64::from(share) / f64::from(WHOLE);
                    let dearer = if kind.is_dear(interval.from_s) { 300.0 } else { 1.0 };
                    expected[row.campaign][day as usize] += matched * part * row.cost * dearer;
                    let mean = matched * row.bids * f64::from(share) / f64::from(WHOLE);
                    let bids = random.poisson(mean);
                    if bids > 0 {
                        let issued_s = interval.from_s + random.below(length as u64) as i64;
                        // The isolate itself knows when a flight ends.
                        if issued_s >= row.flight.1 {
                            continue;
                        }
                        interval.held.bids[at] += bids;
                        steps[(issued_s / STEP_S) as usize % AHEAD][at] += bids;
                    }
                }
            }
        });
        if now_s % STEP_S == STEP_S - 1 {
            let step = &mut steps[(now_s / STEP_S) as usize % AHEAD];
            for (at, bids) in step.iter_mut().enumerate().filter(|(_, bids)| **bids > 0) {
                let row = &rows[at];
                let chance = if kind.is_dear(now_s) { 0.3 } else { row.wins };
                let wins = random.binomial(std::mem::take(bids), chance * (1.0 - LOST));
                if wins > 0 {
                    let issued_s = now_s - random.below(STEP_S as u64) as i64;
                    let times = if kind.is_dear(issued_s) { 10 } else { 1 };
                    spent[row.campaign][((issued_s - from_s) / 900) as usize] +=
                        wins * times * campaigns[row.campaign].bill;
                    ledger.send(at, (issued_s, now_s), wins, &ssps[row.ssp], &mut random);
                }
            }
        }
    }
    let tick_ms = ticking.as_secs_f64() * 1000.0 / f64::from(ticks.max(1));
    Outcome { spent, expected, ages: isolates.ages, bills: ledger.bills, refused: ledger.refused, tick_ms, saved_bytes }
}

fn rows(campaigns: &[Campaign]) -> Vec<Row> {
    let of = |(at, campaign): (usize, &Campaign)| -> Vec<Row> {
        let flight = campaign.budget.flights.first().unwrap_or(&Flight::ALWAYS);
        let flight = (flight.start_ms / 1000, flight.end_ms / 1000);
        let row = |row: &crate::campaigns::Row| Row {
            campaign: at,
            ssp: row.ssp,
            zone: campaign.zone,
            requests: row.requests,
            bids: campaign.bids,
            wins: row.wins,
            cost: campaign.bids * row.wins * (1.0 - LOST) * campaign.bill as f64,
            flight,
        };
        campaign.rows.iter().map(row).collect()
    };
    campaigns.iter().enumerate().flat_map(of).collect()
}

fn stops(campaigns: &[Campaign], known: &[Vec<u64>], now_s: i64) -> Vec<(u64, u32)> {
    let stop = |(at, campaign): (usize, &Campaign)| {
        let day = campaign.budget.zone.day(now_s * 1000) - FIRST_DAY + 1;
        let is_spent = known[at][day as usize] >= campaign.budget.daily;
        (campaign.budget.key, if is_spent { 0 } else { WHOLE })
    };
    campaigns.iter().enumerate().map(stop).collect()
}

/// A count with this mean. Many are as good as certain.
fn about(mean: f64, random: &mut Random) -> u64 {
    if mean > 200.0 { (mean + random.unit()) as u64 } else { random.poisson(mean) }
}
