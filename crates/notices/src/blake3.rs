//! One compression of keyed BLAKE3: its 64 bytes of output are the hash of 64 bytes of input, and three more of the same
//! strength. The crate `blake3` would bring everything for longer inputs too.

#![allow(clippy::many_single_char_names, reason = "the names of the specification")]
#![allow(clippy::inline_always, reason = "the rounds are one piece of code")]

use super::lane::Lane;

/// The first half of SHA-256's initial state.
const IV: [u32; 4] = [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a];

/// A block that is a whole input, with a key: `CHUNK_START`, `CHUNK_END`, `ROOT`, `KEYED_HASH`.
const FLAGS: u32 = 1 | 2 | 8 | 16;

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// A key of 256 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key([[u32; 4]; 2]);

impl Key {
    pub(super) fn new(bytes: &[u8; 32]) -> Key {
        let [a, b, c, d, e, f, g, h] = words(bytes);
        Key([[a, b, c, d], [e, f, g, h]])
    }

    /// The first 64 bytes of the keyed hash, in four parts.
    #[inline(never)]
    pub(super) fn tags(&self, block: &[u8; BLOCK]) -> [[u8; 16]; 4] {
        let Key([low, high]) = *self;
        let (low, high) = (Lane::of(low), Lane::of(high));
        let mut state = State { a: low, b: high, c: Lane::of(IV), d: Lane::of([0, 0, 64, FLAGS]) };
        // Seven rounds. Without a loop, the words of the message need not move.
        let m = state.round(words(block));
        let m = state.round(m);
        let m = state.round(m);
        let m = state.round(m);
        let m = state.round(m);
        let m = state.round(m);
        state.round(m);
        let State { a, b, c, d } = state;
        [a.xor(c), b.xor(d), c.xor(low), d.xor(high)].map(|row| bytes(row.words()))
    }
}

/// The rows of the state.
struct State {
    a: Lane,
    b: Lane,
    c: Lane,
    d: Lane,
}

impl State {
    /// Mixes in the words of the message, and returns them in the order of the next round.
    #[inline(always)]
    fn round(&mut self, m: [u32; 16]) -> [u32; 16] {
        let [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = m;
        self.mix([m0, m2, m4, m6], [m1, m3, m5, m7]);
        // The diagonals become columns.
        (self.b, self.c, self.d) = (self.b.turned::<1>(), self.c.turned::<2>(), self.d.turned::<3>());
        self.mix([m8, m10, m12, m14], [m9, m11, m13, m15]);
        (self.b, self.c, self.d) = (self.b.turned::<3>(), self.c.turned::<2>(), self.d.turned::<1>());
        [m2, m6, m3, m10, m7, m0, m4, m13, m1, m11, m12, m5, m9, m14, m15, m8]
    }

    /// The quarter rounds of four columns.
    #[inline(always)]
    fn mix(&mut self, x: [u32; 4], y: [u32; 4]) {
        let State { a, b, c, d } = self;
        *a = a.add(*b).add(Lane::of(x));
        *d = d.xor(*a).rotated::<16>();
        *c = c.add(*d);
        *b = b.xor(*c).rotated::<12>();
        *a = a.add(*b).add(Lane::of(y));
        *d = d.xor(*a).rotated::<8>();
        *c = c.add(*d);
        *b = b.xor(*c).rotated::<7>();
    }
}

fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u32; WORDS] {
    let (chunks, _) = bytes.as_chunks::<4>();
    let mut words = [0; WORDS];
    words.iter_mut().zip(chunks).for_each(|(word, chunk)| *word = u32::from_le_bytes(*chunk));
    words
}

fn bytes(row: [u32; 4]) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes.as_chunks_mut::<4>().0.iter_mut().zip(row).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_tags_are_the_hash_of_the_published_crate(key: [u8; 32], low: [u8; 32], high: [u8; 32]) {
            let mut block = [0; BLOCK];
            block[..32].copy_from_slice(&low);
            block[32..].copy_from_slice(&high);
            let mut expected = [0; 64];
            blake3::Hasher::new_keyed(&key).update(&block).finalize_xof().fill(&mut expected);
            prop_assert_eq!(Key::new(&key).tags(&block).concat(), expected);
        }
    }
}
