//! The fit against a plain one with floats: the same model, written as its definition says.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a plain model in floats"
)]

use proptest::prelude::*;
use shading::{Cell, Outcome, fit};

/// One notice: whether it won, the bid, and the price to win if the exchange tells it. Prices are in micros.
type Notice = (bool, i64, Option<i64>);

/// Finer than any bin: prices from 2^14 micros on, 64 to an octave.
const FINE: usize = 64 * 12;

fn position(price: i64) -> f64 {
    let exponent = price.ilog2();
    f64::from(exponent) + price as f64 / 2_f64.powi(exponent.cast_signed()) - 1.0
}

fn cell(notices: &[Notice]) -> Cell {
    let mut cell = Cell::default();
    for (has_won, bid, price) in notices {
        let outcome = if *has_won { Outcome::Won } else { Outcome::Lost };
        cell.observe(outcome, *bid, *price).unwrap();
    }
    cell
}

/// The chance of each quarter of an octave: 24 bins, of which the first starts at `first` octaves.
fn chances(notices: &[Notice], first: f64) -> [f64; 24] {
    let bin = |price: i64| ((position(price) - first) * 4.0).floor().clamp(0.0, 23.0) as usize;
    let mut chances = [1.0 / 24.0; 24];
    for round in 0..=24 {
        let mut weights = [1.0 / 24.0; 24];
        for (has_won, bid, price) in notices {
            let open = |at: usize| match (price, has_won) {
                (Some(price), true) => f64::from(at == bin(*price.min(bid))),
                (Some(price), false) => f64::from(at == bin(*price.max(bid))),
                _ if at == bin(*bid) => 0.5,
                (None, true) => f64::from(at < bin(*bid)),
                (None, false) => f64::from(at > bin(*bid)),
            };
            if price.is_none() && round == 0 {
                continue;
            }
            let sum: f64 = (0..24).map(|at| open(at) * chances[at]).sum();
            for at in 0..24 {
                weights[at] += open(at) * if price.is_some() { 1.0 } else { chances[at] / sum };
            }
        }
        let sum: f64 = weights.iter().sum();
        chances = weights.map(|weight| weight / sum);
    }
    chances
}

fn surplus(chances: &[f64; 24], first: f64, value: f64, bid: f64) -> f64 {
    let at = (position(bid as i64) - first) * 4.0;
    let part = |bin: usize| if bin == 23 { 0.0 } else { (at - bin as f64).clamp(0.0, 1.0) };
    (value - bid) * (0..24).map(|bin| chances[bin] * part(bin)).sum::<f64>()
}

proptest! {
    /// What the curve bids at its nodes is worth as much as the best bid of the twin, except for rounding.
    #[test]
    fn the_bids_at_the_nodes_are_as_good_as_the_twins(
        seen in prop::collection::vec((100_000_i64..4_000_000, 100_000_i64..4_000_000, any::<bool>()), 100..400),
    ) {
        let notices: Vec<Notice> = seen.iter().map(|(rival, bid, is_told)| {
            let rival = (*rival).min(bid * 50);
            (rival <= *bid, *bid, is_told.then_some(rival))
        }).collect();
        let cell = cell(&notices);
        let mut curve = fit(&cell, &[], None).unwrap();
        for _ in 0..80 {
            curve = fit(&cell, &[], Some(curve)).unwrap();
        }
        // The cell chose its own bins.
        let first = f64::from(u16::from_le_bytes([cell.encode()[1], cell.encode()[2]])) / 4.0;
        let chances = chances(&notices, first);
        let base = curve.encode();
        let low = 2_f64.powf((f64::from(u16::from_le_bytes([base[0], base[1]])) / 256.0).floor())
            * (1.0 + f64::from(base[0]) / 256.0);
        for node in 0..6 {
            let value = low * 2_f64.powi(node);
            let best = (1..FINE).map(|at| surplus(&chances, first, value, value * at as f64 / FINE as f64)).fold(0.0, f64::max);
            let bid = curve.bid(value as i64, 0) as f64;
            let ours = surplus(&chances, first, value, bid);
            prop_assert!(ours >= best * 0.985 - value * 0.002, "node {node}: {bid} of {value}: {ours} instead of {best}");
        }
    }
}
