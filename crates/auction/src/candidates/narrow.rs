//! Applies filters to a block of campaigns, and finds the reason of the campaign that passes the most filters.

use super::filter::{Base, Filter, Filters};
use super::posting_set::{Members, PostingSet};
use base::ranked;
use catalog::index::{BLOCK_WORDS, Bits, EMPTY, bits};
use reasons::no_bid::NoBidReason;
use rules::work::{self, Meter};

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
        let Filters { all, sets, meter, fewest_first, .. } = self;
        // The filters up to `closest` may run in any order, because only later reasons count.
        for filter in fewest_first.iter().filter_map(|word| all.get(ranked::number(*word))) {
            if filter.reason <= *closest && !filter.narrow(sets, meter, eligible, block) {
                return;
            }
        }
        let (closest_before, is_sorted) = (*closest, !fewest_first.is_empty());
        let is_left = |reason| match reason {
            // `fewest_first` leaves it out.
            NoBidReason::MediaType => closest_before <= reason,
            _ => closest_before < reason,
        };
        let mut left = all.iter().filter(|filter| !is_sorted || is_left(filter.reason));
        let failed = left.find(|filter| !filter.narrow(sets, meter, eligible, block));
        *closest = failed.map_or(*closest, |filter| filter.reason.max(*closest));
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

    /// Removes the campaigns that do not pass a filter whose reason is `reason` or an earlier one.
    pub(super) fn narrow_up_to(&mut self, eligible: &mut Bits, block: usize, reason: NoBidReason) {
        let Filters { all, sets, meter, .. } = self;
        let mut due = all.iter().filter(|filter| filter.reason <= reason);
        due.find(|filter| !filter.narrow(sets, meter, eligible, block));
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
