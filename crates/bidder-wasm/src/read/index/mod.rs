//! Stage 1: whether a text is JSON, and where its structure stands.
//!
//! [`scan`] judges 64 bytes at a time by arithmetic on bit masks, nearly without branches, so that
//! stage 2 can jump over what it does not read and need not check anything again. What the masks refuse goes through [`plain`], a byte at a time, which finds the
//! offset; it is also the oracle of the tests. UTF-8 is not judged here.
//!
//! The grammar is checked between neighbouring tokens, which needs no stack but for one question,
//! whether a comma or a colon stands in an object or an array. A comma that is followed by a
//! string and a colon belongs into an object, any other into an array: so it is enough to look at
//! the container once per bracket.
//!
//! The masks themselves are kept. A list of offsets, and pairs of brackets, would save stage 2 some
//! work, but cost more here, and most of them would never be looked at.

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

/// Stage 1's findings about one text. Kept between texts: it allocates only for a text that is
/// larger than any before it.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The text's blocks and an empty one behind them. Others are left over from longer texts.
    blocks: Vec<Structure>,
}

/// The structure of 64 bytes, a bit per byte, the first byte's bit lowest.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Structure {
    /// `{`, `}`, `[`, `]`, `:` and `,` outside strings.
    marks: u64,
    /// Of these, `{` and `[`.
    open: u64,
    /// Of these, `}` and `]`.
    close: u64,
    /// Backslashes.
    backslashes: u64,
    /// How many containers are open in front of the block.
    depth: u8,
    /// How many are open where they are fewest, behind one of its brackets.
    lowest: u8,
}

impl Index {
    /// Indexes a text. `Err` holds the offset of the first byte that cannot be part of JSON, or
    /// the text's length when it ends too early.
    pub(super) fn build(&mut self, text: &[u8]) -> Result<(), usize> {
        if scan::scan(self, text) { Ok(()) } else { plain::scan(self, text) }
    }

    /// Where the structural characters among the 64 bytes from `at` on are, the first byte's bit
    /// lowest.
    #[inline(always)]
    pub(super) fn marks_from(&self, at: usize) -> u64 {
        self.window(at, |block| block.marks)
    }

    /// The marks among the 64 bytes from `at` on, and whether there may be a backslash.
    #[inline(always)]
    pub(super) fn near(&self, at: usize) -> (u64, bool) {
        let (number, shift) = (at / BLOCK_BYTES, at % BLOCK_BYTES);
        match self.blocks.get(number..).and_then(|rest| rest.first_chunk::<2>()) {
            Some([here, next]) => {
                let marks = here.marks >> shift | (next.marks << 1) << (BLOCK_BYTES - 1 - shift);
                (marks, here.backslashes | next.backslashes != 0)
            }
            None => (0, false),
        }
    }

    /// Where the closing brackets among the 64 bytes from `at` on are.
    #[inline(always)]
    pub(super) fn closes_from(&self, at: usize) -> u64 {
        self.window(at, |block| block.close)
    }

    /// Offset of the first structural character at or behind `at`; beyond the text when there is
    /// none.
    #[inline(always)]
    pub(super) fn next_mark(&self, at: usize) -> usize {
        let window = self.marks_from(at);
        if window == 0 { self.far_mark(at) } else { at + window.trailing_zeros() as usize }
    }

    /// [`Index::next_mark`], more than 64 bytes away.
    #[inline(never)]
    fn far_mark(&self, at: usize) -> usize {
        let first = at / BLOCK_BYTES + 1;
        for (number, block) in self.blocks.iter().enumerate().skip(first) {
            if block.marks != 0 {
                return number * BLOCK_BYTES + block.marks.trailing_zeros() as usize;
            }
        }
        self.blocks.len() * BLOCK_BYTES
    }

    /// Offset of the bracket that closes the container opened at `at`; beyond the text when there
    /// is none.
    pub(super) fn close_of(&self, at: usize) -> usize {
        let first = at / BLOCK_BYTES;
        let Some(block) = self.blocks.get(first) else { return self.blocks.len() * BLOCK_BYTES };
        let before = !(u64::MAX << (at % BLOCK_BYTES));
        let opened = u32::from(block.depth) + (block.open & before).count_ones();
        let outside = opened.wrapping_sub((block.close & before).count_ones());
        let mut behind = (u64::MAX << (at % BLOCK_BYTES)) << 1;
        let mut depth = outside.wrapping_add(1);
        for (number, block) in self.blocks.iter().enumerate().skip(first) {
            if u32::from(block.lowest) <= outside {
                let mut rest = (block.open | block.close) & behind;
                if behind == u64::MAX {
                    depth = u32::from(block.depth);
                }
                while rest != 0 {
                    let place = rest.trailing_zeros();
                    rest &= rest.wrapping_sub(1);
                    // One up or one down, without a branch.
                    depth = depth.wrapping_add((block.open >> place & 1) as u32 * 2).wrapping_sub(1);
                    if depth == outside {
                        return number * BLOCK_BYTES + place as usize;
                    }
                }
            }
            behind = u64::MAX;
        }
        self.blocks.len() * BLOCK_BYTES
    }

    /// Whether a backslash is among the bytes from `from` to before `to`.
    #[inline(always)]
    pub(super) fn has_backslash(&self, from: usize, to: usize) -> bool {
        let count = to.wrapping_sub(from);
        if count >= BLOCK_BYTES {
            return self.has_far_backslash(from, to);
        }
        self.window(from, |block| block.backslashes) & !(u64::MAX << count) != 0
    }

    #[inline(never)]
    fn has_far_backslash(&self, from: usize, to: usize) -> bool {
        // 63 bytes at a time, the most that the near one takes.
        let mut at = from;
        while at < to {
            let end = to.min(at + BLOCK_BYTES - 1);
            if self.has_backslash(at, end) {
                return true;
            }
            at = end;
        }
        false
    }

    /// A word of the 64 bytes from `at` on.
    #[inline(always)]
    fn window(&self, at: usize, word: impl Fn(&Structure) -> u64) -> u64 {
        let (number, shift) = (at / BLOCK_BYTES, at % BLOCK_BYTES);
        match self.blocks.get(number..).and_then(|rest| rest.first_chunk::<2>()) {
            Some([here, next]) => word(here) >> shift | (word(next) << 1) << (BLOCK_BYTES - 1 - shift),
            None => 0,
        }
    }

    /// Makes room for a text of `bytes` bytes.
    fn start(&mut self, bytes: usize) {
        let blocks = bytes.div_ceil(BLOCK_BYTES);
        if self.blocks.len() <= blocks {
            self.blocks.resize(blocks + 1, Structure::default());
        }
        if let Some(behind) = self.blocks.get_mut(blocks) {
            *behind = Structure::default();
        }
    }
}
