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

    pub(super) fn bit_5_to_7(self) -> Lane {
        Lane(self.0.map(|own| own << 2))
    }

    pub(super) fn top_bits(self) -> u64 {
        self.0.iter().rev().fold(0, |bits, own| bits << 1 | u64::from(own >> 7))
    }
}
