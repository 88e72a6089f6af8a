//! A lane of plain words, for machines without Wasm.

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct Lane([u32; 4]);

impl Lane {
    pub(crate) fn of(words: [u32; 4]) -> Lane {
        Lane(words)
    }

    pub(crate) fn words(self) -> [u32; 4] {
        self.0
    }

    /// The sum of each two words, without the carry.
    pub(crate) fn add(mut self, other: Lane) -> Lane {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own = own.wrapping_add(other));
        self
    }

    pub(crate) fn xor(mut self, other: Lane) -> Lane {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own ^= other);
        self
    }

    /// Each word rotated to the right by so many bits.
    pub(crate) fn rotated<const BITS: u32>(self) -> Lane {
        Lane(self.0.map(|word| word.rotate_right(BITS)))
    }

    /// The words moved to the left by one, two or three positions; the first ones become the last ones.
    pub(crate) fn turned<const PLACES: usize>(mut self) -> Lane {
        self.0.rotate_left(PLACES);
        self
    }
}

/// Twelve bytes as base64url (RFC 4648 §5).
pub(crate) fn base64(bytes: &[u8; 12]) -> [u8; 16] {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = [0; 16];
    for ([a, b, c], letters) in bytes.as_chunks().0.iter().zip(text.as_chunks_mut::<4>().0) {
        let bits = u32::from(*a) << 16 | u32::from(*b) << 8 | u32::from(*c);
        *letters = [18, 12, 6, 0].map(|shift| LETTERS.get((bits >> shift & 63) as usize).copied().unwrap_or_default());
    }
    text
}
