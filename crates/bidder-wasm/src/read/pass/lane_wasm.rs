//! Sixteen bytes in a Wasm `v128`. The load is the one unsafe act: it takes a raw pointer.
#![allow(unsafe_code, reason = "vector load")]

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_splat, i64x2_extract_lane, u8x16_splat, v128, v128_and, v128_any_true,
    v128_load, v128_or, v128_xor,
};

/// See [`super::cursor`] for what each operation is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane(v128);

impl Lane {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        // SAFETY: the reference covers exactly the 16 bytes that are read; they need no alignment.
        Lane(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    /// Where a quote, a backslash, a control character or a byte beyond ASCII stands, the first byte's bit lowest.
    #[inline(always)]
    pub(super) fn specials(self) -> u32 {
        // With bit 1 turned over, a quote comes right behind the control characters, before space; as signed numbers, bytes
        // beyond ASCII are below them.
        let low = i8x16_lt(v128_xor(self.0, u8x16_splat(2)), i8x16_splat(0x21));
        u32::from(i8x16_bitmask(v128_or(low, i8x16_eq(self.0, u8x16_splat(b'\\')))))
    }

    /// Where bytes beyond ASCII stand.
    #[inline(always)]
    pub(super) fn not_ascii(self) -> u32 {
        u32::from(i8x16_bitmask(self.0))
    }

    /// The bits that both have.
    #[inline(always)]
    pub(super) fn and(self, other: &[u8; 16]) -> Lane {
        Lane(v128_and(self.0, Lane::load(other).0))
    }

    /// The first eight bytes, the first one lowest.
    #[inline(always)]
    pub(super) fn head(self) -> u64 {
        i64x2_extract_lane::<0>(self.0).cast_unsigned()
    }

    /// Whether it is these bytes.
    #[inline(always)]
    pub(super) fn is(self, other: &[u8; 16]) -> bool {
        !v128_any_true(v128_xor(self.0, Lane::load(other).0))
    }
}
