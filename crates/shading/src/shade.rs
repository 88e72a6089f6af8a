//! Learned shading: which spot a bid is for, and what was learned there about the prices that win.
//!
//! The pacer, which is not in this crate, learns a [`Curve`] for each busy spot from the notices of its bids, and sends
//! all of them with the shares of budgets. The decision bids by the curve of its spot, else by that of the wider spot,
//! else as the buyer's own `shading` says. On a small part of the requests, it bids as if nothing had been learned, for
//! comparison.

use crate::cells::row;
use crate::curve::Curve;
use crate::spot::{Spot, key, wider};
use base::base64;
use base::hash::hash_of;
use base::money::{Currency, Micros, Rates, Rounding};

/// The first word of the line with the curves, in a text of shares.
const LINE: &str = "curves ";

/// Milliseconds after which curves are too old. Prices change slowly, and an isolate may have had no requests.
const OLD_MS: i64 = 600_000;

/// The part of the decisions that is for comparison, of 2^32.
const CONTROL: u32 = u32::MAX / 50;

/// The curves of all busy spots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Curves {
    /// When the pacer made them, in milliseconds since the epoch.
    made_ms: i64,
    /// See [`key`].
    salt: u32,
    /// Sorted by the key of the spot: see [`key`].
    rows: Vec<(u32, Curve)>,
}

impl Curves {
    /// Takes the curves of a text of `crates/pacing/src/shares.rs`. Without a line of curves, there are none.
    pub fn read(&mut self, text: &str) {
        let mut lines = text.lines();
        self.made_ms = lines.next().and_then(|made| made.parse().ok()).unwrap_or_default();
        let line = lines.find_map(|line| line.strip_prefix(LINE)?.split_once(' ')).unwrap_or_default();
        self.salt = u32::from_str_radix(line.0, 16).unwrap_or_default();
        let bytes = base64::decoded(line.1).unwrap_or_default();
        self.rows = bytes.as_chunks().0.iter().map(|bytes| row(*bytes)).collect();
    }

    /// The curve of a spot, else of the next wider spot, at the SSP with this [`hash_of`] its id; `None` if nothing
    /// is known there.
    pub fn of(&self, ssp: u64, Spot(spot): Spot) -> Option<(Spot, Curve)> {
        wider(spot).find_map(|spot| {
            let at = self.rows.binary_search_by_key(&key(ssp, spot, self.salt), |(own, _)| *own).ok()?;
            self.rows.get(at).map(|(_, curve)| (Spot(spot), *curve))
        })
    }
}

/// What the decision on one request knows about learned shading.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shade<'c> {
    /// `None` if they are unknown or too old.
    curves: Option<&'c Curves>,
    /// [`hash_of`] the SSP's id.
    pub ssp: u64,
    /// Whether the bids on the request show what is paid without learning.
    pub is_control: bool,
}

impl<'c> Shade<'c> {
    /// For a request of the SSP with this id at `now_ms`, in milliseconds since the epoch. `lot` is a pseudo-random number
    /// of the decision, of 32 bits. It selects two of a hundred decisions for comparison.
    pub fn of(ssp: &str, lot: u32, curves: Option<&'c Curves>, now_ms: i64) -> Shade<'c> {
        let is_new = |curves: &&Curves| now_ms.saturating_sub(curves.made_ms) < OLD_MS;
        Shade { curves: curves.filter(is_new), ssp: hash_of(ssp), is_control: lot < CONTROL }
    }

    /// The curve for a spot, and the spot that it was learned in. `None` if nothing is known there.
    pub fn curve(&self, spot: Spot) -> Option<(Spot, Curve)> {
        self.curves.and_then(|curves| curves.of(self.ssp, spot))
    }

    /// The bid in `cur` of a campaign that pays `most` at most, by a curve of [`Shade::curve`]. `None` without a curve, and
    /// if the request is for comparison.
    pub fn bid(&self, curve: Option<(Spot, Curve)>, most: Micros, cur: Currency, rates: &Rates) -> Option<Micros> {
        let (_, curve) = curve.filter(|_| !self.is_control)?;
        if cur == Currency::USD {
            return Some(Micros(curve.bid(most.0, 0)));
        }
        let value = rates.convert(most, cur, Currency::USD, Rounding::Down)?;
        // The curve is in dollars. In its own currency, the campaign bids the same part of what it pays.
        let part = i128::from(curve.bid(value.0, 0)) * i128::from(most.0) / i128::from(value.0.max(1));
        i64::try_from(part).ok().map(Micros)
    }
}
