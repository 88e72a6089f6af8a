//! Checks that brackets match, and that commas and colons stand in the right kind of container.

use super::masks::Block;
use crate::limits::MAX_DEPTH;

const _: () = assert!(MAX_DEPTH == u64::BITS as usize, "`kinds` has a bit per container");

/// The containers that are open at a place in the text.
pub(super) struct Brackets {
    /// A one for the text itself, then a bit per open container, the innermost one's lowest: 1
    /// for an object. Before the bit for the text can be lost at the top, the nesting is refused
    /// as too deep for here.
    kinds: u64,
}

/// What a block holds, a bit per byte.
pub(super) struct BlockBrackets {
    pub(super) open: u64,
    pub(super) close: u64,
    /// What may not stand in an array.
    pub(super) for_objects: u64,
    /// What may not stand in an object.
    pub(super) for_arrays: u64,
    /// The last byte of the text that is not white space, where this block has it.
    pub(super) last: u64,
}

impl Brackets {
    pub(super) fn new() -> Brackets {
        Brackets { kinds: 1 }
    }

    /// Whether every container has been closed.
    pub(super) fn is_balanced(&self) -> bool {
        self.kinds == 1
    }

    /// How many containers are open.
    #[inline(always)]
    pub(super) fn depth(&self) -> u8 {
        depth_of(self.kinds)
    }

    /// Takes in the brackets of a block. Yields the least depth behind one of them, and non-zero
    /// when one does not fit or when something stands in the wrong kind of container.
    ///
    /// Without branches on the kind of bracket: they would be mispredicted too often.
    #[inline(always)]
    pub(super) fn take(&mut self, brackets: &BlockBrackets, block: &Block) -> (u8, u64) {
        let misplaced = |kinds: u64| if kinds & 1 == 1 { brackets.for_arrays } else { brackets.for_objects };
        let (mut wrong, mut done) = (0, 0);
        let (mut kinds, mut lowest, mut highest) = (self.kinds, u64::MAX, 0);
        let mut rest = brackets.open | brackets.close;
        while rest != 0 {
            let place = rest.trailing_zeros();
            let through = rest ^ rest.wrapping_sub(1);
            rest &= rest.wrapping_sub(1);
            wrong |= misplaced(kinds) & through & !done;
            done = through;

            let closes = brackets.close >> place & 1;
            // Bit 5 is all that tells a curly bracket from a square one.
            let kind = u64::from(block.as_flattened().get(place as usize).map_or(0, |byte| byte >> 5 & 1));
            wrong |= (kinds ^ kind) & closes;
            kinds = if closes == 0 { kinds << 1 | kind } else { kinds >> 1 };
            // The fewer containers, the smaller the number.
            lowest = lowest.min(kinds);
            highest |= kinds;
        }
        wrong |= misplaced(kinds) & !done | highest >> 63;
        if lowest <= 1 {
            wrong |= u64::from(!self.ends_with(brackets));
        }
        self.kinds = kinds;
        (depth_of(lowest), wrong)
    }

    /// Whether the outermost container is closed by the text's last byte, not by one before it.
    #[cold]
    fn ends_with(&self, brackets: &BlockBrackets) -> bool {
        let mut depth = self.depth();
        let mut rest = brackets.open | brackets.close;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            depth = if brackets.open & bit == 0 { depth.saturating_sub(1) } else { depth.saturating_add(1) };
            if depth == 0 && bit != brackets.last {
                return false;
            }
        }
        true
    }
}

/// How many containers are open: the place of the highest one, 63 for all ones.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "at most 63")]
fn depth_of(kinds: u64) -> u8 {
    (kinds | 1).ilog2() as u8
}
