//! From a cell to its curve.

use crate::cell::{BINS, Cell, ONE};
use crate::curve::{Curve, SIZE};
use crate::log::{OCTAVE, exp, log};
use crate::told::WIDTH;

/// The fewest notices of a cell or its parents from which a curve is made.
pub const FEWEST: u64 = 100;
/// Notices that the parent's distribution counts for.
const PRIOR: u64 = 32;
/// All chances of a distribution together.
const WHOLE: u64 = 1 << 20;
/// The least chance that a won or lost bid is taken to have had.
const LEAST: u64 = 1 << 8;
/// Rounds of the first estimate, and of one that goes on from the estimate before.
const ROUNDS: [usize; 2] = [100, 10];
/// Rounds without smoothing after them, if prices are known: they are more exact.
const SHARP: usize = 2;
/// Bids that are tried in each bin.
const TRIES: u32 = 4;

/// The distribution of the rivals' prices in a cell, and the curve of its best bids.
///
/// `prior` is the distribution of the next wider cell: the fewer notices a cell has, the more it counts. `before` is the
/// cell's own of the fit before. `previous` is what the cell bids by now; without it, it bids the whole value. No bid at a
/// node moves by more than a tenth and the rounding of a factor (1 / 256 of the value), so call this again and again.
///
/// `None` if there is no prior and the cell has fewer than [`FEWEST`] notices: then bid without learning.
pub fn fit(
    cell: &Cell,
    prior: Option<&Rivals>,
    before: Option<&Rivals>,
    previous: Option<&Curve>,
) -> Option<(Rivals, Curve)> {
    if prior.is_none() && cell.samples() < FEWEST {
        return None;
    }
    let rivals = Rivals::of(cell, prior, before);
    let base = u16::try_from(log(rivals.median()).saturating_sub(OCTAVE)).ok()?;
    let mut factors = [0; SIZE - 2];
    for (factor, value) in factors.iter_mut().zip(Curve::nodes(base)) {
        let whole = i64::try_from(value).ok()?;
        let before = previous.map_or(whole, |curve| curve.bid(whole, 0)).unsigned_abs();
        let bid = rivals.best(value).clamp(before - before / 10, before + before / 10);
        *factor = u8::try_from((bid * 256).div_ceil(value).clamp(1, 256) - 1).ok()?;
    }
    Some((rivals, Curve { base, factors }))
}

/// The prices that win 10, 20, … 90 of 100 auctions of a cell, in micros per mille; `None` with fewer than [`FEWEST`]
/// notices.
pub(crate) fn deciles(cell: &Cell) -> Option<[i64; 9]> {
    let rivals = (cell.samples() >= FEWEST).then(|| Rivals::of(cell, None, None))?;
    let price =
        |tenths: u64| rivals.bids().find(|(_, chance)| *chance >= WHOLE * tenths / 10).map_or(0, |(price, _)| price);
    Some([1, 2, 3, 4, 5, 6, 7, 8, 9].map(|tenths| i64::try_from(price(tenths)).unwrap_or(i64::MAX)))
}

/// The distribution of the highest rival price.
#[derive(Debug, Clone)]
pub struct Rivals {
    /// The lowest bin, as in [`Cell`].
    first: u32,
    /// The chance of each bin, as a part of [`WHOLE`].
    chances: [u64; BINS as usize],
}

impl Rivals {
    /// Known prices count as they are. Bids of which only the outcome is known are spread over the prices that they
    /// leave open, in proportion to the chances of the round before, and are then smoothed (Turnbull's estimate for
    /// censored data with the smoothing of Silverman et al., 1990): our bids are too few points for more detail.
    /// `prior` counts as some notices more.
    fn of(cell: &Cell, prior: Option<&Rivals>, before: Option<&Rivals>) -> Rivals {
        let prior =
            prior.map(|prior| prior.moved(cell.first).map(|chance| chance * PRIOR * u64::from(ONE) / WHOLE + 1));
        let prior = prior.unwrap_or([u64::from(ONE / BINS); BINS as usize]);
        let (lost, believed) = cell.lost();
        let known = prior.iter().zip(cell.bins).map(|(prior, bin)| prior + u64::from(bin.known) * believed / 256);
        let known: Vec<u64> = known.collect();
        let won: u64 = cell.bins.iter().map(|bin| u64::from(bin.below)).sum();
        let known = blunt(&known, (known.iter().sum::<u64>() + won) / 20);
        let mut rivals = Rivals { first: cell.first, chances: [0; BINS as usize] };
        rivals.set(known.iter().copied());
        if !cell.bins.iter().any(|bin| bin.below > 0) && lost.iter().all(|lost| *lost == 0) {
            return rivals;
        }
        let [first, more] = ROUNDS;
        if let Some(before) = before {
            // What had no chance may get one again.
            rivals.set(before.moved(cell.first).into_iter().map(|chance| chance + 1));
        }
        for _ in 0..if before.is_some() { more } else { first } {
            let spread = rivals.spread(cell, &lost);
            rivals.set(known.iter().zip(smooth(&spread)).map(|(known, bounded)| known + bounded));
        }
        for _ in 0..if believed > 0 { SHARP } else { 0 } {
            let spread = rivals.spread(cell, &lost);
            rivals.set(known.iter().zip(&spread).map(|(known, bounded)| known + bounded));
        }
        rivals
    }

    /// The won and lost bids of a cell, spread over the prices of the rivals: below a bid that won, above one that lost.
    fn spread(&self, cell: &Cell, lost: &[u32; BINS as usize]) -> Vec<u64> {
        let mut below = 0;
        let bids: Vec<[u64; 3]> = (cell.bins.iter().zip(self.chances).zip(lost))
            .map(|((bin, chance), lost)| {
                let wins = below + chance * bin.part() / 256;
                below += chance;
                let per_chance = |bids: u32, chance: u64| (u64::from(bids) << 16) / chance.max(LEAST);
                [per_chance(bin.below, wins), per_chance(*lost, WHOLE.saturating_sub(wins)), bin.part()]
            })
            .collect();
        let mut open = [0; BINS as usize];
        let mut higher = 0;
        for (open, [won, _, part]) in open.iter_mut().zip(&bids).rev() {
            *open = higher + won * part / 256;
            higher += won;
        }
        let mut lower = 0;
        for (open, [_, lost, part]) in open.iter_mut().zip(&bids) {
            *open += lower + lost * (256 - part) / 256;
            lower += lost;
        }
        open.iter().zip(self.chances).map(|(open, chance)| (open * chance) >> 16).collect()
    }

    fn set(&mut self, weights: impl Iterator<Item = u64> + Clone) {
        let sum = weights.clone().sum::<u64>().max(1);
        for (chance, weight) in self.chances.iter_mut().zip(weights) {
            *chance = weight * WHOLE / sum;
        }
    }

    /// The chances in bins that begin elsewhere.
    fn moved(&self, first: u32) -> [u64; BINS as usize] {
        let mut moved = [0; BINS as usize];
        for (bin, chance) in (self.first..).zip(self.chances) {
            let at = bin.saturating_sub(first).min(BINS - 1) as usize;
            if let Some(sum) = moved.get_mut(at) {
                *sum += chance;
            }
        }
        moved
    }

    /// Prices, several in each bin, and the chance that a bid at each wins, as a part of [`WHOLE`].
    fn bids(&self) -> impl Iterator<Item = (u64, u64)> {
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
        self.bids().find(|(_, chance)| *chance >= WHOLE / 2).map_or(1, |(price, _)| price)
    }

    /// The bid with the highest expected surplus. The last bin holds all higher prices, so that no bid in it is sure
    /// to win.
    fn best(&self, value: u64) -> u64 {
        let bids = self.bids().take(((BINS - 1) * TRIES) as usize).take_while(|(bid, _)| *bid < value);
        let surplus = |bid: u64, chance: u64| u128::from(value - bid) * u128::from(chance);
        bids.fold((value, 0), |best, (bid, chance)| {
            let surplus = surplus(bid, chance);
            if surplus > best.1 { (bid, surplus) } else { best }
        })
        .0
    }
}

/// Takes from each bin what is more than the mean around it, but at most a twentieth of all notices, and spreads it around:
/// a liar among twenty cannot raise a bid by one price that seems to be frequent.
fn blunt(weights: &[u64], most: u64) -> Vec<u64> {
    let over: Vec<u64> =
        weights.iter().zip(smooth(weights)).map(|(own, around)| own.saturating_sub(around).min(most)).collect();
    weights.iter().zip(&over).zip(smooth(&over)).map(|((own, over), around)| own - over + around).collect()
}

/// Each bin gets the mean of the five bins around it; the ends repeat.
fn smooth(weights: &[u64]) -> impl Iterator<Item = u64> + Clone {
    let ends = |end: Option<&u64>| std::iter::repeat_n(end.copied().unwrap_or_default(), 2);
    let wide: Vec<u64> = ends(weights.first()).chain(weights.iter().copied()).chain(ends(weights.last())).collect();
    (0..weights.len()).map(move |at| wide.iter().skip(at).take(5).sum::<u64>() / 5)
}
