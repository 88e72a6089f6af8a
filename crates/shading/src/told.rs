//! What one notice tells about the highest rival price, as a small number that isolates can count.

use crate::cell::{Absurd, Bin, Cell, MOST_TIMES, ONE, Outcome, WIDTH};
use crate::log::log;

/// The bin of a price as in [`Cell`] in the low byte, and in the high byte what the price is: 0 the rival's, 1 a bid that
/// won, 2 a bid that lost, 3 a bid that was sent.
pub type Told = u16;

/// A bid that was sent, at a price in micros per mille of the cell's currency; `None` if it is not above 0.
#[must_use]
pub fn sent(bid: i64) -> Option<Told> {
    (bid > 0).then(|| told_of(3, bid))
}

/// Reads a notice. `min_to_win` is the price that would have tied with the highest rival, if the exchange told it. Prices
/// are in micros per mille of the cell's currency.
///
/// # Errors
///
/// [`Absurd`] if the bid is not above 0, or `min_to_win` is not from 1 to 100 times the bid.
pub fn told(outcome: Outcome, bid: i64, min_to_win: Option<i64>) -> Result<Told, Absurd> {
    let is_absurd = |price: i64| price <= 0 || price > bid.saturating_mul(MOST_TIMES);
    if bid <= 0 || min_to_win.is_some_and(is_absurd) {
        return Err(Absurd);
    }
    // A rival that lost has bid no more than we did, and one that won no less, whatever the exchange says.
    let (price, kind) = match (min_to_win, outcome) {
        (Some(price), Outcome::Won) => (price.min(bid), 0),
        (Some(price), Outcome::Lost) => (price.max(bid), 0),
        (None, Outcome::Won) => (bid, 1),
        (None, Outcome::Lost) => (bid, 2),
    };
    Ok(told_of(kind, price))
}

fn told_of(kind: u16, price: i64) -> Told {
    let bin = log(price.unsigned_abs()) / WIDTH;
    kind << 8 | u16::try_from(bin).unwrap_or(u16::MAX).min(0xff)
}

impl Cell {
    /// Learns from `count` notices that told the same.
    pub fn learn(&mut self, told: Told, count: u64) {
        let weight = u32::try_from(count.saturating_mul(ONE.into())).unwrap_or(u32::MAX);
        let bin = match told >> 8 {
            0 => Bin { known: weight, ..Bin::default() },
            1 => Bin { below: weight, ..Bin::default() },
            2 => Bin { above: weight, ..Bin::default() },
            _ => return,
        };
        self.add(u32::from(told & 0xff), bin);
    }
}
