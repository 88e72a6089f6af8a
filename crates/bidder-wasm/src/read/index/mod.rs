//! Stage 1: whether a text is JSON, and where its structural characters stand.
//!
//! [`scan`] judges 64 bytes at a time by arithmetic on bit masks, nearly without branches, and
//! pairs the brackets, so that stage 2 can jump over what it does not read and need not check
//! anything again. What the masks refuse goes through [`plain`], a byte at a time, which finds the
//! offset; it is also the oracle of the tests. UTF-8 is not judged here.
//!
//! The grammar is checked between neighbouring tokens, which needs no stack but for one question,
//! whether a comma or a colon stands in an object or an array. A comma that is followed by a
//! string and a colon belongs into an object, any other into an array: so it is enough to look at
//! the container once per bracket.

#![allow(clippy::inline_always, reason = "one loop, spread over files: nothing in it may stay a call")]

mod brackets;
#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
mod lane_portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lane_wasm;
#[cfg(target_arch = "x86_64")]
mod lane_x86;
mod masks;
mod plain;
mod scan;
#[cfg(test)]
mod tests;

use masks::BLOCK_BYTES;

/// Stage 1's findings about one text. Kept between texts: it allocates only when a text has more
/// structural characters than any before it.
///
/// An *entry* is the number of a structural character: `{`, `}`, `[`, `]`, `:` or `,` outside
/// strings, counted from 0.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Offset of each entry. Longer than `entries`; what is behind them is left over.
    offsets: Vec<u32>,
    /// For the entry of an opening bracket, the entry of the closing one. Other places, and those
    /// behind `entries`, are left over.
    partners: Vec<u32>,
    /// A bit per byte of the text, set for backslashes.
    backslashes: Vec<u64>,
    /// How many entries the text has.
    entries: usize,
}

impl Index {
    /// Indexes a text. `Err` holds the offset of the first byte that cannot be part of JSON, or
    /// the text's length when it ends too early.
    pub(super) fn build(&mut self, text: &[u8]) -> Result<(), usize> {
        if scan::scan(self, text) { Ok(()) } else { plain::scan(self, text) }
    }

    /// Offset of each entry.
    pub(super) fn offsets(&self) -> &[u32] {
        self.offsets.get(..self.entries).unwrap_or_default()
    }

    /// For the entry of an opening bracket, the entry of the closing one; elsewhere undefined.
    pub(super) fn partners(&self) -> &[u32] {
        self.partners.get(..self.entries).unwrap_or_default()
    }

    /// A bit per byte of the text, set for backslashes.
    pub(super) fn backslashes(&self) -> &[u64] {
        &self.backslashes
    }

    /// Forgets the last text and makes room for the backslashes of one of `bytes` bytes.
    fn start(&mut self, bytes: usize) {
        self.entries = 0;
        self.backslashes.clear();
        self.backslashes.resize(bytes.div_ceil(BLOCK_BYTES), 0);
    }

    fn note_backslash(&mut self, at: usize) {
        if let Some(word) = self.backslashes.get_mut(at / BLOCK_BYTES) {
            *word |= 1 << (at % BLOCK_BYTES);
        }
    }

    /// Makes room for as many further entries as one block can have.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.offsets.len() < self.entries + BLOCK_BYTES {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.entries + BLOCK_BYTES).next_power_of_two();
        self.offsets.resize(size, 0);
        self.partners.resize(size, 0);
    }
}
