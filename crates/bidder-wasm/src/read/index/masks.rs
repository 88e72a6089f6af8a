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
    /// Bytes with bit 5 set: of brackets, the curly ones.
    pub(super) curly: u64,
    /// `,`
    pub(super) comma: u64,
    /// `:`
    pub(super) colon: u64,
    /// A space.
    pub(super) space: u64,
    /// Bytes below a space: forbidden in strings, and outside them unless they break lines.
    pub(super) control: u64,
    /// `0` to `9`
    pub(super) digit: u64,
    /// `0`
    pub(super) zero: u64,
}

impl Masks {
    #[inline(always)]
    pub(super) fn of(block: &Block) -> Masks {
        let lanes = [Lane::load(&block[0]), Lane::load(&block[1]), Lane::load(&block[2]), Lane::load(&block[3])];
        let space = bits(lanes, |lane| lane.eq(b' '));
        Masks {
            quote: bits(lanes, |lane| lane.eq(b'"')),
            backslash: bits(lanes, |lane| lane.eq(b'\\')),
            // Bit 5 is all that tells a curly bracket from a square one.
            open: bits(lanes, |lane| lane.with_bit_5().eq(b'{')),
            close: bits(lanes, |lane| lane.with_bit_5().eq(b'}')),
            curly: bits(lanes, Lane::bit_5_to_7),
            comma: bits(lanes, |lane| lane.eq(b',')),
            colon: bits(lanes, |lane| lane.eq(b':')),
            space,
            control: bits(lanes, |lane| lane.at_most(b' ')) & !space,
            digit: bits(lanes, |lane| lane.minus(b'0').at_most(9)),
            zero: bits(lanes, |lane| lane.eq(b'0')),
        }
    }
}

/// The control characters that are white space: tab, line feed, carriage return. Apart from
/// [`Masks`] because minified texts have none outside strings.
pub(super) fn breaks(block: &Block) -> u64 {
    let lanes = [Lane::load(&block[0]), Lane::load(&block[1]), Lane::load(&block[2]), Lane::load(&block[3])];
    bits(lanes, |lane| lane.eq(b'\t')) | bits(lanes, |lane| lane.eq(b'\n')) | bits(lanes, |lane| lane.eq(b'\r'))
}

#[inline(always)]
fn bits(lanes: [Lane; 4], class: impl Fn(Lane) -> Lane) -> u64 {
    let [a, b, c, d] = lanes.map(|lane| class(lane).top_bits());
    a | b << 16 | c << 32 | d << 48
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
            assert_eq!(lane.bit_5_to_7().top_bits(), twin.bit_5_to_7().top_bits());
            for byte in 0..=u8::MAX {
                assert_eq!(lane.eq(byte).top_bits(), twin.eq(byte).top_bits());
                assert_eq!(lane.with_bit_5().eq(byte).top_bits(), twin.with_bit_5().eq(byte).top_bits());
                assert_eq!(lane.at_most(byte).top_bits(), twin.at_most(byte).top_bits());
                assert_eq!(lane.minus(byte).at_most(9).top_bits(), twin.minus(byte).at_most(9).top_bits());
            }
        }
    }

    #[test]
    fn each_byte_has_its_classes_and_its_bit() {
        for byte in 0..=u8::MAX {
            for place in 0..BLOCK_BYTES {
                let mut block = [[b'a'; 16]; 4];
                block.as_flattened_mut()[place] = byte;
                let masks = Masks::of(&block);
                let bit = |held: bool| u64::from(held) << place;
                assert_eq!(masks.quote, bit(byte == b'"'));
                assert_eq!(masks.backslash, bit(byte == b'\\'));
                assert_eq!(masks.open, bit(matches!(byte, b'{' | b'[')));
                assert_eq!(masks.close, bit(matches!(byte, b'}' | b']')));
                assert_eq!(masks.curly & bit(true), bit(byte & 0x20 != 0));
                assert_eq!(masks.comma, bit(byte == b','));
                assert_eq!(masks.colon, bit(byte == b':'));
                assert_eq!(masks.space, bit(byte == b' '));
                assert_eq!(masks.control, bit(byte < b' '));
                assert_eq!(masks.digit, bit(byte.is_ascii_digit()));
                assert_eq!(masks.zero, bit(byte == b'0'));
                assert_eq!(breaks(&block), bit(matches!(byte, b'\t' | b'\n' | b'\r')));
            }
        }
    }
}
