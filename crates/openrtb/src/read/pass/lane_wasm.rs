//! A lane in a Wasm `v128`. Only the load is unsafe, because it takes a raw pointer.
#![allow(unsafe_code, reason = "vector load")]

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, i64x2_extract_lane, u8x16_splat, v128, v128_and, v128_any_true,
    v128_load, v128_or, v128_xor,
};

/// Sixteen bytes of a text, loaded at once by [`super::cursor`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane(v128);

impl Lane {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        // SAFETY: the reference covers exactly the 16 bytes that are read; they need no alignment.
        Lane(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    /// One bit for each quote, backslash, control character or byte beyond ASCII. The lowest bit is the first byte.
    #[inline(always)]
    pub(super) fn specials(self) -> u32 {
        // Flipping bit 1 puts the quote (0x22) at 0x20, directly above the control characters. As signed numbers, bytes
        // beyond ASCII are negative. So one comparison finds all of them.
        let low = i8x16_lt(v128_xor(self.0, u8x16_splat(2)), i8x16_splat(0x21));
        u32::from(i8x16_bitmask(v128_or(low, i8x16_eq(self.0, u8x16_splat(b'\\')))))
    }

    /// One bit for each byte beyond ASCII.
    #[inline(always)]
    pub(super) fn not_ascii(self) -> u32 {
        u32::from(i8x16_bitmask(self.0))
    }

    /// Bitwise AND.
    #[inline(always)]
    pub(super) fn and(self, other: &[u8; 16]) -> Lane {
        Lane(v128_and(self.0, Lane::load(other).0))
    }

    /// The first eight bytes as a little-endian integer.
    #[inline(always)]
    pub(super) fn head(self) -> u64 {
        i64x2_extract_lane::<0>(self.0).cast_unsigned()
    }

    /// Whether all bytes are equal.
    #[inline(always)]
    pub(super) fn equals(self, other: &[u8; 16]) -> bool {
        !v128_any_true(v128_xor(self.0, Lane::load(other).0))
    }
}
