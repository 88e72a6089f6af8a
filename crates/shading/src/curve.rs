//! The bid for a value, in twelve bytes.

use crate::log::{OCTAVE, exp, log};

/// Values for which a curve has a bid. The lowest is half of the rivals' median, the highest eleven times it.
const NODES: u8 = 10;
/// From node to node, as a logarithm: half an octave.
const STEP: u32 = OCTAVE / 2;
/// Higher values, in micros per mille, are bid as they are.
const MOST: u64 = 1 << 50;
/// The bytes of a curve.
pub const SIZE: usize = 2 + NODES as usize;

/// The best bids of a cell: a factor (bid / value) at each of ten values, the nodes. A value gets the bid of the nearest
/// node. Steps suit rivals whose prices cluster: a line between two bids pays more than the lower price, and wins no more.
/// Below the lowest node, the factor stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The logarithm of the lowest node.
    pub(crate) base: u16,
    /// 256 × the factor, minus 1.
    pub(crate) factors: [u8; NODES as usize],
}

impl Curve {
    /// The bid for a value, with the floor of the impression, in micros per mille of the cell's currency: from `floor`
    /// to `value`, and at least 1. A floor above the value gives the value: nothing can be bid then.
    pub fn bid(&self, value: i64, floor: i64) -> i64 {
        let Ok(most) = u64::try_from(value) else { return value };
        let shaded = if most < MOST { self.shaded(most) } else { most };
        i64::try_from(shaded).unwrap_or(value).max(floor).max(1).min(value)
    }

    fn shaded(&self, value: u64) -> u64 {
        let above = log(value).saturating_sub(self.base.into());
        let node = ((above + STEP / 2) / STEP).min(u32::from(NODES) - 1);
        let Some(factor) = self.factors.get(node as usize) else { return value };
        let bid = |value: u64| (value * (u64::from(*factor) + 1)) >> 8;
        if above == 0 {
            return bid(value);
        }
        let at_node = bid(exp(u32::from(self.base) + node * STEP));
        // The bid of the node may take all of a value below it.
        if at_node < value { at_node } else { bid(value) }
    }

    /// The value of each node, in micros per mille.
    pub(crate) fn nodes(base: u16) -> impl Iterator<Item = u64> {
        (0..NODES).map(move |node| exp(u32::from(base) + u32::from(node) * STEP))
    }

    /// The values of the nodes with their bids, in micros per mille.
    pub fn points(self) -> impl Iterator<Item = (i64, i64)> {
        let values = Curve::nodes(self.base).filter_map(|value| i64::try_from(value).ok());
        values.map(move |value| (value, self.bid(value, 0)))
    }

    /// The bytes of the curve.
    pub fn encode(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        let (base, factors) = bytes.split_at_mut(2);
        base.copy_from_slice(&self.base.to_le_bytes());
        factors.copy_from_slice(&self.factors);
        bytes
    }

    /// A curve from [`Curve::encode`]. All bytes are valid.
    pub fn decode([low, high, factors @ ..]: [u8; SIZE]) -> Curve {
        Curve { base: u16::from_le_bytes([low, high]), factors }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_value_gets_the_bid_of_its_nearest_node() {
        // Nodes at 1, 1.5, 2, 3, 4, … units of 2^20 micros.
        let curve = Curve { base: 20 * 256, factors: [255, 127, 127, 63, 31, 15, 15, 15, 15, 7] };
        let unit = 1 << 20;
        let bids =
            [(unit / 2, unit / 2), (unit, unit), (unit * 3 / 2, unit * 3 / 4), (unit * 2, unit), (unit * 9 / 5, unit)];
        for (value, bid) in bids.into_iter().chain([(unit * 24, unit * 3 / 4), (unit * 1000, unit * 3 / 4)]) {
            assert_eq!(curve.bid(value, 0), bid, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_bid_is_from_the_floor_to_the_value(bytes: [u8; SIZE], value: i64, floor: i64) {
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
