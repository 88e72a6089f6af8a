//! Filters: the dimensions of one request or impression, each with the posting sets that its values selected.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use super::posting_set::{Members, PostingSet, set_members};
use base::ranked::{self, ranked};
use catalog::index::{BLOCK, BLOCK_WORDS, Bitset, Dimension, PostingList, Postings};
use reasons::no_bid::NoBidReason;
use rules::work::{self, Meter};

/// The dimensions that a campaign has to pass, in the order of the checks.
pub(super) struct Filters<'a> {
    pub(super) meter: &'a Meter,
    pub(super) arena: &'a Bump,
    /// How many campaigns the catalog has.
    pub(super) campaigns: usize,
    /// How many blocks the campaigns take.
    pub(super) blocks: usize,
    pub(super) all: Vec<'a, Filter<'a>>,
    /// The posting sets of all filters, in the order of the filters.
    pub(super) sets: Vec<'a, PostingSet<'a>>,
    /// Whether [`Filters::merge`] has run.
    pub(super) is_merged: bool,
    /// The positions of the filters in `all`, sorted: the filter that the fewest campaigns pass comes first. Empty if
    /// there are few blocks.
    pub(super) fewest_first: Vec<'a, u64>,
    /// The earliest reason of the filters that no campaign of the catalog passes. No campaign has a later reason.
    pub(super) ceiling: Option<NoBidReason>,
}

/// What an impression checks besides the filters of the request.
pub(crate) struct ImpFilters<'a> {
    /// The checks for every bid. A campaign passes the check for deals if it may bid under a deal or without one.
    pub(super) filters: Filters<'a>,
    /// The campaigns that may bid without a deal; `None` if all that pass `filters` may.
    pub(super) open: Option<Filters<'a>>,
    /// The campaigns that have a deal of the impression; `None` if no campaign has one.
    pub(super) deal: Option<Filters<'a>>,
    /// What creatives require. Computed only after many candidates got no bid, because it takes time. A campaign that
    /// fails cannot bid; a campaign that passes may still have no fitting creative.
    pub(super) requirements: Option<Filters<'a>>,
}

/// One dimension. A campaign passes if it is in `base` or in an included posting set, and in no excluded one.
pub(super) struct Filter<'a> {
    /// The reason of a campaign that does not pass.
    pub(super) reason: NoBidReason,
    /// At most this many campaigns pass.
    pub(super) max_count: usize,
    /// An estimate of how many campaigns pass.
    likely_count: usize,
    pub(super) base: Base<'a>,
    /// Where the filter's posting sets begin in [`Filters::sets`], and where they end.
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// The campaigns that pass a filter if they are in no posting set.
#[derive(Clone, Copy)]
pub(super) enum Base<'a> {
    Empty,
    All,
    /// The campaigns of a bitset, and how many there are.
    Bitset(Bitset<'a>, usize),
}

/// In a large catalog, a filter reads at most this many sorted lists of included campaigns block by block, and as many
/// of excluded campaigns. It merges further lists, because each list costs something in every block.
const MAX_CURSORS: usize = 8;

/// In a catalog with no more blocks than this, it does not pay off to sort the filters, or to read a second sorted list
/// block by block.
const FEW_BLOCKS: usize = 4;

impl<'a> Base<'a> {
    /// The campaigns that accept any value of a dimension.
    #[inline]
    pub(super) fn of(dimension: &Dimension<'a>) -> Base<'a> {
        dimension.accept_any.map_or(Base::All, |campaigns| Base::Bitset(campaigns, dimension.accept_any_count))
    }
}

impl<'a> Filters<'a> {
    /// No filters yet, with room for about `capacity` of them.
    pub(super) fn new(campaigns: usize, capacity: usize, meter: &'a Meter, arena: &'a Bump) -> Filters<'a> {
        let blocks = campaigns.div_ceil(BLOCK);
        let (all, sets) = (Vec::with_capacity_in(capacity, arena), Vec::with_capacity_in(capacity, arena));
        Filters {
            meter,
            arena,
            campaigns,
            blocks,
            all,
            sets,
            is_merged: false,
            fewest_first: Vec::new_in(arena),
            ceiling: None,
        }
    }

    /// Begins a dimension.
    #[inline]
    pub(super) fn begin(&mut self, reason: NoBidReason, base: Base<'a>) {
        let count = match base {
            Base::Empty => 0,
            Base::All => self.campaigns,
            Base::Bitset(_, count) => count,
        };
        let at = self.sets.len();
        self.all.push(Filter { reason, max_count: count, likely_count: count, base, begin: at, end: at });
    }

    /// Ends the dimension that was begun last; removes it if all campaigns pass.
    pub(super) fn end(&mut self) {
        if self.all.last().is_some_and(|filter| matches!(filter.base, Base::All) && filter.begin == filter.end) {
            self.all.pop();
        }
    }

    /// Adds a dimension in which no campaign lists the request's value.
    #[inline]
    pub(super) fn add_unmatched(&mut self, dimension: &Dimension<'a>) {
        if let Some(campaigns) = dimension.accept_any {
            self.begin(dimension.reason, Base::Bitset(campaigns, dimension.accept_any_count));
        }
    }

    /// Adds both posting lists of a value to the last dimension.
    #[inline]
    pub(super) fn add(&mut self, postings: Postings<'a>) {
        self.include(postings.include());
        self.exclude(postings.exclude());
    }

    /// Adds campaigns that pass the last dimension.
    #[inline]
    pub(super) fn include(&mut self, campaigns: PostingList<'a>) {
        self.add_list(campaigns, false);
    }

    /// Adds campaigns that do not pass the last dimension.
    #[inline]
    pub(super) fn exclude(&mut self, campaigns: PostingList<'a>) {
        self.add_list(campaigns, true);
    }

    #[inline]
    fn add_list(&mut self, list: PostingList<'a>, excluded: bool) {
        let count = list.count();
        if count > 0 {
            self.add_some(list, count, excluded);
        }
    }

    fn add_some(&mut self, list: PostingList<'a>, count: usize, excluded: bool) {
        let Some(filter) = self.all.last_mut() else { return };
        if excluded {
            filter.likely_count = filter.likely_count.saturating_sub(count);
            filter.max_count = filter.max_count.min(self.campaigns.saturating_sub(count));
        } else {
            filter.likely_count = filter.likely_count.saturating_add(count);
            filter.max_count = filter.max_count.saturating_add(count);
        }
        let own = self.sets.get_mut(filter.begin..).unwrap_or_default();
        self.meter.charge(work::of_list(own.len()));
        let mut alike = own.iter_mut().filter(|set| set.excluded == excluded);
        let members = match list {
            PostingList::Bitset(bitset, _) => {
                if alike.any(|set| matches!(set.members, Members::Bitset(own) if own.is_same(bitset))) {
                    return;
                }
                Members::Bitset(bitset)
            }
            PostingList::Sorted(members) => {
                let members = members.records().as_chunks().0;
                let cursors = alike.filter(|set| matches!(set.members, Members::Sorted(_))).count();
                let max_cursors = if self.blocks > FEW_BLOCKS { MAX_CURSORS } else { 1 };
                if cursors < max_cursors {
                    Members::sorted(members)
                } else {
                    return self.merge_list(members, excluded);
                }
            }
        };
        self.sets.push(PostingSet { excluded, members });
        filter.end = self.sets.len();
    }

    /// Adds a sorted list to the merged posting set of the last dimension.
    #[inline(never)]
    fn merge_list(&mut self, members: &[[u8; 4]], excluded: bool) {
        let Some(filter) = self.all.last_mut() else { return };
        self.meter.charge(work::of_members(members.len()));
        let merged = self.sets.iter_mut().skip(filter.begin).find_map(|set| match &mut set.members {
            Members::Merged(merged) if set.excluded == excluded => Some(merged),
            _ => None,
        });
        if let Some(merged) = merged {
            set_members(merged, members);
            return;
        }
        self.meter.charge(work::of_members(self.blocks));
        let merged = self.arena.alloc_slice_fill_copy(self.blocks, [0; BLOCK_WORDS]);
        set_members(merged, members);
        self.sets.push(PostingSet { excluded, members: Members::Merged(merged) });
        filter.end = self.sets.len();
    }

    /// Prepares the filters for [`Filters::narrow`], after the last dimension was added.
    pub(super) fn finish(&mut self) {
        self.update_ceiling();
        if self.blocks > FEW_BLOCKS {
            // A campaign that passes the size passes the media type too.
            let all = self.all.iter().enumerate().filter(|(_, filter)| filter.reason != NoBidReason::MediaType);
            self.fewest_first.extend(all.map(|(position, filter)| ranked(filter.likely_count, position)));
            ranked::sort(&mut self.fewest_first);
        }
    }

    pub(super) fn update_ceiling(&mut self) {
        self.ceiling = self.all.iter().filter(|filter| filter.max_count == 0).map(|filter| filter.reason).min();
    }
}
