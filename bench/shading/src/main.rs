//! Simulates days of auctions with ways to shade bids, and prints one line of JSON.
//!
//!     bench-shading AUCTIONS_A_DAY SEED [FILE]
//!
//! With a file, its auctions instead of the worlds: see `file.rs`. bench/README.md describes the simulation. Equal
//! arguments give equal results.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a simulation: floats are fine, and a panic ends a wrong run"
)]

mod file;
mod market;
#[allow(dead_code, reason = "the simulation of budgets draws from more distributions")]
#[path = "../../pacing/src/random.rs"]
mod random;
mod ways;

use market::{Auction, Market, WORLDS, World};
use random::Random;
use serde::Serialize;
use std::{collections::BTreeMap, env, process::ExitCode};
use ways::{Clairvoyant, Factor, Learned, Logistic, Pair, Prices, Way};

const DAYS: usize = 2;
/// The part of the bids that stay unshaded, in all ways that learn.
const CONTROL: f64 = 0.02;
/// Factors that are tried for the best flat bid, each 3 % under the one before.
const FACTORS: i32 = 80;

/// What a way won in an hour. Money is for 1,000 impressions, in units of the currency.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Hour {
    bids: u64,
    wins: u64,
    spend: f64,
    surplus: f64,
    /// The bids among these that are not of the control group.
    shaded: u64,
}

#[derive(Serialize)]
struct Of<'a> {
    world: &'a str,
    way: &'a str,
    hours: Vec<Hour>,
}

/// What an exchange tells of the price to win.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Always,
    OfLosses,
    Never,
}

struct Setting<'a> {
    world: World,
    /// The part of the prices to win that is wrong by up to a fifth.
    lies: f64,
    told: Told,
    seed: u64,
    /// Auctions of a day.
    day: usize,
    recorded: &'a [Auction],
}

/// The surplus after the first day, by cell and a quarter of an octave of the value.
type Groups = BTreeMap<(usize, i32), f64>;

fn run(setting: &Setting<'_>, way: &mut dyn Way, control: f64) -> (Vec<Hour>, Groups) {
    let mut market = Market::new(setting.world, setting.seed, setting.recorded, setting.day);
    let mut random = Random::new(setting.seed ^ 0xface);
    let mut hours = vec![Hour::default(); DAYS * 24];
    let mut groups = Groups::new();
    for at in 0..DAYS * setting.day {
        let auction = market.auction(at);
        let Auction { cell, value, floor, to_win } = auction;
        let (is_control, lies) = (random.unit() < control, random.unit() < setting.lies);
        let wrong = random.between(0.8, 1.2);
        let bid = if is_control { value } else { way.bid(&auction).max(floor).min(value) };
        let has_won = bid >= to_win;
        let hour = &mut hours[at * 24 / setting.day];
        hour.bids += 1;
        hour.shaded += u64::from(!is_control);
        if has_won {
            let surplus = (value - bid) as f64 / 1e6;
            hour.wins += 1;
            hour.spend += bid as f64 / 1e6;
            hour.surplus += surplus;
            if at >= setting.day {
                *groups.entry((cell, ((value as f64).log2() * 4.0) as i32)).or_default() += surplus;
            }
        }
        let is_told = setting.told == Told::Always || setting.told == Told::OfLosses && !has_won;
        let price = if lies { (to_win as f64 * wrong) as i64 } else { to_win };
        way.learn(cell, has_won, bid, is_told.then_some(price));
        market.settle(&auction, bid);
        if at % (setting.day / ways::TICKS) == 0 {
            way.tick();
        }
    }
    (hours, groups)
}

/// All ways in one world. A way without the prices to win is named so.
fn compare<'a>(world: &'a str, setting: &Setting<'_>) -> Vec<Of<'a>> {
    let of = |told: Told, way: &'a str, mut by: Box<dyn Way>, control: f64| {
        let setting = Setting { told, ..*setting };
        Of { world, way, hours: run(&setting, &mut *by, control).0 }
    };
    let learned = || Box::<Learned>::default();
    vec![
        of(Told::Never, "none", Box::new(Factor(1.0)), 0.0),
        of(Told::Never, "the buyer's pair", Box::new(Pair(typical(setting.recorded))), 0.0),
        of(Told::Always, "edgebid", learned(), CONTROL),
        of(Told::OfLosses, "edgebid, losses", learned(), CONTROL),
        of(Told::Never, "edgebid, untold", learned(), CONTROL),
        of(Told::Never, "logistic", Box::<Logistic>::default(), CONTROL),
        of(Told::Always, "histogram", Box::<Prices>::default(), CONTROL),
        Of { world, way: "best flat", hours: best_flat(setting) },
        of(Told::Never, "clairvoyant", Box::new(Clairvoyant), 0.0),
    ]
}

/// The median of recorded prices; else about the mean of the cells, of which each is up to four times as dear or cheap.
fn typical(recorded: &[Auction]) -> f64 {
    let mut prices: Vec<i64> = recorded.iter().map(|auction| auction.to_win).collect();
    prices.sort_unstable();
    prices.get(prices.len() / 2).map_or(1_200_000.0, |price| *price as f64)
}

/// The best factor of each cell and value, found afterwards. Only the surplus after the first day is known.
fn best_flat(setting: &Setting<'_>) -> Vec<Hour> {
    let mut best = Groups::new();
    for power in 0..FACTORS {
        for (group, surplus) in run(setting, &mut Factor(0.97_f64.powi(power)), 0.0).1 {
            let best = best.entry(group).or_default();
            *best = best.max(surplus);
        }
    }
    let bids = (setting.day / 24) as u64;
    let surplus = best.values().sum::<f64>() / 24.0;
    let hour = |at| if at < 24 { Hour::default() } else { Hour { bids, shaded: bids, surplus, ..Hour::default() } };
    (0..24 * DAYS).map(hour).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|argument| argument.parse::<u64>().ok());
    let (Some(day), Some(seed)) = (number(0), number(1)) else {
        eprintln!("usage: bench-shading AUCTIONS_A_DAY SEED [FILE]");
        return ExitCode::FAILURE;
    };
    let setting = |world, lies, day, recorded| Setting { world, lies, told: Told::Never, seed, day, recorded };
    let all: Vec<Of<'_>> = if let Some(path) = arguments.get(2) {
        match file::auctions(path) {
            Ok(auctions) => compare(path, &setting(World::Recorded, 0.0, auctions.len() / DAYS, &auctions)),
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::FAILURE;
            }
        }
    } else {
        let of = |(name, world, lies)| compare(name, &setting(world, lies, day.max(10_000) as usize, &[]));
        WORLDS.into_iter().flat_map(of).collect()
    };
    match serde_json::to_string(&all) {
        Ok(text) => println!("{text}"),
        Err(error) => eprintln!("{error}"),
    }
    ExitCode::SUCCESS
}
