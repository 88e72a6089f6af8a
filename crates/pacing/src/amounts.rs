//! Money by slot. There is one list for each campaign and SSP, so an amount takes four bytes.

use std::ops::Range;

/// By how many slots the memory of a list grows.
const MORE: usize = 16;

/// Money by slot, in nanos. Amounts over 4.29 units of the currency are rounded down to a multiple of `1 << shift`, by less
/// than a billionth of the largest one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Amounts {
    /// The slot of the first amount; those before it have none.
    first: usize,
    parts: Vec<u32>,
    shift: u32,
}

impl Amounts {
    /// Adds to the amount of a slot.
    pub(crate) fn add(&mut self, slot: usize, nanos: u64) {
        if nanos == 0 {
            return;
        }
        if self.parts.is_empty() {
            self.first = slot;
        } else if slot < self.first {
            self.parts.splice(0..0, std::iter::repeat_n(0, self.first - slot));
            self.first = slot;
        }
        let at = slot - self.first;
        if at >= self.parts.len() {
            if at >= self.parts.capacity() {
                self.parts.reserve_exact(at + MORE - self.parts.len());
            }
            self.parts.resize(at + 1, 0);
        }
        let sum = self.at(at).saturating_add(nanos);
        let shift = (sum >> 32).checked_ilog2().map_or(0, |bits| bits + 1);
        if shift > self.shift {
            self.parts.iter_mut().for_each(|part| *part >>= shift - self.shift);
            self.shift = shift;
        }
        if let Some(part) = self.parts.get_mut(at) {
            *part = u32::try_from(sum >> self.shift).unwrap_or(u32::MAX);
        }
    }

    fn at(&self, at: usize) -> u64 {
        self.parts.get(at).map_or(0, |part| u64::from(*part) << self.shift)
    }

    /// The amounts of these slots that may have one, each with its slot.
    pub(crate) fn within(&self, slots: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
        let from = slots.start.max(self.first);
        let parts = self.parts.get(from - self.first..(slots.end.max(from) - self.first).min(self.parts.len()));
        parts.unwrap_or_default().iter().enumerate().map(move |(at, part)| (from + at, u64::from(*part) << self.shift))
    }

    /// The amounts of all slots from the first slot on.
    pub(crate) fn all(&self) -> impl Iterator<Item = u64> {
        std::iter::repeat_n(0, self.first).chain(self.within(0..usize::MAX).map(|(_, nanos)| nanos))
    }

    /// The sum of the amounts of these slots.
    pub(crate) fn sum(&self, slots: Range<usize>) -> u64 {
        self.within(slots).fold(0, |sum, (_, nanos)| sum.saturating_add(nanos))
    }

    /// Forgets the amounts of the slots before this one.
    pub(crate) fn cut(&mut self, slot: usize) {
        if slot > self.first {
            self.parts.drain(..(slot - self.first).min(self.parts.len()));
            self.first = slot;
        }
    }

    /// Moves the amounts of old slots to their new positions; without one, an amount is forgotten.
    pub(crate) fn join(&mut self, positions: &[Option<usize>]) {
        let position = |(slot, nanos): (usize, u64)| Some((positions.get(slot).copied()??, nanos));
        *self = self.within(0..usize::MAX).filter_map(position).collect();
    }

    /// Turns all amounts into another currency.
    pub(crate) fn convert(&mut self, to: impl Fn(u64) -> u64) {
        *self = self.within(0..usize::MAX).map(|(slot, nanos)| (slot, to(nanos))).collect();
    }
}

/// From slots with their amounts.
impl FromIterator<(usize, u64)> for Amounts {
    fn from_iter<I: IntoIterator<Item = (usize, u64)>>(all: I) -> Amounts {
        let mut amounts = Amounts::default();
        all.into_iter().for_each(|(slot, nanos)| amounts.add(slot, nanos));
        amounts
    }
}

#[cfg(test)]
impl From<Vec<u64>> for Amounts {
    fn from(all: Vec<u64>) -> Amounts {
        all.into_iter().enumerate().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn amounts_are_those_of_a_plain_list(
            adds in proptest::collection::vec((0..40_usize, 0..1_u64 << 40), 0..99), cut in 0..40_usize,
        ) {
            let (mut amounts, mut plain) = (Amounts::default(), vec![0_u64; 40]);
            for (slot, nanos) in &adds {
                amounts.add(*slot, *nanos);
                plain[*slot] += nanos;
            }
            // Each addition may lose a part of the largest amount, also of one that is cut off later.
            let error = (plain.iter().sum::<u64>() >> 30) + 1;
            amounts.cut(cut);
            plain[..cut].fill(0);
            let positions: Vec<Option<usize>> = (0..40).map(|slot| (slot > 2).then_some(slot / 3)).collect();
            let mut joined = amounts.clone();
            joined.join(&positions);
            let mut plain_joined = plain.clone();
            crate::slots::moved(&mut plain_joined, &positions, u64::saturating_add);
            for (amounts, plain) in [(amounts, plain), (joined, plain_joined)] {
                let held: Vec<u64> = amounts.all().chain(std::iter::repeat(0)).take(plain.len()).collect();
                prop_assert!(held.iter().zip(&plain).all(|(a, b)| a <= b && b - a <= 99 * error), "{held:?} {plain:?}");
                prop_assert_eq!(amounts.sum(3..9), held.get(3..9).unwrap().iter().sum::<u64>());
            }
        }
    }

    #[test]
    fn small_amounts_are_exact() {
        let amounts = Amounts::from(vec![0, 0, 7, 4_294_967_295, 0]);
        assert_eq!(amounts.all().collect::<Vec<_>>(), [0, 0, 7, 4_294_967_295]);
    }
}
