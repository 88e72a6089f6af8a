//! Sixteen bytes in an SSE2 register: part of every x86-64.
#![allow(unsafe_code, reason = "vector intrinsics")]

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8,
    _mm_or_si128, _mm_set1_epi8, _mm_xor_si128,
};

/// See [`super::cursor`] for what each operation is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane(__m128i);

impl Lane {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        // SAFETY: the reference covers exactly the 16 bytes that are read; they need no alignment.
        Lane(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    /// Where a quote, a backslash, a control character or a byte beyond ASCII stands, the first byte's bit lowest.
    #[inline(always)]
    pub(super) fn specials(self) -> u32 {
        // With bit 1 turned over, a quote comes right behind the control characters, before space; as signed numbers, bytes
        // beyond ASCII are below them.
        // SAFETY: every x86-64 has SSE2.
        let found = unsafe {
            let low = _mm_cmplt_epi8(_mm_xor_si128(self.0, _mm_set1_epi8(2)), _mm_set1_epi8(0x21));
            _mm_or_si128(low, _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b'\\'.cast_signed())))
        };
        Lane(found).not_ascii()
    }

    /// Where bytes beyond ASCII stand.
    #[inline(always)]
    pub(super) fn not_ascii(self) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned()
    }

    /// The bits that both have.
    #[inline(always)]
    pub(super) fn and(self, other: &[u8; 16]) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_and_si128(self.0, Lane::load(other).0) })
    }

    /// The first eight bytes, the first one lowest.
    #[inline(always)]
    pub(super) fn head(self) -> u64 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_cvtsi128_si64(self.0) }.cast_unsigned()
    }

    /// Whether it is these bytes.
    #[inline(always)]
    pub(super) fn is(self, other: &[u8; 16]) -> bool {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, Lane::load(other).0)) == 0xFFFF }
    }
}
