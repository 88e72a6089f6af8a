//! From a cell to its curve.

use crate::cell::{BINS, Cell, ONE, WIDTH};
use crate::curve::{Curve, NODES};
use crate::log::{OCTAVE, exp, log};

/// The fewest notices of a cell or its parents from which a curve is made.
pub const FEWEST: u64 = 100;
/// Notices that the parent's distribution counts for.
const PRIOR: u64 = 32;
/// All chances of a distribution together.
const WHOLE: u64 = 1 << 24;
/// Rounds of the estimate.
const ROUNDS: usize = 24;
/// Bids that are tried in each bin.
const TRIES: u32 = 8;

/// The curve of a cell. `parents` are in the order of their closeness: the fewer notices a cell has, the more its
/// nearest parent counts. `previous` is what the cell bids by now; without it, it bids the whole value. No bid at a node
/// moves by more than a tenth and the rounding of a factor (1 / 256 of the value), so call this again and again.
///
/// `None` if neither the cell nor a parent has [`FEWEST`] notices: then bid without learning.
pub fn fit(cell: &Cell, parents: &[&Cell], previous: Option<Curve>) -> Option<Curve> {
    let chain = || parents.iter().rev().copied().chain([cell]).filter(|cell| cell.samples() > 0);
    if chain().all(|cell| cell.samples() < FEWEST) {
        return None;
    }
    let rivals = chain().fold(None, |prior, cell| Some(Rivals::of(cell, prior.as_ref())))?;
    let base = log(rivals.median()).saturating_sub(OCTAVE);
    let base = u16::try_from(base).ok()?;
    let mut factors = [0; NODES];
    for (factor, value) in factors.iter_mut().zip(Curve::nodes(base)) {
        let signed = i64::try_from(value).ok()?;
        let before = previous.map_or(signed, |curve| curve.bid(signed, 0)).unsigned_abs();
        let best = rivals.best(value).clamp(before - before / 10, before + before / 10);
        *factor = u8::try_from((best * 256).div_ceil(value).clamp(1, 256) - 1).ok()?;
    }
    Some(Curve { base, factors })
}

/// The distribution of the highest rival price.
pub(crate) struct Rivals {
    /// The lowest bin, as in [`Cell`].
    pub first: u32,
    /// The chance of each bin, as a part of about [`WHOLE`].
    pub chances: [u64; BINS as usize],
}

impl Rivals {
    /// Expectation and maximisation (Turnbull's estimate for censored data): each round spreads every won and lost
    /// notice over the prices that it leaves open, in proportion to the chances of the round before. `prior` counts as
    /// some notices more. Of a won or lost bid's own bin, half the chance is open.
    fn of(cell: &Cell, prior: Option<&Rivals>) -> Rivals {
        let first = cell.first;
        let fixed: Vec<u64> = match prior {
            Some(prior) => {
                prior.moved(first).iter().map(|chance| chance * PRIOR * u64::from(ONE) / WHOLE + 1).collect()
            }
            None => vec![u64::from(ONE / BINS); BINS as usize],
        };
        let known: Vec<u64> = fixed.iter().zip(cell.bins).map(|(fixed, bin)| fixed + u64::from(bin.known)).collect();
        let mut rivals = Rivals { first, chances: [0; BINS as usize] };
        rivals.set(&known);
        let lost = cell.lost();
        if cell.bins.iter().all(|bin| bin.below == 0) && lost.iter().all(|lost| *lost == 0) {
            return rivals;
        }
        for _ in 0..ROUNDS {
            let below = open(rivals.chances.into_iter().zip(cell.bins.map(|bin| bin.below)));
            let mut above = open(rivals.chances.into_iter().zip(lost).rev());
            above.reverse();
            // `below` has, for each bin, the notices per chance of this bid's bin; a price is open to all higher bids.
            let mut weights = known.clone();
            let mut sum = 0_u128;
            for ((weight, chance), per) in weights.iter_mut().zip(rivals.chances).zip(&below).rev() {
                *weight += spread(chance, sum + per / 2);
                sum += per;
            }
            sum = 0;
            for ((weight, chance), per) in weights.iter_mut().zip(rivals.chances).zip(&above) {
                *weight += spread(chance, sum + per / 2);
                sum += per;
            }
            rivals.set(&weights);
        }
        rivals
    }

    fn set(&mut self, weights: &[u64]) {
        let sum: u128 = weights.iter().copied().map(u128::from).sum::<u128>().max(1);
        for (chance, weight) in self.chances.iter_mut().zip(weights) {
            *chance = u64::try_from(u128::from(*weight) * u128::from(WHOLE) / sum).unwrap_or(WHOLE);
        }
    }

    /// The chances in bins that begin elsewhere.
    fn moved(&self, first: u32) -> [u64; BINS as usize] {
        let mut moved = [0; BINS as usize];
        for (bin, chance) in (self.first..).zip(self.chances) {
            let at = bin.saturating_sub(first).min(BINS - 1) as usize;
            if let Some(place) = moved.get_mut(at) {
                *place += chance;
            }
        }
        moved
    }

    /// The prices inside a bin at which the chance to win is known, with this chance as a part of [`WHOLE`].
    fn steps(&self) -> impl Iterator<Item = (u64, u64)> {
        let mut below = 0;
        (self.first..).zip(self.chances).flat_map(move |(bin, chance)| {
            let from = below;
            below += chance;
            (1..=TRIES).map(move |step| {
                (exp(bin * WIDTH + step * (WIDTH / TRIES)), from + chance * u64::from(step) / u64::from(TRIES))
            })
        })
    }

    fn median(&self) -> u64 {
        self.steps().find(|(_, chance)| *chance >= WHOLE / 2).map_or(1, |(price, _)| price)
    }

    /// The bid with the highest expected surplus. The last bin holds all higher prices, so that no bid in it is sure
    /// to win.
    pub(crate) fn best(&self, value: u64) -> u64 {
        let bids = self.steps().take(((BINS - 1) * TRIES) as usize).take_while(|(bid, _)| *bid < value);
        let surplus = |bid: u64, chance: u64| u128::from(value - bid) * u128::from(chance);
        bids.fold((value, 0), |best, (bid, chance)| {
            let surplus = surplus(bid, chance);
            if surplus > best.1 { (bid, surplus) } else { best }
        })
        .0
    }
}

/// For bids in each bin, from the lowest: the notices, as a multiple of 2^24, per chance that they leave open.
fn open(bins: impl Iterator<Item = (u64, u32)>) -> Vec<u128> {
    let mut before = 0;
    bins.map(|(chance, notices)| {
        let left = before + chance / 2;
        before += chance;
        u128::from(notices) * u128::from(WHOLE) / u128::from(left.max(1))
    })
    .collect()
}

/// The notices that fall on a bin with this chance.
fn spread(chance: u64, notices_per_chance: u128) -> u64 {
    u64::try_from(u128::from(chance) * notices_per_chance / u128::from(WHOLE)).unwrap_or(u64::MAX)
}
