//! A lane in a byte array: for other targets, and for the tests of the other lanes.

/// Sixteen bytes of a text, loaded at once by [`super::cursor`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane([u8; 16]);

impl Lane {
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        Lane(*bytes)
    }

    /// One bit for each quote, backslash, control character or byte beyond ASCII. The lowest bit is the first byte.
    pub(super) fn specials(self) -> u32 {
        self.bits(|byte| matches!(byte, b'"' | b'\\' | 0..b' ' | 0x80..))
    }

    /// One bit for each byte beyond ASCII.
    pub(super) fn not_ascii(self) -> u32 {
        self.bits(|byte| byte >= 0x80)
    }

    /// Bitwise AND.
    pub(super) fn and(self, other: &[u8; 16]) -> Lane {
        let mut others = other.iter();
        Lane(self.0.map(|own| own & others.next().copied().unwrap_or_default()))
    }

    /// The first eight bytes as a little-endian integer.
    pub(super) fn head(self) -> u64 {
        u64::from_le_bytes(self.0.first_chunk().copied().unwrap_or_default())
    }

    /// Whether all bytes are equal.
    pub(super) fn equals(self, other: &[u8; 16]) -> bool {
        self.0 == *other
    }

    /// One bit for each byte in `class`.
    fn bits(self, class: impl Fn(u8) -> bool) -> u32 {
        self.0.iter().rev().fold(0, |bits, own| bits << 1 | u32::from(class(*own)))
    }
}
