//! The posting lists that a request selected, read one block at a time.

use crate::catalog::index::{BLOCK, Bits, Bitset, bits, set_bit, set_campaign};

/// One posting list, or several that were merged.
pub(super) struct PostingSet<'a> {
    /// Whether its campaigns are excluded.
    pub(super) excluded: bool,
    pub(super) members: Members<'a>,
}

/// The campaigns of a posting set.
pub(super) enum Members<'a> {
    /// A posting list that is a bitset.
    Bitset(Bitset<'a>),
    /// A posting list that is a sorted list. Most decisions end in an early block, so it is not turned into a bitset.
    Sorted(Cursor<'a>),
    /// Merged posting lists: the bits of each block.
    Merged(&'a mut [Bits]),
}

/// Reads a sorted list block by block.
pub(super) struct Cursor<'a> {
    /// The positions of campaigns, ascending.
    members: &'a [[u8; 4]],
    /// All members before this one are in blocks before `block`.
    next: usize,
    /// The block that was read last.
    block: usize,
}

impl<'a> Members<'a> {
    /// The members of a sorted list.
    pub(super) fn sorted(members: &'a [[u8; 4]]) -> Members<'a> {
        Members::Sorted(Cursor { members, next: 0, block: 0 })
    }

    /// Adds the members to the bits of all blocks.
    pub(super) fn add_all_to(&self, all: &mut [Bits]) {
        match self {
            Members::Bitset(own) => all.iter_mut().zip(own.blocks()).for_each(|(all, own)| add(all, &bits(own))),
            Members::Sorted(cursor) => set_members(all, cursor.members),
            Members::Merged(own) => all.iter_mut().zip(own.iter()).for_each(|(all, own)| add(all, own)),
        }
    }

    /// Adds the members in one block to its bits.
    #[inline]
    pub(super) fn add_to(&mut self, all: &mut Bits, block: usize) {
        match self {
            Members::Bitset(own) => own.blocks().get(block).into_iter().for_each(|own| add(all, &bits(own))),
            Members::Sorted(cursor) => cursor.add_to(all, block),
            Members::Merged(own) => own.get(block).into_iter().for_each(|own| add(all, own)),
        }
    }
}

impl Cursor<'_> {
    /// Adds the members in one block to its bits. Starts over if the block is before the one that was read last.
    #[inline]
    fn add_to(&mut self, bits: &mut Bits, block: usize) {
        if block < self.block {
            self.next = 0;
        }
        self.block = block;
        let mut at = self.next;
        while let Some(member) = self.members.get(at) {
            let member = u32::from_le_bytes(*member);
            let own = member as usize / BLOCK;
            if own > block {
                break;
            }
            at += 1;
            if own == block {
                set_bit(bits, member);
            } else {
                self.next = at;
            }
        }
    }
}

/// Sets the bits of all members of a sorted list.
pub(super) fn set_members(all: &mut [Bits], members: &[[u8; 4]]) {
    for member in members {
        set_campaign(all, u32::from_le_bytes(*member));
    }
}

#[inline]
fn add(all: &mut Bits, more: &Bits) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}
