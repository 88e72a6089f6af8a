//! Posting lists: the campaigns of one value, as a bitset or as a sorted list, whichever is smaller.
//!
//! A bitset has one bit for each campaign, in the order of worth (the most that a campaign pays, highest first), in blocks
//! of 512.

use core::fmt;
use std::rc::Rc;

use flat::{Flat, List, Source, Wide, Writer, fingerprint};

/// Campaigns in a block: the search matches them all at once.
pub const BLOCK: usize = 512;
/// Words of 64 bits in a block.
pub const BLOCK_WORDS: usize = BLOCK / 64;

/// The bits of one block; the first campaign has the lowest bit.
pub type Bits = [u64; BLOCK_WORDS];

/// The bits of a block without campaigns.
pub const EMPTY: Bits = [0; BLOCK_WORDS];

/// A stored bitset, padded to whole blocks. A `Bitset` does not know its end: the caller knows how many blocks there
/// are, and reads no further.
#[derive(Clone, Copy)]
pub struct Bitset<'s>(&'s [u8]);

/// Shows no bits, since the end is not known.
impl fmt::Debug for Bitset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bitset")
    }
}

impl<'s> Bitset<'s> {
    #[inline]
    pub(super) fn at(from: Source<'s>, at: u32) -> Bitset<'s> {
        Bitset(from.records_from(at as usize))
    }

    /// Whether both bitsets are stored at the same address. Equal bitsets of one snapshot always are.
    #[inline]
    pub fn is_same(self, other: Bitset<'_>) -> bool {
        core::ptr::eq(self.0.as_ptr(), other.0.as_ptr())
    }

    /// The stored blocks; [`bits`] reads one.
    #[inline]
    pub fn blocks(self) -> &'s [[u8; BLOCK / 8]] {
        self.0.as_chunks().0
    }
}

/// The bits of a stored block.
#[inline]
pub fn bits(block: &[u8; BLOCK / 8]) -> Bits {
    let mut words = [0; BLOCK_WORDS];
    words.iter_mut().zip(block.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

/// Sets the bit of the campaign at a position; `all` holds the bits of all blocks.
#[inline]
pub fn set_campaign(all: &mut [Bits], position: u32) {
    if let Some(word) = all.as_flattened_mut().get_mut(position as usize / 64) {
        *word |= 1 << (position % 64);
    }
}

/// The bits of the positions below `end`, in a word whose first bit is the position `from`.
pub fn below(end: usize, from: usize) -> u64 {
    match end.saturating_sub(from) {
        0 => 0,
        some @ 1..64 => (1 << some) - 1,
        _ => u64::MAX,
    }
}

/// Whether the campaign at a position is in the bits of its block.
pub fn has_bit(bits: &Bits, position: usize) -> bool {
    bits.get(position % BLOCK / 64).is_some_and(|word| word >> (position % 64) & 1 == 1)
}

/// A [`Bitset`] before it is stored.
#[derive(Debug, Clone, Default)]
pub struct BitsetDraft(Vec<u64>);

impl BitsetDraft {
    /// An empty bitset, with room for this many campaigns.
    pub fn none(campaigns: usize) -> BitsetDraft {
        BitsetDraft(vec![0; campaigns.div_ceil(BLOCK) * BLOCK_WORDS])
    }

    /// A bitset that contains all of this many campaigns.
    pub fn all(campaigns: usize) -> BitsetDraft {
        let mut all = BitsetDraft::none(campaigns);
        (0..campaigns).for_each(|position| all.add(position));
        all
    }

    /// Removes the campaign at a position.
    pub fn remove(&mut self, position: usize) {
        if let Some(word) = self.0.get_mut(position / 64) {
            *word &= !(1 << (position % 64));
        }
    }

    /// Adds the campaign at a position.
    pub fn add(&mut self, position: usize) {
        if let Some(word) = self.0.get_mut(position / 64) {
            *word |= 1 << (position % 64);
        }
    }
}

impl Flat for BitsetDraft {
    type View<'s> = Bitset<'s>;
    const SIZE: usize = u32::SIZE;
    const LAYOUT: u64 = fingerprint(u64::LAYOUT, "words of blocks of 512");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        out.store(&bytes).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Bitset<'_> {
        Bitset::at(from, u32::view(from, at))
    }
}

/// A list of campaigns. Each campaign is a number: its position when campaigns are sorted by worth, highest first (see
/// [`Index::worth`](super::Index::worth)). Exception: the lists of [`NoBidReason::Acat`](reasons::no_bid::NoBidReason)
/// hold numbers of categories.
#[derive(Debug, Clone, Copy)]
pub enum PostingList<'s> {
    /// A bitset, and how many campaigns it has.
    Bitset(Bitset<'s>, u32),
    /// The positions, ascending.
    Sorted(List<'s, u32>),
}

impl PostingList<'_> {
    /// Calls `member` with each position, ascending.
    pub fn each(&self, mut member: impl FnMut(u32)) {
        match self {
            PostingList::Bitset(all, count) => {
                let mut left = *count;
                for (word, first) in all.blocks().iter().flat_map(bits).zip((0..).step_by(64)) {
                    let mut rest = word;
                    while rest != 0 && left > 0 {
                        member(first + rest.trailing_zeros());
                        rest &= rest - 1;
                        left -= 1;
                    }
                    if left == 0 {
                        break;
                    }
                }
            }
            PostingList::Sorted(members) => members.iter().for_each(member),
        }
    }

    /// How many campaigns the list has.
    #[inline]
    pub fn count(&self) -> usize {
        match self {
            PostingList::Bitset(_, count) => *count as usize,
            PostingList::Sorted(members) => members.len(),
        }
    }
}

/// A [`PostingList`] before it is stored.
#[derive(Debug, Clone)]
pub struct PostingListDraft {
    /// The positions, ascending. Values of shared lists share their members: there are many such values.
    pub members: Rc<Wide<u32>>,
    /// How many campaigns the catalog has.
    pub of: usize,
}

impl PostingListDraft {
    /// A list of positions, ascending, in a catalog with `of` campaigns.
    pub fn new(members: Vec<u32>, of: usize) -> PostingListDraft {
        PostingListDraft { members: Rc::new(Wide(members)), of }
    }
}

impl Flat for PostingListDraft {
    type View<'s> = PostingList<'s>;
    const SIZE: usize = bool::SIZE + <(BitsetDraft, u32)>::SIZE;
    const LAYOUT: u64 = fingerprint(<(BitsetDraft, Wide<u32>)>::LAYOUT, "bitset or sorted list");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let Wide(members) = &*self.members;
        // A sorted list takes 32 bits for each member, a bitset one bit for each campaign.
        let is_bitset = members.len() > self.of / 32;
        is_bitset.write(out, record);
        if is_bitset {
            let mut bitset = BitsetDraft::none(self.of);
            for position in members {
                bitset.add(*position as usize);
            }
            (bitset, u32::try_from(members.len()).unwrap_or(u32::MAX)).write(out, record);
        } else {
            self.members.write(out, record);
        }
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> PostingList<'_> {
        // Reads the whole record at once, because each value that is found has two lists.
        let [is_bitset, rest @ ..]: [u8; 9] = from.bytes(at);
        let rest = u64::from_le_bytes(rest);
        #[allow(clippy::cast_possible_truncation, reason = "each is one half")]
        let (at, count) = (rest as u32, (rest >> 32) as u32);
        if is_bitset == 1 {
            PostingList::Bitset(Bitset::at(from, at), count)
        } else {
            PostingList::Sorted(List::new(from, at as usize, count as usize))
        }
    }
}

const _: () = assert!(<(BitsetDraft, u32)>::SIZE == <Wide<u32>>::SIZE, "both forms have a record of the same size");

#[cfg(test)]
mod tests {
    use super::*;
    use flat::Laid;

    #[test]
    fn a_posting_list_is_stored_in_the_smaller_form() {
        for (members, is_bitset) in [(0, false), (1, false), (40, false), (41, true), (1300, true)] {
            let laid = Laid::out(&PostingListDraft::new((0..members).collect(), 1300));
            assert_eq!(matches!(laid.view(), PostingList::Bitset(..)), is_bitset, "{members}");
            assert_eq!(laid.view().count(), members as usize);
        }
    }
}
