//! The ways to shade that are compared. Bids and prices are in micros.

use crate::market::Auction;

/// The half-life of notices of the others, in ticks: six hours.
const HALF_LIFE: u64 = 36;
/// Fine bins: 2 % each, from 1,000 micros on.
const FINE: usize = 700;

pub(crate) trait Way {
    /// The bid, before floor and value bound it. Times are in milliseconds since the epoch.
    fn bid(&mut self, auction: &Auction, now_ms: i64) -> i64;
    /// Learns from an auction: whether the bid won, and the price to win if it is told.
    fn learn(&mut self, _cell: usize, _has_won: bool, _bid: i64, _told: Option<i64>, _now_ms: i64) {}
    /// Whether it learns, so that it needs a control group.
    fn learns(&self) -> bool {
        true
    }
    /// Computes what it bids from what it has learned.
    fn tick(&mut self, _now_ms: i64) {}
    /// The minutes between two ticks.
    fn minutes(&self) -> i64 {
        10
    }
}

/// The whole value times a factor.
pub(crate) struct Factor(pub f64);

impl Way for Factor {
    fn bid(&mut self, auction: &Auction, _now_ms: i64) -> i64 {
        (auction.value as f64 * self.0) as i64
    }

    fn learns(&self) -> bool {
        false
    }
}

/// Knows every price to win.
pub(crate) struct Clairvoyant;

impl Way for Clairvoyant {
    fn bid(&mut self, auction: &Auction, _now_ms: i64) -> i64 {
        if auction.to_win <= auction.value { auction.to_win } else { 1 }
    }

    fn learns(&self) -> bool {
        false
    }
}

/// The buyer's pair: a typical price for all cells, in micros, and a steepness of 2.
pub(crate) struct Pair(pub f64);

impl Way for Pair {
    fn bid(&mut self, auction: &Auction, _now_ms: i64) -> i64 {
        best_of_grid(auction.value, |bid| bid * bid / (bid * bid + self.0 * self.0))
    }

    fn learns(&self) -> bool {
        false
    }
}

/// What a way knows of a cell.
fn of<T: Default>(cells: &mut Vec<T>, cell: usize) -> &mut T {
    if cells.len() <= cell {
        cells.resize_with(cell + 1, T::default);
    }
    &mut cells[cell]
}

/// Wins and bids, or lower prices and prices, in fine bins.
struct Histogram {
    won: Vec<f64>,
    all: Vec<f64>,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { won: vec![0.0; FINE], all: vec![0.0; FINE] }
    }
}

impl Histogram {
    fn decay(&mut self) {
        let left = 0.5_f64.powf(1.0 / HALF_LIFE as f64);
        self.won.iter_mut().chain(&mut self.all).for_each(|weight| *weight *= left);
    }
}

/// Pan et al. 2020: a logistic regression of the win on the logarithm of the bid, in each cell.
#[derive(Default)]
pub(crate) struct Logistic(Vec<(Histogram, Option<[f64; 2]>)>);

impl Way for Logistic {
    fn bid(&mut self, auction: &Auction, _now_ms: i64) -> i64 {
        let Some([a, b]) = of(&mut self.0, auction.cell).1 else { return auction.value };
        best_of_grid(auction.value, |bid| 1.0 / (1.0 + (-a - b * (bid / 1e6).ln()).exp()))
    }

    fn learn(&mut self, cell: usize, has_won: bool, bid: i64, _told: Option<i64>, _now_ms: i64) {
        let (histogram, _) = of(&mut self.0, cell);
        histogram.all[fine(bid)] += 1.0;
        histogram.won[fine(bid)] += f64::from(u8::from(has_won));
    }

    fn tick(&mut self, _now_ms: i64) {
        for (histogram, weights) in &mut self.0 {
            histogram.decay();
            if histogram.all.iter().sum::<f64>() >= 100.0 {
                *weights = Some(regression(histogram));
            }
        }
    }
}

/// Newton's method, with a weak prior of a steepness of 2 at one unit of the currency.
fn regression(histogram: &Histogram) -> [f64; 2] {
    let (mut a, mut b) = (0.0, 2.0);
    for _ in 0..12 {
        let (mut ga, mut gb, mut haa, mut hab, mut hbb) = (-a, 2.0 - b, 1.0, 0.0, 1.0);
        for (at, (all, won)) in histogram.all.iter().zip(&histogram.won).enumerate().filter(|(_, (all, _))| **all > 0.0)
        {
            let x = (price_of(at) / 1e6).ln();
            let chance = 1.0 / (1.0 + (-a - b * x).exp());
            let (error, weight) = (won - all * chance, all * chance * (1.0 - chance));
            (ga, gb) = (ga + error, gb + error * x);
            (haa, hab, hbb) = (haa + weight, hab + weight * x, hbb + weight * x * x);
        }
        let det = haa * hbb - hab * hab;
        (a, b) = (a + (hbb * ga - hab * gb) / det, (b + (haa * gb - hab * ga) / det).clamp(0.2, 8.0));
    }
    [a, b]
}

/// MEOW 2021: the distribution of prices in fine bins, in each cell. It needs to know the price of every auction.
#[derive(Default)]
pub(crate) struct Prices(Vec<Histogram>);

impl Way for Prices {
    fn bid(&mut self, auction: &Auction, _now_ms: i64) -> i64 {
        // `won` has, for each bin, the notices with lower prices.
        let lower = &of(&mut self.0, auction.cell).won;
        let best = (0..fine(auction.value)).max_by(|a, b| {
            let surplus = |at: usize| (auction.value as f64 - price_of(at)) * lower[at];
            surplus(*a).total_cmp(&surplus(*b))
        });
        best.filter(|at| lower[*at] > 0.0).map_or(auction.value, |at| price_of(at) as i64)
    }

    fn learn(&mut self, cell: usize, _has_won: bool, _bid: i64, told: Option<i64>, _now_ms: i64) {
        if let Some(price) = told.filter(|price| *price > 0) {
            of(&mut self.0, cell).all[fine(price)] += 1.0;
        }
    }

    fn tick(&mut self, _now_ms: i64) {
        for histogram in &mut self.0 {
            histogram.decay();
            let mut sum = 0.0;
            for (lower, all) in histogram.won.iter_mut().zip(&histogram.all) {
                *lower = sum;
                sum += all;
            }
        }
    }
}

fn fine(price: i64) -> usize {
    (((price as f64 / 1_000.0).ln() / 0.02).max(0.0) as usize).min(FINE - 1)
}

/// The lowest price of a fine bin.
fn price_of(at: usize) -> f64 {
    1_000.0 * (at as f64 * 0.02).exp()
}

/// The bid with the highest expected surplus, on a grid of hundredths of the value.
fn best_of_grid(value: i64, chance: impl Fn(f64) -> f64) -> i64 {
    let value = value as f64;
    let surplus = |part: i32| (value * (1.0 - f64::from(part) / 100.0)) * chance(value * f64::from(part) / 100.0);
    let best = (1..=100).max_by(|a, b| surplus(*a).total_cmp(&surplus(*b))).unwrap_or(100);
    (value * f64::from(best) / 100.0) as i64
}
