//! Sixteen bytes in a Wasm `v128`. The load is the one unsafe act: it takes a raw pointer.
#![allow(unsafe_code, reason = "vector load")]

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_sub, u8x16_le, u8x16_min, u8x16_splat, v128, v128_any_true, v128_load, v128_or,
};

/// See [`super::masks`] for what each operation is for.
#[derive(Clone, Copy)]
pub(super) struct Lane(v128);

impl Lane {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        // SAFETY: the reference covers exactly the 16 bytes that are read; they need no alignment.
        Lane(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(super) fn eq(self, byte: u8) -> Lane {
        Lane(i8x16_eq(self.0, u8x16_splat(byte)))
    }

    #[inline(always)]
    pub(super) fn at_most(self, byte: u8) -> Lane {
        Lane(u8x16_le(self.0, u8x16_splat(byte)))
    }

    #[inline(always)]
    pub(super) fn minus(self, byte: u8) -> Lane {
        Lane(i8x16_sub(self.0, u8x16_splat(byte)))
    }

    #[inline(always)]
    pub(super) fn with_bit_5(self) -> Lane {
        Lane(v128_or(self.0, u8x16_splat(0x20)))
    }

    #[inline(always)]
    pub(super) fn or(self, other: Lane) -> Lane {
        Lane(v128_or(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn min(self, other: Lane) -> Lane {
        Lane(u8x16_min(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        v128_any_true(self.0)
    }

    #[inline(always)]
    pub(super) fn top_bits(self) -> u32 {
        u32::from(i8x16_bitmask(self.0))
    }
}
