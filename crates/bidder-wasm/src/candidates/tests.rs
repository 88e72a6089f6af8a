//! How many posting sets a filter reads in each block.

use bumpalo::Bump;

use super::filter::{Base, Filters};
use super::narrow::Members;
use crate::catalog::index::{BLOCK, BLOCK_WORDS, PostingListDraft};
use crate::flat::Laid;
use crate::no_bid::NoBidReason as R;
use crate::work::Meter;

/// `count` short posting lists.
fn lists(count: u32, campaigns: usize) -> Vec<Laid<PostingListDraft>> {
    let list = |first| PostingListDraft::new(vec![first, first + 600], campaigns);
    (0..count).map(|first| Laid::out(&list(first))).collect()
}

/// One filter that includes and excludes these lists.
fn filters<'a>(
    blocks: usize,
    included: &'a [Laid<PostingListDraft>],
    excluded: &'a [Laid<PostingListDraft>],
    arena: &'a Bump,
) -> Filters<'a> {
    let mut filters = Filters::new(blocks * BLOCK, 1, arena.alloc(Meter::new(usize::MAX)), arena);
    filters.begin(R::Tagid, Base::All);
    for list in included {
        filters.include(list.view());
    }
    for list in excluded {
        filters.exclude(list.view());
    }
    filters.end();
    filters.finish();
    filters
}

#[test]
fn short_lists_are_merged_beyond_one_with_few_blocks_and_beyond_eight_with_many() {
    let arena = Bump::new();
    for (blocks, expected) in [(1, 2 * 2), (4, 2 * 2), (5, 2 * 9), (50, 2 * 9)] {
        let (included, excluded) = (lists(20, blocks * BLOCK), lists(9, blocks * BLOCK));
        let filters = filters(blocks, &included, &excluded, &arena);
        assert_eq!(filters.sets.len(), expected, "{blocks} blocks");
        assert_eq!(filters.fewest_first.is_empty(), blocks <= 4, "{blocks} blocks");
    }
}

#[test]
fn four_sets_of_a_kind_are_merged_after_the_eighth_block() {
    let arena = Bump::new();
    for (included, excluded, left) in [(3, 4, 3 + 1), (4, 3, 1 + 3), (3, 3, 6), (5, 6, 2)] {
        let (included, excluded) = (lists(included, 10 * BLOCK), lists(excluded, 10 * BLOCK));
        let mut filters = filters(10, &included, &excluded, &arena);
        // Merging leaves an empty set in place of each set but the last.
        let read = |filters: &Filters<'_>| {
            let is_read = |members: &Members<'_>| !matches!(members, Members::Merged(merged) if merged.is_empty());
            filters.sets.iter().filter(|set| is_read(&set.members)).count()
        };
        for (block, expected) in [(7, included.len() + excluded.len()), (8, left)] {
            filters.narrow(&mut [u64::MAX; BLOCK_WORDS], block, &mut R::NoCampaign);
            assert_eq!(read(&filters), expected, "block {block}");
        }
    }
}
