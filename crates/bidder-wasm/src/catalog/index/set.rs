//! Sets of campaigns, by their places in the order of worth: a bit each where they are many, a
//! sorted list where they are few.

use core::fmt;

use crate::flat::{Flat, List, Source, Wide, Writer, fingerprint};

/// Campaigns that are matched at once, and the words that hold their bits.
pub const BLOCK: usize = 512;
/// See [`BLOCK`].
pub const BLOCK_WORDS: usize = BLOCK / 64;

/// The bits of one block, the first campaign's lowest.
pub type Bits = [u64; BLOCK_WORDS];

/// A bit for each campaign, padded to whole blocks. It does not know its own end: the caller knows how many blocks there
/// are, and reads no further.
#[derive(Clone, Copy)]
pub struct Words<'s>(&'s [u8]);

/// Shows nothing: it does not know its own end.
impl fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Words")
    }
}

impl<'s> Words<'s> {
    #[inline]
    fn at(from: Source<'s>, place: u32) -> Words<'s> {
        Words(from.records_from(place as usize))
    }

    /// Whether they are the very same.
    #[inline]
    pub fn is(self, other: Words<'_>) -> bool {
        core::ptr::eq(self.0.as_ptr(), other.0.as_ptr())
    }

    /// The bits of each block, as it lies: see [`bits`].
    #[inline]
    pub fn blocks(self) -> &'s [[u8; BLOCK / 8]] {
        self.0.as_chunks().0
    }
}

/// The bits of a block as it lies.
#[inline]
pub fn bits(block: &[u8; BLOCK / 8]) -> Bits {
    let mut words = [0; BLOCK_WORDS];
    words.iter_mut().zip(block.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

/// A set where it lies.
#[derive(Debug, Clone, Copy)]
pub enum Set<'s> {
    /// A bit for each campaign, and how many there are.
    Many(Words<'s>, u32),
    /// The members, ascending.
    Few(List<'s, u32>),
}

impl Set<'_> {
    /// Hands over the members, ascending.
    pub fn each(&self, mut member: impl FnMut(u32)) {
        match self {
            Set::Many(all, count) => {
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
            Set::Few(members) => members.iter().for_each(member),
        }
    }

    /// How many campaigns there are.
    #[inline]
    pub fn count(&self) -> usize {
        match self {
            Set::Many(_, count) => *count as usize,
            Set::Few(members) => members.len(),
        }
    }
}

/// A set before it is laid out: places, ascending, and of how many campaigns.
#[derive(Debug, Clone)]
pub struct SetDraft {
    /// The members.
    pub members: Wide<u32>,
    /// How many campaigns there are.
    pub of: usize,
}

/// All bits before they are laid out.
#[derive(Debug, Clone, Default)]
pub struct WordsDraft(Vec<u64>);

impl WordsDraft {
    /// Nothing of `campaigns`.
    pub fn none(campaigns: usize) -> WordsDraft {
        WordsDraft(vec![0; campaigns.div_ceil(BLOCK) * BLOCK_WORDS])
    }

    /// All of `campaigns`.
    pub fn all(campaigns: usize) -> WordsDraft {
        let mut all = WordsDraft::none(campaigns);
        (0..campaigns).for_each(|place| all.add(place));
        all
    }

    /// Takes the campaign at a place out.
    pub fn remove(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word &= !(1 << (place % 64));
        }
    }

    /// Adds the campaign at a place.
    pub fn add(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }
}

impl Flat for WordsDraft {
    type View<'s> = Words<'s>;
    const SIZE: usize = u32::SIZE;
    const LAYOUT: u64 = fingerprint(u64::LAYOUT, "words of blocks of 512");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        out.store(&bytes).write(out, record);
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Words<'_> {
        Words::at(from, u32::view(from, at))
    }
}

impl Flat for SetDraft {
    type View<'s> = Set<'s>;
    const SIZE: usize = bool::SIZE + <(WordsDraft, u32)>::SIZE;
    const LAYOUT: u64 = fingerprint(<(WordsDraft, Wide<u32>)>::LAYOUT, "many or few");

    fn write(&self, out: &mut Writer, record: &mut Vec<u8>) {
        let Wide(members) = &self.members;
        // A place takes 32 bits, a bit one.
        let many = members.len() > self.of / 32;
        many.write(out, record);
        if many {
            let mut words = WordsDraft::none(self.of);
            for place in members {
                words.add(*place as usize);
            }
            (words, u32::try_from(members.len()).unwrap_or(u32::MAX)).write(out, record);
        } else {
            self.members.write(out, record);
        }
    }

    #[inline]
    fn view(from: Source<'_>, at: usize) -> Set<'_> {
        // Reads the whole record at once: each value that is found has two sets.
        let [many, rest @ ..]: [u8; 9] = from.bytes(at);
        let rest = u64::from_le_bytes(rest);
        #[allow(clippy::cast_possible_truncation, reason = "each is one half")]
        let (place, count) = (rest as u32, (rest >> 32) as u32);
        if many == 1 {
            Set::Many(Words::at(from, place), count)
        } else {
            Set::Few(List::new(from, place as usize, count as usize))
        }
    }
}

const _: () = assert!(<(WordsDraft, u32)>::SIZE == <Wide<u32>>::SIZE, "one record for both kinds of set");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat::Laid;

    #[test]
    fn a_set_lies_in_the_form_that_takes_less() {
        for (members, is_many) in [(0, false), (1, false), (40, false), (41, true), (1300, true)] {
            let laid = Laid::out(&SetDraft { members: Wide((0..members).collect()), of: 1300 });
            assert_eq!(matches!(laid.view(), Set::Many(..)), is_many, "{members}");
            assert_eq!(laid.view().count(), members as usize);
        }
    }
}
