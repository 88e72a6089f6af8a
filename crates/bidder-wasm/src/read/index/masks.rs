//! The classes of 64 bytes, one bit per byte, the first byte's bit lowest.
//!
//! Knows bytes only: which of them stand inside a string is decided in [`super::scan`].

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use super::lane_portable::Lane;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::lane_wasm::Lane;
#[cfg(target_arch = "x86_64")]
use super::lane_x86::Lane;

/// Bytes that are classified at once.
pub(super) const BLOCK_BYTES: usize = 64;

/// [`BLOCK_BYTES`] of text, in the portions that a lane takes.
pub(super) type Block = [[u8; 16]; 4];

/// Where each class of byte stands in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Masks {
    /// `"`
    pub(super) quote: u64,
    /// `\`
    pub(super) backslash: u64,
    /// `{` and `[`
    pub(super) open: u64,
    /// `}` and `]`
    pub(super) close: u64,
    /// `,`
    pub(super) comma: u64,
    /// `:`
    pub(super) colon: u64,
    /// White space and control characters.
    pub(super) low: u64,
    /// `0` to `9`
    pub(super) digit: u64,
    /// `0`
    pub(super) zero: u64,
    /// Whether there are control characters, [`Controls`] tells which.
    pub(super) has_controls: bool,
}

impl Masks {
    #[inline(always)]
    pub(super) fn of(block: &Block) -> Masks {
        let lanes = block.each_ref().map(Lane::load);
        let backslashes = lanes.map(|lane| lane.eq(b'\\'));
        let has_backslash = fold(backslashes, Lane::or).any();
        Masks {
            quote: bits(lanes, |lane| lane.eq(b'"')),
            backslash: if has_backslash { bits(backslashes, |lane| lane) } else { 0 },
            // Bit 5 is all that tells a curly bracket from a square one; see `CURLY`.
            open: bits(lanes, |lane| lane.with_bit_5().eq(b'{')),
            close: bits(lanes, |lane| lane.with_bit_5().eq(b'}')),
            comma: bits(lanes, |lane| lane.eq(b',')),
            colon: bits(lanes, |lane| lane.eq(b':')),
            low: bits(lanes, |lane| lane.at_most(b' ')),
            digit: bits(lanes, |lane| lane.minus(b'0').at_most(9)),
            zero: bits(lanes, |lane| lane.eq(b'0')),
            has_controls: fold(lanes, Lane::min).at_most(b' ' - 1).any(),
        }
    }
}

/// Control characters. Apart from [`Masks`] because minified texts have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Controls {
    /// Every byte below a space.
    pub(super) any: u64,
    /// Those that are white space: tab, line feed, carriage return.
    pub(super) blank: u64,
}

impl Controls {
    #[inline(always)]
    pub(super) fn of(block: &Block) -> Controls {
        let lanes = block.each_ref().map(Lane::load);
        Controls {
            any: bits(lanes, |lane| lane.at_most(b' ' - 1)),
            blank: bits(lanes, |lane| lane.eq(b'\t').or(lane.eq(b'\n')).or(lane.eq(b'\r'))),
        }
    }
}

#[inline(always)]
fn fold([a, b, c, d]: [Lane; 4], pick: impl Fn(Lane, Lane) -> Lane) -> Lane {
    pick(pick(a, b), pick(c, d))
}

#[inline(always)]
fn bits(lanes: [Lane; 4], class: impl Fn(Lane) -> Lane) -> u64 {
    let [a, b, c, d] = lanes.map(|lane| class(lane).top_bits());
    u64::from(a | b << 16) | u64::from(c | d << 16) << 32
}

#[cfg(test)]
mod tests {
    use super::super::lane_portable;
    use super::*;

    /// Every byte value, in every place of a lane.
    #[test]
    fn lane_agrees_with_its_portable_twin() {
        for first in 0..=u8::MAX {
            let bytes: [u8; 16] = core::array::from_fn(|place| first.wrapping_add(u8::try_from(place * 17).unwrap()));
            let (lane, twin) = (Lane::load(&bytes), lane_portable::Lane::load(&bytes));
            assert_eq!(lane.top_bits(), twin.top_bits());
            for byte in 0..=u8::MAX {
                let (other, other_twin) = (Lane::load(&[byte; 16]), lane_portable::Lane::load(&[byte; 16]));
                assert_eq!(lane.eq(byte).top_bits(), twin.eq(byte).top_bits());
                assert_eq!(lane.eq(byte).any(), twin.eq(byte).any());
                assert_eq!(lane.with_bit_5().eq(byte).top_bits(), twin.with_bit_5().eq(byte).top_bits());
                assert_eq!(lane.at_most(byte).top_bits(), twin.at_most(byte).top_bits());
                assert_eq!(lane.minus(byte).at_most(9).top_bits(), twin.minus(byte).at_most(9).top_bits());
                assert_eq!(lane.min(other).at_most(byte).top_bits(), twin.min(other_twin).at_most(byte).top_bits());
                assert_eq!(lane.or(other).top_bits(), twin.or(other_twin).top_bits());
            }
        }
    }

    #[test]
    fn each_byte_has_its_classes_and_its_bit() {
        for byte in 0..=u8::MAX {
            for place in 0..BLOCK_BYTES {
                let mut block = [[b'a'; 16]; 4];
                block.as_flattened_mut()[place] = byte;
                let (masks, controls) = (Masks::of(&block), Controls::of(&block));
                let bit = |held: bool| u64::from(held) << place;
                assert_eq!(masks.quote, bit(byte == b'"'));
                assert_eq!(masks.backslash, bit(byte == b'\\'));
                assert_eq!(masks.open, bit(matches!(byte, b'{' | b'[')));
                assert_eq!(masks.close, bit(matches!(byte, b'}' | b']')));
                assert_eq!(masks.comma, bit(byte == b','));
                assert_eq!(masks.colon, bit(byte == b':'));
                assert_eq!(masks.low, bit(byte <= b' '));
                assert_eq!(masks.digit, bit(byte.is_ascii_digit()));
                assert_eq!(masks.zero, bit(byte == b'0'));
                assert_eq!(masks.has_controls, byte < b' ');
                assert_eq!(controls.any, bit(byte < b' '));
                assert_eq!(controls.blank, bit(matches!(byte, b'\t' | b'\n' | b'\r')));
            }
        }
    }
}
