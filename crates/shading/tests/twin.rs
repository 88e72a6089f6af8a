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
use std::cmp::Ordering;

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

/// The chance of each eighth of an octave: 48 bins, of which the first starts at `first` octaves.
fn chances(notices: &[Notice], first: f64) -> [f64; 48] {
    let offset = |price: i64| ((position(price) - first) * 8.0).clamp(0.0, 47.999);
    let bin = |price: i64| offset(price) as usize;
    let bounded = || notices.iter().filter(|(_, _, price)| price.is_none());
    // The mean position in its bin of the bids of which only the outcome is known.
    let part = |at: usize| {
        let offsets: Vec<f64> =
            bounded().map(|(_, bid, _)| offset(*bid)).filter(|offset| *offset as usize == at).collect();
        offsets.iter().map(|offset| offset.fract()).sum::<f64>() / offsets.len() as f64
    };
    let parts: Vec<f64> = (0..48).map(part).collect();
    let mut known = [1.0 / 48.0; 48];
    for (_, _, price) in notices {
        if let Some(price) = price {
            known[bin(*price)] += 1.0;
        }
    }
    let smooth = |of: [f64; 48]| {
        std::array::from_fn(|at| (at..at + 5).map(|next: usize| of[next.saturating_sub(2).min(47)]).sum::<f64>() / 5.0)
    };
    let around: [f64; 48] = smooth(known);
    let won = notices.iter().filter(|(has_won, _, price)| *has_won && price.is_none()).count();
    let most = (known.iter().sum::<f64>() + won as f64) / 20.0;
    let over = std::array::from_fn(|at| (known[at] - around[at]).clamp(0.0, most));
    let spread_over: [f64; 48] = smooth(over);
    let known: [f64; 48] = std::array::from_fn(|at| known[at] - over[at] + spread_over[at]);
    let shares = |weights: [f64; 48]| weights.map(|weight| weight / weights.iter().sum::<f64>());
    let mut chances = shares(known);
    for round in 0..if bounded().count() > 0 { 102 } else { 0 } {
        let mut spread = [0.0; 48];
        for (has_won, bid, _) in bounded() {
            let open = |at: usize| match at.cmp(&bin(*bid)) {
                Ordering::Less => f64::from(u8::from(*has_won)),
                Ordering::Equal if *has_won => parts[at],
                Ordering::Equal => 1.0 - parts[at],
                Ordering::Greater => f64::from(u8::from(!has_won)),
            };
            let sum: f64 = (0..48).map(|at| open(at) * chances[at]).sum();
            (0..48).for_each(|at| spread[at] += open(at) * chances[at] / sum);
        }
        // The last rounds are not smoothed.
        let spread: [f64; 48] = if round < 100 { smooth(spread) } else { spread };
        chances = shares(std::array::from_fn(|at| known[at] + spread[at]));
    }
    chances
}

fn surplus(chances: &[f64; 48], first: f64, value: f64, bid: f64) -> f64 {
    let at = (position(bid as i64) - first) * 8.0;
    let part = |bin: usize| if bin == 47 { 0.0 } else { (at - bin as f64).clamp(0.0, 1.0) };
    (value - bid) * (0..48).map(|bin| chances[bin] * part(bin)).sum::<f64>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

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
        let (mut rivals, mut curve) = fit(&cell, None, None, None).unwrap();
        for _ in 0..80 {
            (rivals, curve) = fit(&cell, None, Some(&rivals), Some(&curve)).unwrap();
        }
        // The cell chose its own bins.
        let first = f64::from(u16::from_le_bytes([cell.encode()[1], cell.encode()[2]])) / 8.0;
        let chances = chances(&notices, first);
        let bytes = curve.encode();
        let octaves = f64::from(u16::from_le_bytes([bytes[0], bytes[1]])) / 256.0;
        for node in 0..10 {
            let octaves = octaves + f64::from(node) / 2.0;
            let value = octaves.floor().exp2() * (1.0 + octaves.fract());
            let best = (1..FINE).map(|at| surplus(&chances, first, value, value * at as f64 / FINE as f64)).fold(0.0, f64::max);
            let bid = curve.bid(value as i64, 0) as f64;
            let ours = surplus(&chances, first, value, bid);
            prop_assert!(ours >= best * 0.985 - value * 0.002, "node {node}: {bid} of {value}: {ours} instead of {best}");
        }
    }
}
