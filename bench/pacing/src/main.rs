//! Simulates days of many budgets, and prints one line of JSON.
//!
//!     bench-pacing CAMPAIGNS SEED [WORLD]
//!
//! Without a world: two days by two rules. With one: three days by the rule of edgebid.
//!
//! bench/README.md describes the simulation and its limits. Equal arguments give equal results, except for the measured
//! times.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a simulation: floats are fine, and a panic ends a wrong run"
)]

mod bound;
mod campaigns;
mod catalog;
mod isolates;
mod ledger;
mod outcome;
mod random;
mod run;
mod scale;
mod traffic;
mod world;
mod worlds;

use std::{env, process::ExitCode, time::Instant};

use catalog::Catalog;
use outcome::Day;
use random::Random;
use run::{Outcome, Rule, Run};
use scale::{DAYS, RELAYS};
use serde::Serialize;
use traffic::Traffic;
use world::{Faults, World};
use worlds::{Kind, WORLDS};

#[derive(Serialize)]
struct Result {
    days: Vec<Of>,
    /// Seconds that shares of each age in seconds were in use, of each class.
    ages: Vec<u64>,
    bills: u64,
    refused: u64,
    tick_ms: f64,
    saved_bytes: usize,
    seconds: f64,
}

/// A rule on one day.
#[derive(Serialize)]
struct Of {
    rule: &'static str,
    day: i64,
    campaigns: Vec<Day>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|argument| argument.parse::<u64>().ok());
    let kind = arguments.get(2).map_or(Some(None), |name| Kind::named(name).map(Some));
    let (Some(count), Some(seed), Some(kind)) = (number(0), number(1), kind) else {
        let worlds = WORLDS.map(|(name, _)| name).join(", ");
        eprintln!("usage: bench-pacing CAMPAIGNS SEED [WORLD]\nworlds: {worlds}");
        return ExitCode::FAILURE;
    };
    match serde_json::to_string(&simulate(count.max(50) as usize, seed, kind)) {
        Ok(text) => println!("{text}"),
        Err(error) => eprintln!("{error}"),
    }
    ExitCode::SUCCESS
}

fn simulate(count: usize, seed: u64, only: Option<Kind>) -> Result {
    let kind = only.unwrap_or(WORLDS[0].1);
    let last = if only.is_some() { 3 } else { DAYS };
    let begin = Instant::now();
    let mut random = Random::new(seed);
    let traffic = Traffic::new(last, &kind, &mut random);
    let (campaigns, rows) = campaigns::campaigns(count, &traffic, last, &kind, &mut random);
    let (ssps, faults) = (campaigns::ssps(), faults(&traffic, last, &mut random));
    let catalogs = [false, true].map(|is_pushed| Catalog::new(&campaigns, &kind, is_pushed));
    let world =
        World { rows: &rows, ssps: &ssps, traffic: &traffic, faults: &faults, days: last, kind, catalogs: &catalogs };
    let ours = Run::new(&world, Rule::Pacer, seed ^ 1).outcome();
    let of =
        |rule, outcome: &Outcome, day| Of { rule, day, campaigns: outcome::days(&world, &campaigns, outcome, day) };
    let mut days: Vec<Of> = (0..last).map(|day| of("edgebid", &ours, day)).collect();
    if only.is_none() {
        let stop = Run::new(&world, Rule::Stop, seed ^ 1).outcome();
        days.push(of("stop flag", &stop, DAYS - 1));
    }
    Result {
        days,
        ages: ours.ages.clone(),
        bills: ours.bills,
        refused: ours.refused,
        tick_ms: ours.tick_ms,
        saved_bytes: ours.saved_bytes,
        seconds: begin.elapsed().as_secs_f64(),
    }
}

/// On each day: the ledger is out for five minutes, six relays die, the pacer is lost twice.
fn faults(traffic: &Traffic, days: i64, random: &mut Random) -> Faults {
    let mut faults = Faults::default();
    let mut at = || traffic.from_s + random.below(traffic.seconds as u64) as i64;
    for day in 0..days {
        let begin = traffic.from_s + day * 86_400 + at() % 86_400;
        faults.outages.push((begin, begin + 300));
        for _ in 0..6 {
            let begin = at();
            faults.deaths.push(((begin % RELAYS as i64) as usize, begin, begin + 40 + begin % 60));
        }
        for _ in 0..2 {
            let begin = at();
            faults.restarts.push((begin, begin + 10 + begin % 20));
        }
    }
    faults
}
