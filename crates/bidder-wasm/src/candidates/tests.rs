//! What a dimension costs in every block: how many sets are asked there, and in which order.

use bumpalo::Bump;

use super::part::Members;
use super::term::{Base, Terms};
use crate::catalog::index::{BLOCK, BLOCK_WORDS, SetDraft};
use crate::flat::{Laid, Wide};
use crate::no_bid::NoBidReason as R;
use crate::work::Meter;

/// So many small sets of so many campaigns.
fn sets(count: u32, campaigns: usize) -> Vec<Laid<SetDraft>> {
    let set = |first| SetDraft { members: Wide(vec![first, first + 600]), of: campaigns };
    (0..count).map(|first| Laid::out(&set(first))).collect()
}

/// One dimension that includes and excludes these.
fn terms<'a>(
    blocks: usize,
    included: &'a [Laid<SetDraft>],
    excluded: &'a [Laid<SetDraft>],
    arena: &'a Bump,
) -> Terms<'a> {
    let mut terms = Terms::new(blocks * BLOCK, 1, arena.alloc(Meter::new(usize::MAX)), arena);
    terms.begin(R::Tagid, Base::Everybody);
    for set in included {
        terms.include(set.view());
    }
    for set in excluded {
        terms.exclude(set.view());
    }
    terms.end();
    terms.order();
    terms
}

#[test]
fn small_sets_are_put_together_beyond_the_first_where_blocks_are_few_and_else_beyond_the_eighth() {
    let arena = Bump::new();
    for (blocks, parts) in [(1, 2 * 2), (4, 2 * 2), (5, 2 * 9), (50, 2 * 9)] {
        let (included, excluded) = (sets(20, blocks * BLOCK), sets(9, blocks * BLOCK));
        let terms = terms(blocks, &included, &excluded, &arena);
        assert_eq!(terms.parts.len(), parts, "{blocks} blocks");
        assert_eq!(terms.fewest_first.is_empty(), blocks <= 4, "{blocks} blocks");
    }
}

#[test]
fn four_sets_of_a_kind_are_put_together_behind_the_eighth_block() {
    let arena = Bump::new();
    for (included, excluded, left) in [(3, 4, 3 + 1), (4, 3, 1 + 3), (3, 3, 6), (5, 6, 2)] {
        let (included, excluded) = (sets(included, 10 * BLOCK), sets(excluded, 10 * BLOCK));
        let mut terms = terms(10, &included, &excluded, &arena);
        // A set that was put together with others is an empty one.
        let asked = |terms: &Terms<'_>| {
            let is_asked = |members: &Members<'_>| !matches!(members, Members::Rest(rest) if rest.is_empty());
            terms.parts.iter().filter(|part| is_asked(&part.members)).count()
        };
        for (block, expected) in [(7, included.len() + excluded.len()), (8, left)] {
            terms.narrow(&mut [u64::MAX; BLOCK_WORDS], block, &mut R::NoCampaign);
            assert_eq!(asked(&terms), expected, "block {block}");
        }
    }
}
