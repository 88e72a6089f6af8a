//! What one notice tells about the highest rival price, as a small number that isolates can count.

use crate::log::{OCTAVE, log};

/// In the low 14 bits the logarithm of a price, and above it what the price is: `KNOWN`, `WON`, `LOST`, `SENT` or
/// `VOID`.
/// Isolates count equal numbers, so the logarithm is rounded down: that of a rival's price to a bin of
/// [`Cell`](crate::Cell), that of a bid to a quarter of one.
pub type Told = u32;

pub(crate) const LOG_BITS: u32 = 14;
/// Width of a bin of [`Cell`](crate::Cell) as a logarithm: an eighth of an octave.
pub(crate) const WIDTH: u32 = OCTAVE / 8;
/// The rival's price.
pub(crate) const KNOWN: u32 = 0;
/// A bid that won.
pub(crate) const WON: u32 = 1;
/// A bid that lost.
pub(crate) const LOST: u32 = 2;
/// A bid, whatever its notices tell later.
pub(crate) const SENT: u32 = 3;
/// A bid that took part in no auction, such as one whose creative the exchange does not take.
pub(crate) const VOID: u32 = 4;

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

/// A bid that was sent, at a price in micros per mille of the cell's currency; `None` if it is not above 0.
#[must_use]
pub fn sent(bid: i64) -> Option<Told> {
    (bid > 0).then(|| told_of(SENT, bid))
}

/// A bid that lost for another reason than its price; `None` if it is not above 0.
#[must_use]
pub fn void(bid: i64) -> Option<Told> {
    (bid > 0).then(|| told_of(VOID, bid))
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
    let (what, price) = match (min_to_win, outcome) {
        (Some(price), Outcome::Won) if price <= bid => (KNOWN, price),
        (Some(price), Outcome::Lost) if price >= bid => (KNOWN, price),
        // Without a price, or with one that contradicts the outcome.
        (_, Outcome::Won) => (WON, bid),
        (_, Outcome::Lost) => (LOST, bid),
    };
    Ok(told_of(what, price))
}

fn told_of(what: u32, price: i64) -> Told {
    let step = if what == KNOWN { WIDTH } else { WIDTH / 4 };
    let at = log(price.unsigned_abs()) / step * step;
    what << LOG_BITS | at
}
