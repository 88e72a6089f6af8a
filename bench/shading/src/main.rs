//! Simulates days of auctions with ways to shade bids, and prints one line of JSON.
//!
//!     bench-shading AUCTIONS_A_DAY SEED [FILE]
//!     bench-shading AUCTIONS_A_DAY control SEEDS
//!
//! With a file, its auctions instead of the worlds: see `file.rs`. `control`: learned shading alone, with each of the first
//! SEEDS seeds in one of the worlds. bench/README.md describes the simulation. Equal arguments give equal results.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a simulation: floats are fine, and a panic ends a wrong run"
)]

mod file;
mod learned;
mod market;
#[allow(dead_code, reason = "the simulation of budgets draws from more distributions")]
#[path = "../../pacing/src/random.rs"]
mod random;
mod ways;

use learned::{Learned, MINUTE_MS};
use market::{Auction, Market, WORLDS, World};
use random::Random;
use serde::Serialize;
use shading::Shade;
use std::{collections::BTreeMap, env, process::ExitCode};
use ways::{Clairvoyant, Factor, Pair, Way};

const DAYS: usize = 2;
const DAY_MS: i64 = 86_400_000;
/// When the first day begins: any midnight.
const START_MS: i64 = 20_000 * DAY_MS;
/// Factors that are tried for the best flat bid, each 3 % under the one before.
const FACTORS: i32 = 80;

/// What some bids of an hour won. Money is for 1,000 impressions, in units of the currency.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Group {
    bids: u64,
    wins: u64,
    spend: f64,
}

impl Group {
    fn add(&mut self, bid: i64, to_win: i64) {
        let has_won = bid >= to_win;
        self.bids += 1;
        self.wins += u64::from(has_won);
        self.spend += if has_won { bid as f64 / 1e6 } else { 0.0 };
    }
}

/// An hour of a way.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Hour {
    /// The bids that are not of the control group, and what their impressions are worth beyond their price.
    shaded: Group,
    surplus: f64,
    control: Group,
    /// What both groups would have won with all bids of the hour: the truth that a comparison of the groups estimates.
    all_shaded: Group,
    all_control: Group,
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
    OfLosses,
    Never,
}

#[derive(Clone, Copy)]
struct Setting<'a> {
    world: World,
    /// The part of the prices to win that is wrong by up to a fifth.
    lies: f64,
    seed: u64,
    /// Auctions of a day.
    day: usize,
    recorded: &'a [Auction],
}

/// The surplus after the first day, by cell and a quarter of an octave of the value.
type Groups = BTreeMap<(usize, i32), f64>;

fn run(setting: Setting<'_>, told: Told, way: &mut dyn Way) -> (Vec<Hour>, Groups) {
    let mut market = Market::new(setting.world, setting.seed, setting.recorded, setting.day);
    let mut random = Random::new(setting.seed ^ 0xface);
    let mut hours = vec![Hour::default(); DAYS * 24];
    let mut groups = Groups::new();
    for at in 0..DAYS * setting.day {
        let ms_of = |at: usize| START_MS + at as i64 * DAY_MS / setting.day as i64;
        let now_ms = ms_of(at);
        let auction = market.auction(at);
        let Auction { cell, value, floor, to_win } = auction;
        let (lot, lies) = (random.below(1 << 32) as u32, random.unit() < setting.lies);
        let wrong = random.between(0.8, 1.2);
        let is_control = way.learns() && Shade::of("", lot, None, now_ms).is_control;
        let shaded = way.bid(&auction, now_ms).max(floor).min(value);
        let bid = if is_control { value } else { shaded };
        let has_won = bid >= to_win;
        let hour = &mut hours[at * 24 / setting.day];
        hour.all_shaded.add(shaded, to_win);
        hour.all_control.add(value, to_win);
        if is_control { &mut hour.control } else { &mut hour.shaded }.add(bid, to_win);
        let surplus = if has_won { (value - bid) as f64 / 1e6 } else { 0.0 };
        hour.surplus += surplus;
        if at >= setting.day {
            *groups.entry((cell, ((value as f64).log2() * 4.0) as i32)).or_default() += surplus;
        }
        let is_told = told == Told::OfLosses && !has_won;
        let price = if lies { (to_win as f64 * wrong) as i64 } else { to_win };
        way.learn(cell, has_won, bid, is_told.then_some(price), now_ms);
        market.settle(&auction, bid);
        let span_ms = way.minutes() * MINUTE_MS;
        if ms_of(at + 1) / span_ms > now_ms / span_ms {
            way.tick(now_ms);
        }
    }
    (hours, groups)
}

/// All ways in one world. A way without the prices to win is named so.
fn compare<'a>(world: &'a str, setting: Setting<'_>) -> Vec<Of<'a>> {
    let of = |told, way, mut by: Box<dyn Way>| Of { world, way, hours: run(setting, told, &mut *by).0 };
    let learned = || Box::new(Learned::new(setting.seed));
    vec![
        of(Told::Never, "none", Box::new(Factor(1.0))),
        of(Told::Never, "the buyer's pair", Box::new(Pair(typical(setting.recorded)))),
        of(Told::OfLosses, "edgebid", learned()),
        of(Told::Never, "edgebid, untold", learned()),
        Of { world, way: "best flat", hours: best_flat(setting) },
        of(Told::Never, "clairvoyant", Box::new(Clairvoyant)),
    ]
}

/// The median of recorded prices; else about the mean of the cells, of which each is up to four times as dear or cheap.
fn typical(recorded: &[Auction]) -> f64 {
    let mut prices: Vec<i64> = recorded.iter().map(|auction| auction.to_win).collect();
    prices.sort_unstable();
    prices.get(prices.len() / 2).map_or(1_200_000.0, |price| *price as f64)
}

/// The best factor of each cell and value, found afterwards. Only the surplus after the first day is known.
fn best_flat(setting: Setting<'_>) -> Vec<Hour> {
    let mut best = Groups::new();
    for power in 0..FACTORS {
        for (group, surplus) in run(setting, Told::Never, &mut Factor(0.97_f64.powi(power))).1 {
            let best = best.entry(group).or_default();
            *best = best.max(surplus);
        }
    }
    let shaded = Group { bids: (setting.day / 24) as u64, ..Group::default() };
    let surplus = best.values().sum::<f64>() / 24.0;
    let hour = |at| if at < 24 { Hour::default() } else { Hour { shaded, surplus, ..Hour::default() } };
    (0..24 * DAYS).map(hour).collect()
}

/// All ways in all worlds.
fn worlds(day: u64, seed: u64) -> Vec<Of<'static>> {
    let setting = |world, lies| Setting { world, lies, seed, day: auctions(day), recorded: &[] };
    WORLDS.into_iter().flat_map(|(name, world, lies)| compare(name, setting(world, lies))).collect()
}

/// All ways in recorded auctions.
fn recorded(path: &str, seed: u64) -> Result<Vec<Of<'_>>, String> {
    let auctions = file::auctions(path)?;
    let (world, day) = (World::Recorded, auctions.len() / DAYS);
    Ok(compare(path, Setting { world, lies: 0.0, seed, day, recorded: &auctions }))
}

/// Learned shading with many seeds, in one world after the other.
fn controls(day: u64, seeds: u64) -> Vec<Of<'static>> {
    let of = |(seed, (name, world, lies))| {
        let setting = Setting { world, lies, seed, day: auctions(day), recorded: &[] };
        Of { world: name, way: "edgebid", hours: run(setting, Told::OfLosses, &mut Learned::new(seed)).0 }
    };
    (1..=seeds).zip(WORLDS.into_iter().cycle()).map(of).collect()
}

/// Of a day, at least some for each minute.
fn auctions(day: u64) -> usize {
    day.max(10_000) as usize
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|argument| argument.parse::<u64>().ok());
    let all = match (number(0), number(1), arguments.get(1).map(String::as_str), number(2)) {
        (Some(day), None, Some("control"), Some(seeds)) => Ok(controls(day, seeds)),
        (Some(day), Some(seed), ..) => {
            arguments.get(2).map_or_else(|| Ok(worlds(day, seed)), |path| recorded(path, seed))
        }
        _ => Err("usage: bench-shading AUCTIONS_A_DAY SEED [FILE], or AUCTIONS_A_DAY control SEEDS".to_owned()),
    };
    let all = match all {
        Ok(all) => all,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    match serde_json::to_string(&all) {
        Ok(text) => println!("{text}"),
        Err(error) => eprintln!("{error}"),
    }
    ExitCode::SUCCESS
}
