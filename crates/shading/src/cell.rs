//! What the rivals bid in the auctions of one cell, as a histogram.

use crate::log::{exp, log};
use crate::told::{Absurd, KNOWN, LOG_BITS, LOST, Outcome, SENT, Told, VOID, WIDTH, WON, told};

/// Bins of a histogram: six octaves, a range of prices of 1 to 64.
pub(crate) const BINS: u32 = 48;
/// The weight of one notice.
pub(crate) const ONE: u32 = 1 << 12;
/// The highest weight in a bin: 65,536 notices. Beyond it, all weights of the cell are halved.
const MOST: u32 = 1 << 28;
/// The part of the weight that may lose its price when the bins move: 1 / 16, and always two notices.
const TAIL: u64 = 16;
/// The part of the lost bids, of 256, whose price must be known before any price is believed. With a quarter more, all
/// are.
const LEAST_TOLD: u64 = 128;
/// The bytes of [`Cell::encode`].
pub const ENCODED: usize = 3 + 2 * 5 * BINS as usize;
/// The layout of [`Cell::encode`].
const VERSION: u8 = 1;

/// The weights of the notices that put the highest rival price into one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bin {
    /// The price is known, and in this bin.
    pub known: u32,
    /// We won with a bid in this bin: the price is below the bid.
    pub below: u32,
    /// We lost with a bid in this bin: the price is above the bid.
    pub above: u32,
    /// The sum of the positions of these two kinds of bids in the bin, each from 0 to below [`ONE`].
    pub position: u32,
    /// Bids in this bin, whatever their notices told. It is no notice itself.
    pub sent: u32,
}

/// The histogram of the highest rival price. Old notices count less: see [`Cell::decay`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The lowest bin, counted from a price of one micro. The bins move with the prices.
    pub(crate) first: u32,
    pub(crate) bins: [Bin; BINS as usize],
}

impl Default for Cell {
    /// A cell without notices.
    fn default() -> Cell {
        Cell { first: 0, bins: [Bin::default(); BINS as usize] }
    }
}

impl Bin {
    fn parts(&mut self) -> [&mut u32; 5] {
        [&mut self.known, &mut self.below, &mut self.above, &mut self.position, &mut self.sent]
    }

    /// The mean position of won and lost bids in the bin, from 0 to 256.
    pub(crate) fn part(self) -> u64 {
        u64::from(self.position) * 256 / (u64::from(self.below) + u64::from(self.above)).max(1)
    }

    pub(crate) fn sum(self) -> u64 {
        u64::from(self.known) + u64::from(self.below) + u64::from(self.above) + u64::from(self.sent)
    }
}

impl Cell {
    /// Learns from one notice. `min_to_win` is the price that would have tied with the highest rival, if the exchange
    /// told it. Prices are in micros per mille of the cell's currency.
    ///
    /// # Errors
    ///
    /// [`Absurd`] if the bid is not above 0, or `min_to_win` is not from 1 to 100 times the bid.
    pub fn observe(&mut self, outcome: Outcome, bid: i64, min_to_win: Option<i64>) -> Result<(), Absurd> {
        self.learn(told(outcome, bid, min_to_win)?, 1);
        Ok(())
    }

    /// Learns from `count` notices that told the same, at most 16,384.
    pub fn learn(&mut self, told: Told, count: u64) {
        let count = u32::try_from(count).unwrap_or(u32::MAX).min(MOST / ONE / 4);
        let weight = count * ONE;
        let (what, at) = (told >> LOG_BITS, told & ((1 << LOG_BITS) - 1));
        let position = at % WIDTH * (ONE / WIDTH) * count;
        let bin = match what {
            KNOWN => Bin { known: weight, ..Bin::default() },
            WON => Bin { below: weight, position, ..Bin::default() },
            LOST => Bin { above: weight, position, ..Bin::default() },
            SENT => Bin { sent: weight, ..Bin::default() },
            VOID => return self.withdraw(at / WIDTH, weight),
            _ => return,
        };
        self.add(at / WIDTH, bin);
    }

    /// Takes back bids that were sent and took part in no auction.
    fn withdraw(&mut self, bin: u32, weight: u32) {
        let at = bin.checked_sub(self.first).and_then(|at| usize::try_from(at).ok());
        if let Some(bin) = at.and_then(|at| self.bins.get_mut(at)) {
            bin.sent = bin.sent.saturating_sub(weight);
        }
    }

    /// Whether nothing is left of what the cell has learned.
    pub(crate) fn is_empty(&self) -> bool {
        self.weight() == 0
    }

    /// The weights of the bids that lost, for each bin of the bid: those of which a notice without a price came, and those of
    /// which none came, because the exchange sends no loss notices or not all of them. A bid without a notice counts as
    /// lost: nobody forgets to bill. So do bids whose bill is on its way, until it comes, which only slows the way to a
    /// lower bid. With them, the part of the known prices that is believed, from 0 to 256.
    ///
    /// Prices are believed if there are some for most lost bids, because a few may be chosen to mislead. More notices of
    /// losses than lost bids contradict the bills, so that each counts less.
    pub(crate) fn lost(&self) -> ([u32; BINS as usize], u64) {
        let sum = |of: fn(&Bin) -> u32| self.bins.iter().map(|bin| u64::from(of(bin))).sum::<u64>();
        let (sent, known) = (sum(|bin| bin.sent), sum(|bin| bin.known));
        if sent == 0 {
            return (self.bins.map(|bin| bin.above), 256);
        }
        let without_win = self.bins.map(|bin| bin.sent.saturating_sub(bin.below));
        let all = without_win.iter().map(|without| u64::from(*without)).sum::<u64>().max(1);
        let share = known * 256 / all;
        let believed = share.saturating_sub(LEAST_TOLD).saturating_mul(4).min(256 * 256 / share.max(256));
        let told = known * believed / 256 + sum(|bin| bin.above);
        let untold = all.saturating_sub(told);
        let mut lost = [0; BINS as usize];
        for ((lost, bin), without) in lost.iter_mut().zip(&self.bins).zip(without_win) {
            let more = u128::from(without) * u128::from(untold) / u128::from(all);
            *lost = bin.above.saturating_add(u32::try_from(more).unwrap_or(u32::MAX)).min(without);
        }
        (lost, believed)
    }

    /// Lets the weight of all notices fall by half for each `half_life_ms` that passed.
    pub fn decay(&mut self, elapsed_ms: u64, half_life_ms: u64) {
        let half_life = half_life_ms.max(1);
        let halves = u32::try_from(elapsed_ms / half_life).unwrap_or(u32::MAX);
        let part = (u128::from(elapsed_ms % half_life) << 16) / u128::from(half_life);
        // 2^-part in 16 bits: within 0.0006 of it, and exact at both ends.
        let part = u64::try_from(part).unwrap_or_default();
        let slope = 45_425 - ((part * (15_276 - ((part * 2_619) >> 16))) >> 16);
        let rest = 65_536 - ((part * slope) >> 16);
        for weight in self.bins.iter_mut().flat_map(Bin::parts) {
            let left = (u64::from(*weight) * rest) >> 16;
            *weight = u32::try_from(left.checked_shr(halves).unwrap_or_default()).unwrap_or_default();
        }
    }

    /// How many auctions the cell knows the result of, without what has decayed: those with a notice, or all bids that were
    /// sent, but at most ten for each notice. Wins alone would never be enough where bids are too low; bids alone say nothing.
    pub fn samples(&self) -> u64 {
        let sent: u64 = self.bins.iter().map(|bin| u64::from(bin.sent)).sum();
        let notices = self.weight() - sent;
        sent.min(10 * notices).max(notices) / u64::from(ONE)
    }

    /// The bytes of the cell: the version, the lowest bin, and a logarithm of 16 bits for each weight.
    pub fn encode(&self) -> [u8; ENCODED] {
        let mut bytes = [0; ENCODED];
        let weights = self
            .bins
            .iter()
            .flat_map(|bin| [bin.known, bin.below, bin.above, bin.position, bin.sent])
            .map(|weight| if weight == 0 { 0 } else { log(u64::from(weight)) + 1 });
        let numbers = std::iter::once(self.first).chain(weights);
        let (version, rest) = bytes.split_at_mut(1);
        version.fill(VERSION);
        for (room, number) in rest.chunks_exact_mut(2).zip(numbers) {
            room.copy_from_slice(&u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes());
        }
        bytes
    }

    /// A cell from [`Cell::encode`]; `None` if the bytes are of another version or length.
    pub fn decode(bytes: &[u8]) -> Option<Cell> {
        let (&VERSION, rest) = bytes.split_first()? else { return None };
        let mut numbers = rest.chunks_exact(2).map(|pair| pair.try_into().map_or(0, u16::from_le_bytes));
        let mut cell = Cell { first: numbers.next()?.into(), ..Cell::default() };
        for weight in cell.bins.iter_mut().flat_map(Bin::parts) {
            let coded = u32::from(numbers.next()?);
            *weight = coded.checked_sub(1).map_or(0, |log| u32::try_from(exp(log)).unwrap_or(u32::MAX));
        }
        (bytes.len() == ENCODED).then_some(cell)
    }

    fn weight(&self) -> u64 {
        self.bins.iter().map(|bin| bin.sum()).sum()
    }

    fn add(&mut self, bin: u32, weights: Bin) {
        if self.weight() == 0 {
            self.first = bin.saturating_sub(BINS / 2);
        }
        self.move_towards(bin);
        let at = bin.saturating_sub(self.first).min(BINS - 1) as usize;
        let sums = |bin: &Bin| {
            let sum = |a: u32, b: u32| Some(a.saturating_add(b)).filter(|sum| *sum <= MOST);
            Some(Bin {
                known: sum(bin.known, weights.known)?,
                below: sum(bin.below, weights.below)?,
                above: sum(bin.above, weights.above)?,
                position: sum(bin.position, weights.position)?,
                sent: sum(bin.sent, weights.sent)?,
            })
        };
        while self.bins.get(at).is_some_and(|bin| sums(bin).is_none()) {
            self.bins.iter_mut().flat_map(Bin::parts).for_each(|weight| *weight /= 2);
        }
        if let Some((bin, sum)) = self.bins.get_mut(at).and_then(|bin| sums(bin).map(|sum| (bin, sum))) {
            *bin = sum;
        }
    }

    /// Moves the bins so that this one is among them, as far as the other end then holds only few notices.
    fn move_towards(&mut self, bin: u32) {
        let most = (self.weight() / TAIL).max(2 * u64::from(ONE));
        while bin < self.first || bin >= self.first + BINS {
            let is_lower = bin < self.first;
            if is_lower {
                self.bins.reverse();
            }
            let [end, next, ..] = &mut self.bins;
            let fits = end.sum() + next.sum() <= most || end.sum() == 0;
            if fits {
                for (into, from) in next.parts().into_iter().zip(end.parts()) {
                    *into = into.saturating_add(std::mem::take(from));
                }
                self.bins.rotate_left(1);
            }
            if is_lower {
                self.bins.reverse();
            }
            if !fits {
                return;
            }
            self.first = if is_lower { self.first - 1 } else { self.first + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::told::sent;
    use proptest::prelude::*;

    #[test]
    fn absurd_notices_change_nothing() {
        let mut cell = Cell::default();
        for (bid, price) in [(0, None), (-1, None), (100, Some(0)), (100, Some(-7)), (100, Some(10_001))] {
            for outcome in [Outcome::Won, Outcome::Lost] {
                assert_eq!(cell.observe(outcome, bid, price), Err(Absurd), "{bid} {price:?}");
            }
        }
        assert_eq!(cell, Cell::default());
        assert_eq!(cell.observe(Outcome::Lost, 100, Some(10_000)), Ok(()));
    }

    #[test]
    fn a_price_that_contradicts_its_outcome_is_ignored() {
        let of = |outcome, price| {
            let mut cell = Cell::default();
            cell.observe(outcome, 1_000_000, price).unwrap();
            cell
        };
        assert_eq!(of(Outcome::Lost, Some(400_000)), of(Outcome::Lost, None));
        assert_eq!(of(Outcome::Won, Some(4_000_000)), of(Outcome::Won, None));
    }

    #[test]
    fn the_bins_move_to_where_the_prices_are() {
        let mut cell = Cell::default();
        cell.observe(Outcome::Lost, 1_000_000_000, Some(90_000_000_000)).unwrap();
        for at in 0..100 {
            cell.observe(Outcome::Lost, 1_000, Some(1_000 + at * 20)).unwrap();
        }
        let known: Vec<u32> = cell.bins.iter().map(|bin| bin.known / ONE).collect();
        let highest = known.last().copied();
        assert!(known.iter().filter(|known| **known > 1).count() >= 6, "{known:?}");
        assert_eq!((cell.samples(), highest), (101, Some(1)), "{known:?}");
    }

    #[test]
    fn a_bid_without_a_notice_has_lost() {
        let mut cell = Cell::default();
        let lost = |cell: &Cell| cell.lost().0.into_iter().filter(|lost| *lost > 0).collect::<Vec<_>>();
        for bid in [1_000, 4_000] {
            cell.learn(sent(bid).unwrap(), 10);
        }
        cell.learn(told(Outcome::Won, 1_000, None).unwrap(), 2);
        cell.learn(told(Outcome::Won, 4_000, None).unwrap(), 8);
        assert_eq!(lost(&cell), [8 * ONE, 2 * ONE]);
    }

    #[test]
    fn prices_are_believed_if_they_are_known_of_most_lost_bids_and_of_no_more() {
        let mut cell = Cell::default();
        cell.learn(sent(1_000).unwrap(), 10);
        let [half, all, thrice] = [5, 5, 20].map(|more| {
            cell.learn(told(Outcome::Lost, 1_000, Some(2_000)).unwrap(), more);
            let (lost, believed) = cell.lost();
            (lost.into_iter().sum::<u32>() / ONE, believed)
        });
        assert_eq!((half, all, thrice), ((10, 0), (0, 256), (0, 85)));
    }

    #[test]
    fn a_full_cell_keeps_its_shape() {
        let mut cell = Cell::default();
        for _ in 0..3_000_000 {
            cell.observe(Outcome::Lost, 100, Some(100)).unwrap();
            cell.observe(Outcome::Lost, 100, Some(200)).unwrap();
        }
        let known: Vec<u32> = cell.bins.iter().map(|bin| bin.known).filter(|known| *known > 0).collect();
        assert!(known.len() == 2 && known[0].abs_diff(known[1]) <= ONE, "{known:?}");
    }

    proptest! {
        #[test]
        fn decay_in_steps_is_decay_at_once(steps in prop::collection::vec(0_u64..3_000, 0..40)) {
            let mut cell = Cell::default();
            for _ in 0..1_000 {
                cell.observe(Outcome::Won, 500_000, None).unwrap();
            }
            let mut at_once = cell.clone();
            for step in &steps {
                cell.decay(*step, 10_000);
            }
            at_once.decay(steps.iter().sum(), 10_000);
            let exact = 1_000.0 * 0.5_f64.powf(f64::from(u32::try_from(steps.iter().sum::<u64>()).unwrap()) / 10_000.0);
            for weight in [cell.weight(), at_once.weight()] {
                let samples = f64::from(u32::try_from(weight).unwrap()) / f64::from(ONE);
                prop_assert!((samples - exact).abs() < 0.01 * exact + 0.1, "{samples} instead of {exact}");
            }
        }

        #[test]
        fn encoding_keeps_the_weights(
            notices in prop::collection::vec((any::<bool>(), 1_i64..1 << 40, prop::option::of(1_i64..100)), 0..200),
        ) {
            let mut all = Cell::default();
            for (has_won, bid, times) in notices {
                let outcome = if has_won { Outcome::Won } else { Outcome::Lost };
                all.observe(outcome, bid, times.map(|times| bid.saturating_mul(times))).unwrap();
            }
            let again = Cell::decode(&all.encode()).unwrap();
            prop_assert!(again.weight() <= all.weight() && again.weight() * 256 >= all.weight() * 255);
            prop_assert_eq!(again.encode(), all.encode());
            prop_assert_eq!(Cell::decode(&all.encode()[1..]), None);
        }
    }
}
