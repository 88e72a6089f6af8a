//! What one notice tells about the highest rival price, as a small number that isolates can count.

use crate::cell::WIDTH;
use crate::log::log;

/// The highest believable price to win, as a multiple of the bid.
const MOST_TIMES: i64 = 100;

/// The result of an auction for our bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The bid won.
    Won,
    /// The bid lost to a higher bid: loss codes 102 and 103 only.
    Lost,
}

/// A notice that cannot be true. Nothing is learned from it; count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absurd;

/// The bin of a price as in [`Cell`](crate::Cell) in the low byte, and in the high byte what the price is: 0 the rival's, 1 a bid that
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
