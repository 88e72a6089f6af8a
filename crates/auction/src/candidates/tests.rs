//! How many posting sets a filter reads in each block.

use bumpalo::Bump;

use super::filter::{Base, Filters};
use super::posting_set::Members;
use catalog::index::{BLOCK, BLOCK_WORDS, PostingListDraft};
use flat::Laid;
use reasons::no_bid::NoBidReason as R;
use rules::work::Meter;

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

/// A run of equal campaigns may start in any of its blocks, and both markets read the same filters.
#[test]
fn members_are_found_in_any_order_of_the_blocks() {
    const COUNT: u32 = 20;
    let (arena, campaigns) = (Bump::new(), 12 * BLOCK);
    let first = |block: usize| u32::try_from(block * BLOCK).unwrap();
    let list = |n| PostingListDraft::new([0, 9, 11].map(|block| first(block) + n).to_vec(), campaigns);
    let lists: Vec<_> = (0..COUNT).map(|n| Laid::out(&list(n))).collect();
    let all = [u64::MAX; BLOCK_WORDS];
    let mut listed = [0; BLOCK_WORDS];
    listed[0] = (1 << COUNT) - 1;
    for (included, excluded) in [(&lists[..], &[][..]), (&[], &lists[..])] {
        let mut filters = filters(12, included, excluded, &arena);
        if !included.is_empty() {
            filters.all[0].base = Base::Empty;
        }
        for block in [0, 0, 11, 9, 9, 7, 0, 9, 10, 11] {
            let mut eligible = all;
            filters.narrow_up_to(&mut eligible, block, R::Tagid);
            let of_block = if [0, 9, 11].contains(&block) { listed } else { [0; BLOCK_WORDS] };
            let expected = if included.is_empty() { of_block.map(|word: u64| !word) } else { of_block };
            assert_eq!(eligible, expected, "block {block}");
        }
        let mut eligible = all;
        filters.narrow(&mut eligible, 11, &mut { R::NoCampaign });
        assert!(filters.is_merged);
        assert_eq!(eligible, if included.is_empty() { listed.map(|word: u64| !word) } else { listed });
    }
}
