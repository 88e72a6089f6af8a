//! A lane in a Wasm `v128`.

use core::arch::wasm32::{
    i8x16, i8x16_add, i8x16_shuffle, i8x16_swizzle, i32x4_shuffle, u8x16_lt, u8x16_splat, u8x16_sub_sat, u32x4,
    u32x4_add, u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_splat, u64x2, u64x2_extract_lane, v128, v128_and,
    v128_or, v128_xor,
};

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct Lane(v128);

impl Lane {
    pub(crate) fn of([a, b, c, d]: [u32; 4]) -> Lane {
        Lane(u32x4(a, b, c, d))
    }

    pub(crate) fn words(self) -> [u32; 4] {
        let Lane(own) = self;
        [
            u32x4_extract_lane::<0>(own),
            u32x4_extract_lane::<1>(own),
            u32x4_extract_lane::<2>(own),
            u32x4_extract_lane::<3>(own),
        ]
    }

    /// The sum of each two words, without the carry.
    pub(crate) fn add(self, other: Lane) -> Lane {
        Lane(u32x4_add(self.0, other.0))
    }

    pub(crate) fn xor(self, other: Lane) -> Lane {
        Lane(v128_xor(self.0, other.0))
    }

    /// Each word rotated to the right by so many bits.
    pub(crate) fn rotated<const BITS: u32>(self) -> Lane {
        Lane(v128_or(u32x4_shr(self.0, BITS), u32x4_shl(self.0, 32 - BITS)))
    }

    /// The words moved to the left by one, two or three positions; the first ones become the last ones.
    pub(crate) fn turned<const PLACES: usize>(self) -> Lane {
        let Lane(own) = self;
        Lane(match PLACES {
            1 => i32x4_shuffle::<1, 2, 3, 0>(own, own),
            2 => i32x4_shuffle::<2, 3, 0, 1>(own, own),
            _ => i32x4_shuffle::<3, 0, 1, 2>(own, own),
        })
    }
}

/// Twelve bytes as base64url (RFC 4648 §5).
pub(crate) fn base64(bytes: &[u8; 12]) -> [u8; 16] {
    let ([low @ .., _, _, _, _], [_, _, _, _, _, _, _, _, high @ ..]) = (*bytes, *bytes);
    let all = u64x2(u64::from_le_bytes(low), u32::from_le_bytes(high).into());
    // Each word gets three bytes, the first one highest.
    let words = i8x16_shuffle::<2, 1, 0, 15, 5, 4, 3, 15, 8, 7, 6, 15, 11, 10, 9, 15>(all, all);
    // Each byte gets six bits.
    let first = u32x4_shr(words, 18);
    let second = v128_and(u32x4_shr(words, 4), u32x4_splat(0x3f00));
    let third = v128_and(u32x4_shl(words, 10), u32x4_splat(0x3f_0000));
    let fourth = v128_and(u32x4_shl(words, 24), u32x4_splat(0x3f00_0000));
    let sextets = v128_or(v128_or(first, second), v128_or(third, fourth));
    // A letter is its sextet plus a distance: that of `A` for the first 26, of `a` up to 51, of a digit up to 61.
    let beyond_small = u8x16_sub_sat(sextets, u8x16_splat(51));
    let is_capital = u8x16_lt(sextets, u8x16_splat(26));
    let row = v128_or(beyond_small, v128_and(is_capital, u8x16_splat(13)));
    let distances = i8x16(71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -17, 32, 65, 0, 0);
    let letters = i8x16_add(sextets, i8x16_swizzle(distances, row));
    let mut text = [0; 16];
    let (low, high) = text.split_at_mut(8);
    low.copy_from_slice(&u64x2_extract_lane::<0>(letters).to_le_bytes());
    high.copy_from_slice(&u64x2_extract_lane::<1>(letters).to_le_bytes());
    text
}
