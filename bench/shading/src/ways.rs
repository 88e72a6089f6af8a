//! The ways to shade that are compared. Bids and prices are in micros.

use crate::market::Auction;

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

/// The bid with the highest expected surplus, on a grid of hundredths of the value.
fn best_of_grid(value: i64, chance: impl Fn(f64) -> f64) -> i64 {
    let value = value as f64;
    let surplus = |part: i32| (value * (1.0 - f64::from(part) / 100.0)) * chance(value * f64::from(part) / 100.0);
    let best = (1..=100).max_by(|a, b| surplus(*a).total_cmp(&surplus(*b))).unwrap_or(100);
    (value * f64::from(best) / 100.0) as i64
}
