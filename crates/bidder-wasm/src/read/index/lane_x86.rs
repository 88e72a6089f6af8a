//! Sixteen bytes in an SSE2 register: part of every x86-64.
#![allow(unsafe_code, reason = "vector intrinsics")]

use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    _mm_sub_epi8,
};

/// See [`super::masks`] for what each operation is for.
#[derive(Clone, Copy)]
pub(super) struct Lane(__m128i);

impl Lane {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        // SAFETY: the reference covers exactly the 16 bytes that are read; they need no alignment.
        Lane(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(super) fn eq(self, byte: u8) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_cmpeq_epi8(self.0, splat(byte)) })
    }

    #[inline(always)]
    pub(super) fn at_most(self, byte: u8) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_cmpeq_epi8(_mm_min_epu8(self.0, splat(byte)), self.0) })
    }

    #[inline(always)]
    pub(super) fn minus(self, byte: u8) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_sub_epi8(self.0, splat(byte)) })
    }

    #[inline(always)]
    pub(super) fn with_bit_5(self) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_or_si128(self.0, splat(0x20)) })
    }

    #[inline(always)]
    pub(super) fn or(self, other: Lane) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    pub(super) fn min(self, other: Lane) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_min_epu8(self.0, other.0) })
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        self.top_bits() != 0
    }

    #[inline(always)]
    pub(super) fn top_bits(self) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned()
    }
}

#[inline(always)]
fn splat(byte: u8) -> __m128i {
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_set1_epi8(byte.cast_signed()) }
}
