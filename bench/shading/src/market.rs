//! The auctions: what the rivals bid, which floors the exchange sets, and how both follow our bids.

use crate::random::Random;

const CELLS: usize = 12;
/// Micros of a unit of the currency.
const UNIT: f64 = 1e6;
/// Rivals in a market where they learn too.
const RIVALS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum World {
    LogNormal,
    Bimodal,
    Spiky,
    Floored,
    Drift,
    Jump,
    Adaptive,
    FollowingFloors,
    OneValue,
    Recorded,
}

/// The worlds by name, and which part of the prices to win is wrong by up to a fifth.
pub(crate) const WORLDS: [(&str, World, f64); 10] = [
    ("log-normal", World::LogNormal, 0.0),
    ("log-normal, 10 % lies", World::LogNormal, 0.1),
    ("bimodal", World::Bimodal, 0.0),
    ("spiky", World::Spiky, 0.0),
    ("floored", World::Floored, 0.0),
    ("drift", World::Drift, 0.0),
    ("jump", World::Jump, 0.0),
    ("adaptive rivals", World::Adaptive, 0.0),
    ("floors follow our bids", World::FollowingFloors, 0.0),
    ("one value", World::OneValue, 0.0),
];

/// One auction, in micros. A bid wins from `to_win` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Auction {
    pub cell: usize,
    pub value: i64,
    pub floor: i64,
    pub to_win: i64,
}

/// The rivals and the exchange. Prices are in units of the currency.
pub(crate) struct Market<'a> {
    world: World,
    random: Random,
    medians: [f64; CELLS],
    values: [f64; 8],
    /// For each cell: a mean of our bids, and the factors of the rivals that learn.
    ours: [f64; CELLS],
    factors: [[f64; RIVALS]; CELLS],
    rivals: [f64; RIVALS],
    recorded: &'a [Auction],
    /// Auctions of a day, in all cells.
    day: usize,
}

impl Market<'_> {
    pub(crate) fn new(world: World, seed: u64, recorded: &[Auction], day: usize) -> Market<'_> {
        let mut random = Random::new(seed);
        let medians = std::array::from_fn(|_| random.log_between(0.3, 5.0));
        let values = std::array::from_fn(|_| random.log_between(0.5, 10.0));
        let (ours, factors) = ([0.0; CELLS], [[0.8; RIVALS]; CELLS]);
        Market { world, random, medians, values, ours, factors, rivals: [0.0; RIVALS], recorded, day }
    }

    pub(crate) fn auction(&mut self, at: usize) -> Auction {
        if let Some(auction) = self.recorded.get(at) {
            return *auction;
        }
        let random = &mut self.random;
        // The first cells have most of the auctions.
        let cell = (random.unit().powi(2) * CELLS as f64) as usize;
        let value = self.values[random.below(self.values.len() as u64) as usize];
        let median = self.medians[cell];
        let usual = |random: &mut Random| median * (0.6 * random.normal()).exp();
        let (mut floor, mut price) = (0.0, usual(random));
        match self.world {
            World::LogNormal | World::Recorded => {}
            World::Bimodal => {
                let mode = if random.unit() < 0.6 { median } else { 3.0 * median };
                price = mode * (0.2 * random.normal()).exp();
            }
            World::Spiky => {
                let spikes = [0.5, 0.8, 1.0, 1.0, 1.5, 2.5];
                let spike = random.below(8) as usize;
                price = spikes.get(spike).map_or(price, |spike| (median * spike * 20.0).ceil() / 20.0);
            }
            World::Floored => floor = if random.unit() < 0.5 { 0.8 * median } else { 0.3 * median },
            World::Drift => price *= 2_f64.powf((at as f64 / self.day as f64 * std::f64::consts::TAU).sin() / 2.0),
            World::Jump => price *= if at < self.day { 1.0 } else { 1.6 },
            World::Adaptive => {
                self.rivals = std::array::from_fn(|rival| usual(random) * self.factors[cell][rival]);
                price = self.rivals.iter().copied().fold(0.0, f64::max);
            }
            World::FollowingFloors => floor = 0.8 * self.ours[cell],
            World::OneValue => return auction(cell, 2.0 * median, 0.0, price),
        }
        auction(cell, value, floor, price)
    }

    /// Tells the market of our bid.
    pub(crate) fn settle(&mut self, auction: &Auction, bid: i64) {
        if self.world == World::Recorded {
            return;
        }
        let cell = auction.cell;
        self.ours[cell] += (bid as f64 / UNIT - self.ours[cell]) / 1_000.0;
        // A rival that wins bids less the next time; one that loses bids more.
        let best = self.rivals.iter().copied().fold(0.0, f64::max);
        for (rival, factor) in self.rivals.into_iter().zip(&mut self.factors[cell]) {
            let has_won = bid < auction.to_win && rival >= best;
            *factor = (*factor * if has_won { 0.997 } else { 1.0015 }).clamp(0.3, 0.95);
        }
    }
}

fn auction(cell: usize, value: f64, floor: f64, price: f64) -> Auction {
    let [value, floor, price] = [value, floor, price].map(|amount| (amount * UNIT) as i64);
    Auction { cell, value, floor: floor.min(value), to_win: (price + 1).max(floor) }
}
