//! What is shipped: the pacer's cells learn from counts of bids and from notices that come late, and an isolate reads their
//! curves and bids by them.

use crate::market::Auction;
use crate::random::Random;
use crate::ways::Way;
use base::hash::hash_of;
use base::money::{Currency, Micros, Rates};
use shading::{Cells, Curves, Outcome, Shade, Spot, Told, sent, spot, told};
use std::collections::BTreeMap;

const SSP: &str = "demo";
pub(crate) const MINUTE_MS: i64 = 60_000;
/// The mean time from a bid to its bill, and to the notice of its loss, in milliseconds.
const BILL_MS: f64 = 180_000.0;
const LOSS_MS: f64 = 5_000.0;
/// The part of the notices that never come.
const MISSING: f64 = 0.01;

pub(crate) struct Learned {
    cells: Cells,
    /// What the isolate has got of them.
    curves: Curves,
    rates: Rates,
    random: Random,
    /// Counts of bids and of notices that are on their way, by the minute when they come, the spot, and what they tell.
    coming: BTreeMap<(i64, u32, Told), u64>,
}

impl Learned {
    pub(crate) fn new(seed: u64) -> Learned {
        let mut rates = Rates::default();
        rates.set(Currency::USD, "1");
        let (cells, curves) = (Cells::default(), Curves::default());
        Learned { cells, curves, rates, random: Random::new(seed ^ 0xb111), coming: BTreeMap::new() }
    }
}

/// A placement for each cell; all on one type of device.
fn spot_of(cell: usize) -> u32 {
    spot(cell as u64, 2, 1)
}

impl Way for Learned {
    fn bid(&mut self, auction: &Auction, now_ms: i64) -> i64 {
        let shade = Shade::of(SSP, u32::MAX, Some(&self.curves), now_ms);
        let bid =
            shade.bid(shade.curve(Spot(spot_of(auction.cell))), Micros(auction.value), Currency::USD, &self.rates);
        bid.map_or(auction.value, |bid| bid.0)
    }

    fn learn(&mut self, cell: usize, has_won: bool, bid: i64, price: Option<i64>, now_ms: i64) {
        let (outcome, mean_ms) = if has_won { (Outcome::Won, BILL_MS) } else { (Outcome::Lost, LOSS_MS) };
        let at_ms = now_ms - (mean_ms * (1.0 - self.random.unit()).ln()) as i64;
        let is_missing = self.random.unit() < MISSING;
        // A bill tells no price. An exchange that tells no prices sends no notices of losses. What is absurd teaches nothing.
        let price = price.filter(|_| !has_won);
        let notice = told(outcome, bid, price).ok().filter(|_| !is_missing && (has_won || price.is_some()));
        let all = sent(bid).map(|told| (now_ms, told)).into_iter().chain(notice.map(|told| (at_ms, told)));
        for (ms, told) in all {
            *self.coming.entry((ms / MINUTE_MS, spot_of(cell), told)).or_default() += 1;
        }
    }

    fn tick(&mut self, now_ms: i64) {
        let later = self.coming.split_off(&(now_ms / MINUTE_MS + 1, 0, 0));
        for ((_, spot, told), count) in std::mem::replace(&mut self.coming, later) {
            self.cells.observe((hash_of(SSP), spot, told), count);
        }
        self.cells.tick(now_ms);
        let mut shares = format!("{now_ms}\n");
        self.cells.write_curves(now_ms, &mut shares);
        self.curves.read(&shares);
    }

    fn minutes(&self) -> i64 {
        1
    }
}
