//! Pairs opening and closing brackets and keeps the kind of the container that is open.

use crate::limits::MAX_DEPTH;

/// Room for the containers that one block can open beyond the limit before it is refused.
const SLOTS: usize = 2 * MAX_DEPTH;
const _: () = assert!(SLOTS.is_power_of_two() && MAX_DEPTH >= super::masks::BLOCK_BYTES && MAX_DEPTH <= 64);

/// The containers that are open at a place in the text.
pub(super) struct Brackets {
    /// How many.
    depth: usize,
    /// Their kinds, the innermost one's in the lowest bit: 1 for an object.
    kinds: u64,
    /// The entries of their opening brackets, the outermost first.
    opened: [u32; SLOTS],
}

impl Brackets {
    pub(super) fn new() -> Brackets {
        Brackets { depth: 0, kinds: 0, opened: [0; SLOTS] }
    }

    /// Whether none is open.
    pub(super) fn is_balanced(&self) -> bool {
        self.depth == 0
    }

    /// Takes a block's brackets in. `partners` are those of the index, which has `entries` entries
    /// before this block. Yields non-zero when a bracket does not fit, when the nesting is too
    /// deep, or when `wrong.0` has a bit inside an array or `wrong.1` one inside an object.
    ///
    /// Without branches on the kind of bracket: they would be mispredicted too often.
    #[inline(always)]
    pub(super) fn take(&mut self, block: &BlockBrackets, entries: usize, partners: &mut [u32]) -> u64 {
        let mut wrong = 0;
        let mut done = 0;
        let mut rest = block.open | block.close;
        while rest != 0 {
            let place = rest.trailing_zeros();
            let through = rest ^ rest.wrapping_sub(1);
            rest &= rest.wrapping_sub(1);
            wrong |= block.misplaced(self.kinds) & through & !done;
            done = through;

            let entry = entries + (block.entries & (through >> 1)).count_ones() as usize;
            let (opens, kind) = (block.open >> place & 1, block.curly >> place & 1);
            // The slot of this container: the next free one when it opens, else the last used one.
            let slot = self.depth.wrapping_sub(usize::from(opens == 0)) % SLOTS;
            let (Some(opened), Ok(entry)) = (self.opened.get_mut(slot), u32::try_from(entry)) else { return 1 };
            let partner_of = if opens == 1 { entry } else { *opened };
            if let Some(partner) = partners.get_mut(partner_of as usize) {
                *partner = entry;
            }
            *opened = entry;
            wrong |= (self.kinds ^ kind) & (opens ^ 1);
            self.kinds = if opens == 1 { self.kinds << 1 | kind } else { self.kinds >> 1 };
            self.depth = slot.wrapping_add(usize::from(opens == 1));
            wrong |= u64::from(self.depth > MAX_DEPTH);
        }
        wrong | block.misplaced(self.kinds) & !done
    }
}

/// What a block holds, a bit per byte.
pub(super) struct BlockBrackets {
    pub(super) open: u64,
    pub(super) close: u64,
    /// Of the brackets: the curly ones.
    pub(super) curly: u64,
    /// All structural characters.
    pub(super) entries: u64,
    /// What may not be inside an array.
    pub(super) for_objects: u64,
    /// What may not be inside an object.
    pub(super) for_arrays: u64,
}

impl BlockBrackets {
    fn misplaced(&self, kinds: u64) -> u64 {
        if kinds & 1 == 1 { self.for_arrays } else { self.for_objects }
    }
}
