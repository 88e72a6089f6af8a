//! A set of campaigns that a request asks for, a block at a time.

use crate::catalog::index::{BLOCK, Bits, Words, bits};

/// A set of a term.
pub(super) struct Part<'a> {
    /// Whether who is in it stays out.
    pub(super) excluded: bool,
    /// Who is in it.
    pub(super) members: Members<'a>,
}

/// The members of a set.
pub(super) enum Members<'a> {
    /// A bit for each campaign.
    Many(Words<'a>),
    /// A small set, of which a block at a time is looked at: most decisions end in an early one.
    Few(Cursor<'a>),
    /// All other small sets of the term.
    Rest(&'a mut [Bits]),
}

/// A place in a small set.
pub(super) struct Cursor<'a> {
    /// Ascending.
    members: &'a [[u8; 4]],
    /// The first member that is not in a block before the one that was looked at last.
    next: usize,
    /// The block that was looked at last.
    block: usize,
}

impl<'a> Members<'a> {
    /// A small set.
    pub(super) fn few(members: &'a [[u8; 4]]) -> Members<'a> {
        Members::Few(Cursor { members, next: 0, block: 0 })
    }

    /// Adds them all.
    pub(super) fn add_all_to(&self, all: &mut [Bits]) {
        match self {
            Members::Many(own) => all.iter_mut().zip(own.blocks()).for_each(|(all, own)| add(all, &bits(own))),
            Members::Few(cursor) => set_bits(all, cursor.members),
            Members::Rest(own) => all.iter_mut().zip(own.iter()).for_each(|(all, own)| add(all, own)),
        }
    }

    /// Adds those in a block.
    #[inline]
    pub(super) fn add_to(&mut self, all: &mut Bits, block: usize) {
        match self {
            Members::Many(own) => own.blocks().get(block).into_iter().for_each(|own| add(all, &bits(own))),
            Members::Few(cursor) => cursor.add_to(all, block),
            Members::Rest(own) => own.get(block).into_iter().for_each(|own| add(all, own)),
        }
    }
}

impl Cursor<'_> {
    /// Adds the members in a block.
    #[inline]
    fn add_to(&mut self, bits: &mut Bits, block: usize) {
        if block < self.block {
            self.next = 0;
        }
        self.block = block;
        let mut place = self.next;
        while let Some(member) = self.members.get(place) {
            let member = u32::from_le_bytes(*member);
            let own = member as usize / BLOCK;
            if own > block {
                break;
            }
            place += 1;
            if own == block {
                set_bit(bits, member);
            } else {
                self.next = place;
            }
        }
    }
}

/// Adds members.
pub(super) fn set_bits(all: &mut [Bits], members: &[[u8; 4]]) {
    for member in members {
        set_place(all, u32::from_le_bytes(*member));
    }
}

/// Adds the campaign at a place among all.
#[inline]
pub(crate) fn set_place(all: &mut [Bits], place: u32) {
    if let Some(bits) = all.get_mut(place as usize / BLOCK) {
        set_bit(bits, place);
    }
}

#[inline]
fn set_bit(bits: &mut Bits, member: u32) {
    if let Some(word) = bits.get_mut(member as usize % BLOCK / 64) {
        *word |= 1 << (member % 64);
    }
}

/// Adds bits.
#[inline]
fn add(all: &mut Bits, more: &Bits) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}
