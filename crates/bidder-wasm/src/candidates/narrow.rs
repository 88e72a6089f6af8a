//! Applies filters to a block of campaigns, and finds the reason of the campaign that passes the most filters. The posting
//! lists that a request selected are read one block at a time.

use super::EMPTY;
use super::filter::{Base, Filter, Filters};
use crate::catalog::index::{BLOCK, BLOCK_WORDS, Bits, Bitset, bits, set_bit, set_campaign};
use crate::no_bid::NoBidReason;
use crate::ranked;
use crate::work::{self, Meter};

/// Late in a search, merge a filter's posting sets if at least this many include campaigns, or at least this many
/// exclude campaigns.
const MIN_MERGED_SETS: usize = 4;
/// "Late" starts with this block. Most searches end before it.
const MERGE_FROM_BLOCK: usize = 8;

impl Filters<'_> {
    /// Removes the campaigns of a block that do not pass. If none is left, raises `closest` to the reason of the
    /// campaign that passed the most filters.
    pub(super) fn narrow(&mut self, eligible: &mut Bits, block: usize, closest: &mut NoBidReason) {
        if block >= MERGE_FROM_BLOCK && !self.is_merged {
            self.merge();
        }
        // The filters up to `closest` may run in any order, because only later reasons count.
        for at in 0..self.fewest_first.len() {
            let position = self.fewest_first.get(at).copied().map_or(0, ranked::number);
            if self.is_up_to(position, *closest) && self.narrow_by(position, eligible, block).is_err() {
                return;
            }
        }
        // `fewest_first` leaves out the media type.
        let is_left = |reason| reason > *closest || reason == *closest && reason == NoBidReason::MediaType;
        let from = if self.fewest_first.is_empty() {
            0
        } else {
            self.all.iter().position(|filter| is_left(filter.reason)).unwrap_or(self.all.len())
        };
        let failed = (from..self.all.len()).find_map(|position| self.narrow_by(position, eligible, block).err());
        *closest = failed.map_or(*closest, |reason| reason.max(*closest));
    }

    /// Merges the posting sets of each filter that has many, because a search that comes this far mostly reads all
    /// blocks.
    fn merge(&mut self) {
        self.is_merged = true;
        for filter in &mut self.all {
            let own = self.sets.get_mut(filter.begin..filter.end).unwrap_or_default();
            for excluded in [false, true] {
                if own.iter().filter(|set| set.excluded == excluded).count() < MIN_MERGED_SETS {
                    continue;
                }
                self.meter.charge(work::of_merging(self.blocks, own.len()));
                let all = self.arena.alloc_slice_fill_copy(self.blocks, [0; BLOCK_WORDS]);
                let mut last = None;
                for set in own.iter_mut().filter(|set| set.excluded == excluded) {
                    core::mem::replace(&mut set.members, Members::Merged(&mut [])).add_all_to(all);
                    last = Some(set);
                }
                if excluded {
                    let count: u32 = all.as_flattened().iter().map(|word| word.count_ones()).sum();
                    filter.max_count = filter.max_count.min(self.campaigns.saturating_sub(count as usize));
                }
                if let Some(last) = last {
                    last.members = Members::Merged(all);
                }
            }
        }
        self.update_ceiling();
    }

    /// Removes the campaigns that do not pass one filter. Returns the filter's reason if no campaign is left.
    fn narrow_by(&mut self, position: usize, eligible: &mut Bits, block: usize) -> Result<(), NoBidReason> {
        match self.all.get(position) {
            Some(filter) if !filter.narrow(&mut self.sets, self.meter, eligible, block) => Err(filter.reason),
            _ => Ok(()),
        }
    }

    /// Whether the reason of the filter at a position is `reason` or an earlier one.
    #[inline]
    fn is_up_to(&self, position: usize, reason: NoBidReason) -> bool {
        self.all.get(position).is_some_and(|filter| filter.reason <= reason)
    }

    /// Removes the campaigns that do not pass a filter whose reason is `reason` or an earlier one.
    pub(super) fn narrow_up_to(&mut self, eligible: &mut Bits, block: usize, reason: NoBidReason) {
        for position in 0..self.all.len() {
            if self.is_up_to(position, reason) && self.narrow_by(position, eligible, block).is_err() {
                return;
            }
        }
    }
}

impl<'a> Filter<'a> {
    /// Removes the campaigns of a block that do not pass. Returns whether any is left.
    #[inline]
    fn narrow(&self, sets: &mut [PostingSet<'a>], meter: &Meter, eligible: &mut Bits, block: usize) -> bool {
        meter.charge(work::of_sets(self.end - self.begin));
        // The common case: the request's value is absent or no campaign lists it.
        if self.begin == self.end {
            return keep(eligible, &self.base.block(block));
        }
        self.narrow_by_sets(sets.get_mut(self.begin..self.end).unwrap_or_default(), eligible, block)
    }

    #[inline(never)]
    fn narrow_by_sets(&self, sets: &mut [PostingSet<'a>], eligible: &mut Bits, block: usize) -> bool {
        let (mut included, mut excluded) = (self.base.block(block), EMPTY);
        for set in sets {
            set.members.add_to(if set.excluded { &mut excluded } else { &mut included }, block);
        }
        included.iter_mut().zip(&excluded).for_each(|(included, excluded)| *included &= !excluded);
        keep(eligible, &included)
    }
}

impl Base<'_> {
    #[inline]
    fn block(&self, block: usize) -> Bits {
        match self {
            Base::Empty => EMPTY,
            Base::All => [u64::MAX; BLOCK_WORDS],
            Base::Bitset(all, _) => all.blocks().get(block).map_or(EMPTY, bits),
        }
    }
}

/// Keeps the campaigns that are in `passing` too. Returns whether any is left.
#[inline]
fn keep(eligible: &mut Bits, passing: &Bits) -> bool {
    let mut left = 0;
    for (eligible, passing) in eligible.iter_mut().zip(passing) {
        *eligible &= passing;
        left |= *eligible;
    }
    left != 0
}

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
