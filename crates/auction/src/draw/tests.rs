//! The order has every campaign once, by worth, and each of several equal campaigns comes first equally often.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use catalog::index::BLOCK_WORDS;
use flat::{Laid, Wide};

/// The positions of all campaigns, in the order of the search.
fn order(worth: &[i64], id: &str) -> Vec<usize> {
    order_without(worth, id, |_| false)
}

/// The positions in blocks that are not empty.
fn order_without(worth: &[i64], id: &str, is_empty: impl Fn(usize) -> bool) -> Vec<usize> {
    let (laid, arena, meter) = (Laid::out(&Wide(worth.to_vec())), Bump::new(), Meter::new(usize::MAX));
    let draw = Draw::new(id, 0);
    let runs = Runs::of(laid.view());
    let (mut order, mut positions) = (Order::new(&runs, worth.len(), draw), Vec::new());
    while let Some(chunk) = order.next(&is_empty) {
        let bits = if is_empty(chunk.block) { [0; BLOCK_WORDS] } else { [u64::MAX; BLOCK_WORDS] };
        positions.extend(Shuffled::new(bits, &chunk, (laid.view(), List::default()), draw, &meter, &arena));
    }
    positions
}

fn worth_of(runs: Vec<(usize, i64)>) -> Vec<i64> {
    let (mut worth, mut most) = (Vec::new(), 1_000_000);
    for (length, step) in runs {
        most -= step;
        worth.extend(vec![most; length]);
    }
    worth
}

proptest! {
    #[test]
    fn each_campaign_comes_once_and_none_before_one_of_higher_worth(
        runs in prop::collection::vec((1_usize..700, 1_i64..3), 1..9), id in "[a-z]{0,9}",
    ) {
        let worth = worth_of(runs);
        let order = order(&worth, &id);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..worth.len()).collect::<Vec<_>>());
        prop_assert!(order.iter().map(|position| worth[*position]).is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn skipping_empty_blocks_does_not_change_the_order_of_the_others(
        runs in prop::collection::vec((1_usize..1500, 1_i64..3), 1..7), empty in any::<u16>(), id in "[a-z]{0,9}",
    ) {
        let worth = worth_of(runs);
        let is_empty = |block: usize| empty >> (block % 16) & 1 == 1;
        let mut expected = order(&worth, &id);
        expected.retain(|position| !is_empty(position / BLOCK));
        prop_assert_eq!(order_without(&worth, &id, is_empty), expected);
    }
}

/// How often each position comes first in a thousand requests, among those that are `eligible`.
fn firsts(worth: &[i64], eligible: impl Fn(usize) -> bool) -> BTreeMap<usize, i64> {
    let mut firsts = BTreeMap::new();
    for id in 0..1000 {
        let first = order(worth, &format!("request-{id}")).into_iter().find(|position| eligible(*position)).unwrap();
        *firsts.entry(first).or_default() += 1;
    }
    firsts
}

#[test]
fn equal_campaigns_come_first_equally_often() {
    for (count, every) in [(2, 1), (3, 1), (5, 1), (3, 2), (9, 4)] {
        let firsts = firsts(&vec![7; count], |position| position % every == 0);
        let eligible = i64::try_from(count.div_ceil(every)).unwrap();
        assert_eq!(firsts.len(), count.div_ceil(every));
        for (position, times) in firsts {
            // At most four standard deviations off. The variance is n p (1 - p), with n = 1000 and p = 1 / eligible.
            let (off, variance) = (times * eligible - 1000, 1000 * (eligible - 1));
            assert!(off * off <= 16 * variance, "{position} of {count}: {times} times");
        }
    }
}

#[test]
fn a_run_over_several_blocks_may_start_in_each() {
    let mut worth = vec![9; 300];
    worth.extend(vec![7; 4 * BLOCK]);
    worth.extend(vec![5; 100]);
    let firsts = firsts(&worth, |position| position >= 300);
    let blocks: std::collections::BTreeSet<_> = firsts.keys().map(|position| position / BLOCK).collect();
    assert_eq!(blocks, (0..5).collect());
    assert!(firsts.len() > 600, "{} of {} came first", firsts.len(), 4 * BLOCK);
}

#[test]
fn the_draws_of_two_impressions_are_independent() {
    let same = (0..1000).filter(|id| {
        let lots = |imp| [0, 1].map(|number| Draw::new(&format!("request-{id}"), imp).lot(number));
        (lots(0)[0] < lots(0)[1]) == (lots(1)[0] < lots(1)[1])
    });
    assert!((400..600).contains(&same.count()));
}

#[test]
fn another_campaign_does_not_change_the_order_of_equal_ones() {
    let order = |ids: &[u32], request: &str| {
        let (worth, own) = (Laid::out(&Wide(vec![1; ids.len()])), Laid::out(&Wide(ids.to_vec())));
        let (arena, meter, draw) = (Bump::new(), Meter::new(usize::MAX), Draw::new(request, 0));
        let chunk = Chunk { block: 0, positions: 0..ids.len() };
        let drawn = Shuffled::new([u64::MAX; BLOCK_WORDS], &chunk, (worth.view(), own.view()), draw, &meter, &arena);
        drawn.filter_map(|position| ids.get(position).copied()).collect::<Vec<u32>>()
    };
    for request in 0..100 {
        let request = format!("r{request}");
        let mut all = order(&[7, 11, 13, 17, 19], &request);
        all.retain(|id| *id != 7);
        assert_eq!(all, order(&[11, 13, 17, 19], &request));
    }
}
