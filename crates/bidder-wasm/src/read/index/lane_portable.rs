//! Sixteen bytes in an array, for targets without a lane of their own, and the twin that the
//! others are tested against.

/// See [`super::masks`] for what each operation is for.
#[derive(Clone, Copy)]
pub(super) struct Lane([u8; 16]);

impl Lane {
    pub(super) fn load(bytes: &[u8; 16]) -> Lane {
        Lane(*bytes)
    }

    pub(super) fn eq(self, byte: u8) -> Lane {
        Lane(self.0.map(|own| if own == byte { 0xFF } else { 0 }))
    }

    pub(super) fn at_most(self, byte: u8) -> Lane {
        Lane(self.0.map(|own| if own <= byte { 0xFF } else { 0 }))
    }

    pub(super) fn minus(self, byte: u8) -> Lane {
        Lane(self.0.map(|own| own.wrapping_sub(byte)))
    }

    pub(super) fn with_bit_5(self) -> Lane {
        Lane(self.0.map(|own| own | 0x20))
    }

    pub(super) fn or(self, other: Lane) -> Lane {
        Lane(self.zip(other, |own, other| own | other))
    }

    pub(super) fn min(self, other: Lane) -> Lane {
        Lane(self.zip(other, u8::min))
    }

    pub(super) fn any(self) -> bool {
        self.top_bits() != 0
    }

    pub(super) fn top_bits(self) -> u32 {
        self.0.iter().rev().fold(0, |bits, own| bits << 1 | u32::from(own >> 7))
    }

    fn zip(self, other: Lane, pick: impl Fn(u8, u8) -> u8) -> [u8; 16] {
        let mut others = other.0.into_iter();
        self.0.map(|own| pick(own, others.next().unwrap_or_default()))
    }
}
