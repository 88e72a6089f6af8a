//! A lane in an SSE2 register, which every x86-64 has.
#![allow(unsafe_code, reason = "vector intrinsics")]

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8,
    _mm_or_si128, _mm_set1_epi8, _mm_xor_si128,
};

/// Sixteen bytes of a text, loaded at once by [`super::cursor`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane(__m128i);

impl Lane {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        // SAFETY: the reference covers exactly the 16 bytes that are read; they need no alignment.
        Lane(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    /// One bit for each quote, backslash, control character or byte beyond ASCII. The lowest bit is the first byte.
    #[inline(always)]
    pub(super) fn specials(self) -> u32 {
        // Flipping bit 1 puts the quote (0x22) at 0x20, directly above the control characters. As signed numbers, bytes
        // beyond ASCII are negative. So one comparison finds all of them.
        // SAFETY: every x86-64 has SSE2.
        let found = unsafe {
            let low = _mm_cmplt_epi8(_mm_xor_si128(self.0, _mm_set1_epi8(2)), _mm_set1_epi8(0x21));
            _mm_or_si128(low, _mm_cmpeq_epi8(self.0, _mm_set1_epi8(b'\\'.cast_signed())))
        };
        Lane(found).not_ascii()
    }

    /// One bit for each byte beyond ASCII.
    #[inline(always)]
    pub(super) fn not_ascii(self) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned()
    }

    /// Bitwise AND.
    #[inline(always)]
    pub(super) fn and(self, other: &[u8; 16]) -> Lane {
        // SAFETY: every x86-64 has SSE2.
        Lane(unsafe { _mm_and_si128(self.0, Lane::load(other).0) })
    }

    /// The first eight bytes as a little-endian integer.
    #[inline(always)]
    pub(super) fn head(self) -> u64 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_cvtsi128_si64(self.0) }.cast_unsigned()
    }

    /// Whether all bytes are equal.
    #[inline(always)]
    pub(super) fn equals(self, other: &[u8; 16]) -> bool {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, Lane::load(other).0)) == 0xFFFF }
    }
}
