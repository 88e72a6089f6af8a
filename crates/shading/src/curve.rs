//! The bid for a value, in eight bytes.

use crate::log::{OCTAVE, exp, log};

/// Values for which a curve has a bid: from half of the rivals' median, each twice the one before.
pub(crate) const NODES: usize = 6;
/// Higher values, in micros per mille, are bid as they are.
const MOST: u64 = 1 << 50;

/// The best bids of a cell: the factors (bid / value) at six values, and in between a straight line from bid to bid.
/// Above the highest value, the bid stays; below the lowest, the factor does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The logarithm of the lowest value.
    pub(crate) base: u16,
    /// 256 × the factor, minus 1.
    pub(crate) factors: [u8; NODES],
}

impl Curve {
    /// The bid for a value, with the floor of the impression, in micros per mille of the cell's currency: from `floor`
    /// to `value`, and at least 1. A floor above the value gives the value: nothing can be bid then.
    pub fn bid(self, value: i64, floor: i64) -> i64 {
        let Ok(most) = u64::try_from(value) else { return value };
        let shaded = if most < MOST { self.shaded(most) } else { most };
        i64::try_from(shaded).unwrap_or(value).max(floor).max(1).min(value)
    }

    fn shaded(self, value: u64) -> u64 {
        let base = u32::from(self.base);
        let above = log(value).saturating_sub(base);
        let node = (above / OCTAVE) as usize;
        let low = exp(base) << node.min(NODES - 1);
        let bid = |value: u64, factor: &u8| (value * (u64::from(*factor) + 1)) >> 8;
        match self.factors.get(node..) {
            Some([factor, ..]) if above == 0 => bid(value, factor),
            Some([from, to, ..]) => {
                let (from, to) = (bid(low, from), bid(2 * low, to));
                from + ((to.saturating_sub(from) * u64::from(above % OCTAVE)) >> 8)
            }
            _ => self.factors.last().map_or(value, |factor| bid(low, factor)),
        }
    }

    /// The value of each node, in micros per mille.
    pub(crate) fn nodes(base: u16) -> impl Iterator<Item = u64> {
        (0..NODES).map(move |node| exp(base.into()) << node)
    }

    /// The values of the curve with their bids, in micros per mille. Between two values, the bids are on a line.
    pub fn points(self) -> impl Iterator<Item = (i64, i64)> {
        let values = Curve::nodes(self.base).filter_map(|value| i64::try_from(value).ok());
        values.map(move |value| (value, self.bid(value, 0)))
    }

    /// The bytes of the curve.
    pub fn encode(self) -> [u8; 8] {
        let mut bytes = [0; 8];
        let (base, factors) = bytes.split_at_mut(2);
        base.copy_from_slice(&self.base.to_le_bytes());
        factors.copy_from_slice(&self.factors);
        bytes
    }

    /// A curve from [`Curve::encode`]. All bytes are valid.
    pub fn decode([low, high, factors @ ..]: [u8; 8]) -> Curve {
        Curve { base: u16::from_le_bytes([low, high]), factors }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_bid_is_on_the_line_between_its_nodes() {
        // Bids of 1, 1, 2, 2, 2, 2 for values of 1, 2, 4, …, 32, in units of 2^20 micros.
        let curve = Curve { base: 20 * 256, factors: [255, 127, 127, 63, 31, 15] };
        let unit = 1 << 20;
        let bids = [(unit / 2, unit / 2), (unit * 3 / 2, unit), (unit * 3, unit * 3 / 2), (unit * 6, unit * 2)];
        for (value, bid) in bids.into_iter().chain([(unit * 32, unit * 2), (unit * 1000, unit * 2)]) {
            assert_eq!(curve.bid(value, 0), bid, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_bid_is_from_the_floor_to_the_value(bytes: [u8; 8], value: i64, floor: i64) {
            let curve = Curve::decode(bytes);
            prop_assert_eq!(curve.encode(), bytes);
            for (value, floor) in [(value, floor), (value, value.saturating_sub(1)), (value >> 40, 0), (value, value)] {
                let bid = curve.bid(value, floor);
                prop_assert!(bid <= value);
                prop_assert!(bid >= floor.min(value) && bid >= value.min(1));
            }
        }
    }
}
