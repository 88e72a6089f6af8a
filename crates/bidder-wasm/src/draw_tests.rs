//! The order against a dull twin: every place once, by worth, and each equal as often in front as any other.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::catalog::index::BLOCK_WORDS;
use crate::flat::{Laid, Wide};

/// All places, in the order in which they are looked at.
fn order(worth: &[i64], id: &str) -> Vec<usize> {
    order_without(worth, id, |_| false)
}

/// Those in blocks that are not empty.
fn order_without(worth: &[i64], id: &str, is_empty: impl Fn(usize) -> bool) -> Vec<usize> {
    let (laid, arena, meter) = (Laid::out(&Wide(worth.to_vec())), Bump::new(), Meter::new(usize::MAX));
    let draw = Draw::new(id, 0);
    let (mut order, mut places) = (Order::new(laid.view(), draw), Vec::new());
    while let Some(stretch) = order.next(&is_empty) {
        let bits = if is_empty(stretch.block) { [0; BLOCK_WORDS] } else { [u64::MAX; BLOCK_WORDS] };
        places.extend(Drawn::new(bits, &stretch, laid.view(), draw, &meter, &arena));
    }
    places
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
    fn each_comes_once_and_none_before_a_dearer_one(
        runs in prop::collection::vec((1_usize..700, 1_i64..3), 1..9), id in "[a-z]{0,9}",
    ) {
        let worth = worth_of(runs);
        let order = order(&worth, &id);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..worth.len()).collect::<Vec<_>>());
        prop_assert!(order.iter().map(|place| worth[*place]).is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn leaving_empty_blocks_out_changes_nothing_about_the_others(
        runs in prop::collection::vec((1_usize..1500, 1_i64..3), 1..7), empty in any::<u16>(), id in "[a-z]{0,9}",
    ) {
        let worth = worth_of(runs);
        let is_empty = |block: usize| empty >> (block % 16) & 1 == 1;
        let mut expected = order(&worth, &id);
        expected.retain(|place| !is_empty(place / BLOCK));
        prop_assert_eq!(order_without(&worth, &id, is_empty), expected);
    }
}

/// Of `worth`, how often each place comes first in a thousand requests; only those that `may` bid.
fn firsts(worth: &[i64], may: impl Fn(usize) -> bool) -> BTreeMap<usize, i64> {
    let mut firsts = BTreeMap::new();
    for id in 0..1000 {
        let first = order(worth, &format!("request-{id}")).into_iter().find(|place| may(*place)).unwrap();
        *firsts.entry(first).or_default() += 1;
    }
    firsts
}

#[test]
fn equals_come_first_equally_often() {
    for (count, every) in [(2, 1), (3, 1), (5, 1), (3, 2), (9, 4)] {
        let firsts = firsts(&vec![7; count], |place| place % every == 0);
        let eligible = i64::try_from(count.div_ceil(every)).unwrap();
        assert_eq!(firsts.len(), count.div_ceil(every));
        for (place, times) in firsts {
            // Four times the standard deviation: n p (1 - p), with n = 1000 and p = 1 / eligible.
            let (off, variance) = (times * eligible - 1000, 1000 * (eligible - 1));
            assert!(off * off <= 16 * variance, "{place} of {count}: {times} times");
        }
    }
}

#[test]
fn a_run_over_several_blocks_begins_in_each() {
    let mut worth = vec![9; 300];
    worth.extend(vec![7; 4 * BLOCK]);
    worth.extend(vec![5; 100]);
    let firsts = firsts(&worth, |place| place >= 300);
    let blocks: std::collections::BTreeSet<_> = firsts.keys().map(|place| place / BLOCK).collect();
    assert_eq!(blocks, (0..5).collect());
    assert!(firsts.len() > 600, "{} of {} came first", firsts.len(), 4 * BLOCK);
}

#[test]
fn impressions_are_drawn_for_independently() {
    let same = (0..1000).filter(|id| {
        let lots = |imp| [0, 1].map(|number| Draw::new(&format!("request-{id}"), imp).lot(number));
        (lots(0)[0] < lots(0)[1]) == (lots(1)[0] < lots(1)[1])
    });
    assert!((400..600).contains(&same.count()));
}
