//! Posting lists: the campaigns of one value, as a bitset or as a sorted list, whichever is smaller.

use std::rc::Rc;

use super::bitset::{Bitset, BitsetDraft, bits};
use crate::flat::{Flat, List, Source, Wide, Writer, fingerprint};

/// A list of campaigns. Each campaign is a number: its position when campaigns are sorted by worth, highest first (see
/// [`Index::worth`](super::Index::worth)). Exception: the lists of [`NoBidReason::Acat`](crate::no_bid::NoBidReason)
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
    use crate::flat::Laid;

    #[test]
    fn a_posting_list_is_stored_in_the_smaller_form() {
        for (members, is_bitset) in [(0, false), (1, false), (40, false), (41, true), (1300, true)] {
            let laid = Laid::out(&PostingListDraft::new((0..members).collect(), 1300));
            assert_eq!(matches!(laid.view(), PostingList::Bitset(..)), is_bitset, "{members}");
            assert_eq!(laid.view().count(), members as usize);
        }
    }
}
