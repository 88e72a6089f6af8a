//! Recorded auctions, one in a line: our value, the highest rival price, and the cell, with commas, tabs or spaces in
//! between. Prices are decimals for 1,000 impressions, and the cell is any word.

use crate::market::Auction;
use std::{collections::BTreeMap, fs};

/// The fewest auctions that make two days.
const FEWEST: usize = 10_000;

pub(crate) fn auctions(path: &str) -> Result<Vec<Auction>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut cells: BTreeMap<&str, usize> = BTreeMap::new();
    let mut auctions = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split([',', '\t', ' ']).filter(|word| !word.is_empty());
        let price = |word: Option<&str>| {
            let amount: f64 = word?.parse().ok()?;
            (amount > 0.0 && amount < 1e6).then_some((amount * 1e6) as i64)
        };
        let (value, rival, cell) = (price(words.next()), price(words.next()), words.next());
        let (Some(value), Some(to_win), Some(cell), None) = (value, rival, cell, words.next()) else {
            return Err(format!(
                "{path}:{number}: expected a value, the highest rival price and a cell, found: {line}"
            ));
        };
        let next = cells.len();
        let cell = *cells.entry(cell).or_insert(next);
        auctions.push(Auction { cell, value, floor: 0, to_win });
    }
    match auctions.len() {
        FEWEST.. => Ok(auctions),
        count => Err(format!("{path}: expected at least {FEWEST} auctions, found {count}")),
    }
}
