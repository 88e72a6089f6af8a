//! Sorts numbers by a rank; numbers of equal rank ascend.
//!
//! A 64-bit word holds a number and its rank, so the module needs only one sort function. The standard library's
//! function takes several kilobytes for each type.

/// A word for a number and its rank. Both are below 2^32; a greater value counts as 2^32 - 1.
pub fn ranked(rank: usize, number: usize) -> u64 {
    let low = |value: usize| u64::from(u32::try_from(value).unwrap_or(u32::MAX));
    low(rank) << 32 | low(number)
}

/// The number in a word of [`ranked`].
pub fn number(word: u64) -> usize {
    usize::try_from(word & u64::from(u32::MAX)).unwrap_or_default()
}

/// Sorts words of [`ranked`], the lowest rank first.
#[inline(never)]
pub fn sort(words: &mut [u64]) {
    words.sort_unstable();
}

/// The numbers in sorted words that have this rank.
pub fn of_rank(words: &[u64], rank: usize) -> impl Iterator<Item = usize> {
    let from = words.partition_point(|word| *word < ranked(rank, 0));
    let rest = words.get(from..).unwrap_or_default();
    rest.iter().take_while(move |word| **word >> 32 == rank as u64).map(|word| number(*word))
}

/// A rank for a text, for searches: the upper half of its hash.
pub fn rank_of(hash: u64) -> usize {
    usize::try_from(hash >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_sorted_by_rank(mut pairs in prop::collection::vec((0_usize..9, any::<u32>()), 0..40)) {
            let mut words: Vec<u64> = pairs.iter().map(|(rank, own)| ranked(*rank, *own as usize)).collect();
            sort(&mut words);
            pairs.sort_unstable();
            let numbers: Vec<usize> = words.into_iter().map(number).collect();
            prop_assert_eq!(numbers, pairs.into_iter().map(|(_, own)| own as usize).collect::<Vec<_>>());
        }
    }
}
