//! Sixteen bytes in an array, for targets without a lane of their own, and the twin that the others are tested against.

/// See [`super::cursor`] for what each operation is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane([u8; 16]);

impl Lane {
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        Lane(*bytes)
    }

    /// Where a quote, a backslash, a control character or a byte beyond ASCII stands, the first byte's bit lowest.
    pub(super) fn specials(self) -> u32 {
        self.bits(|byte| matches!(byte, b'"' | b'\\' | 0..b' ' | 0x80..))
    }

    /// Where bytes beyond ASCII stand.
    pub(super) fn not_ascii(self) -> u32 {
        self.bits(|byte| byte >= 0x80)
    }

    /// The bits that both have.
    pub(super) fn and(self, other: &[u8; 16]) -> Lane {
        let mut others = other.iter();
        Lane(self.0.map(|own| own & others.next().copied().unwrap_or_default()))
    }

    /// The first eight bytes, the first one lowest.
    pub(super) fn head(self) -> u64 {
        u64::from_le_bytes(self.0.first_chunk().copied().unwrap_or_default())
    }

    /// Whether it is these bytes.
    pub(super) fn is(self, other: &[u8; 16]) -> bool {
        self.0 == *other
    }

    fn bits(self, class: impl Fn(u8) -> bool) -> u32 {
        self.0.iter().rev().fold(0, |bits, own| bits << 1 | u32::from(class(*own)))
    }
}
