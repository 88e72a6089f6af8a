//! The posting lists that a request selected, read one block at a time.

use catalog::index::{BLOCK, Bits, Bitset, bits, set_campaign};

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
    /// How many members lie in the blocks before `block`.
    next: usize,
    /// The block to read next. For another one, the members are counted again.
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
    /// Adds the members in one block to its bits.
    #[inline]
    fn add_to(&mut self, bits: &mut Bits, block: usize) {
        let begin = block * BLOCK;
        if block != self.block {
            self.next = self.members.partition_point(|member| position(*member) < begin);
        }
        for member in self.members.get(self.next..).unwrap_or_default() {
            // In a damaged snapshot, a member may be before the block. It then is in no word either.
            let Some(word) = bits.get_mut(position(*member).wrapping_sub(begin) / 64) else { break };
            *word |= 1 << (position(*member) % 64);
            self.next += 1;
        }
        self.block = block + 1;
    }
}

#[inline]
fn position(member: [u8; 4]) -> usize {
    u32::from_le_bytes(member) as usize
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
