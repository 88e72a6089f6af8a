//! What a set of campaigns is found by.

use crate::kind::kind_of;
use crate::no_bid::NoBidReason;

/// A value of a dimension: the reason for which a campaign that does not fit it stays out, and the
/// value itself, in one or two parts.
#[derive(Debug, Clone, Copy)]
pub struct Key<'k> {
    /// The dimension.
    pub reason: NoBidReason,
    /// The value, or its first part.
    pub a: &'k [u8],
    /// The second part of a value of two.
    pub b: &'k [u8],
}

/// The other dimensions whose texts mean the same in any case of letters.
const FOLDED: [NoBidReason; 6] = [
    NoBidReason::Badv,
    NoBidReason::Bcat,
    NoBidReason::Bapp,
    NoBidReason::Acat,
    NoBidReason::Mimes,
    NoBidReason::Wlang,
];

/// Whether the texts of a dimension mean the same in any case of letters, by its number.
#[allow(clippy::indexing_slicing, reason = "while compiling")]
static FOLDS: [bool; NoBidReason::ALL.len()] = {
    let mut folds = [false; NoBidReason::ALL.len()];
    let mut number = 0;
    while number < folds.len() {
        folds[number] = matches!(kind_of(NoBidReason::ALL[number]), Some(kind) if kind.folds());
        number += 1;
    }
    let mut rest = FOLDED.as_slice();
    while let Some((reason, others)) = rest.split_first() {
        folds[*reason as usize] = true;
        rest = others;
    }
    folds
};

/// The bytes of a number as a part of a key.
#[inline]
pub fn number_key(number: i64) -> [u8; 8] {
    number.to_le_bytes()
}

impl<'k> Key<'k> {
    /// A value of one part.
    #[inline]
    pub fn of(reason: NoBidReason, a: &'k str) -> Key<'k> {
        Key { reason, a: a.as_bytes(), b: b"" }
    }

    /// Whether the case of a letter makes no difference.
    #[inline]
    pub fn folds(&self) -> bool {
        FOLDS.get(self.reason as usize) == Some(&true)
    }

    /// Whether it equals a stored key of the same dimension. Stored keys of folded dimensions are in lower case.
    #[inline]
    pub fn is(&self, a: &[u8], b: &[u8]) -> bool {
        if self.folds() {
            is_alike(self.a, a, small) && is_alike(self.b, b, small)
        } else {
            is_alike(self.a, a, |word| word) && is_alike(self.b, b, |word| word)
        }
    }

    /// Equal for keys that mean the same.
    #[inline]
    pub fn hash(&self) -> u32 {
        // Bit 5 is the case of a letter. That it folds some other characters too does not matter here.
        let fold = if self.folds() { 0x2020_2020_2020_2020 } else { 0 };
        let mut hash = mix(self.reason as u64 + 1, self.a, fold);
        if !self.b.is_empty() {
            hash = mix(hash, self.b, fold);
        }
        // A product's bits depend on lower ones only, so the upper half is the better mixed one.
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD);
        u32::try_from(hash >> 32).unwrap_or_default()
    }
}

/// An odd number whose bits look random.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes a text into a hash, eight bytes at a time; `fold` is set in all of them.
#[inline]
fn mix(before: u64, text: &[u8], fold: u64) -> u64 {
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ (word | fold)).wrapping_mul(SPREAD);
    let words = whole_words(text).iter().map(|word| u64::from_le_bytes(*word));
    step(words.fold(before ^ text.len() as u64, step), last_word(text))
}

/// Whether two texts are equal once `change` is made to each eight bytes of the first one.
#[inline]
fn is_alike(told: &[u8], own: &[u8], change: impl Fn(u64) -> u64) -> bool {
    told.len() == own.len()
        && whole_words(told)
            .iter()
            .zip(whole_words(own))
            .all(|(told, own)| change(u64::from_le_bytes(*told)) == u64::from_le_bytes(*own))
        && change(last_word(told)) == last_word(own)
}

/// Eight bytes at a time, without the last byte: that is in [`last_word`].
#[inline]
fn whole_words(text: &[u8]) -> &[[u8; 8]] {
    text.split_last().map_or(&[], |(_, all_but_last)| all_but_last.as_chunks().0)
}

/// The last eight bytes, or all of a shorter text.
#[inline]
fn last_word(text: &[u8]) -> u64 {
    if let Some(last) = text.last_chunk() {
        return u64::from_le_bytes(*last);
    }
    match (text, text.first_chunk(), text.last_chunk()) {
        (_, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        ([a, b, c], ..) => u64::from(u32::from_le_bytes([*a, *b, *c, 0])),
        ([a, b], ..) => u64::from(u16::from_le_bytes([*a, *b])),
        ([a], ..) => u64::from(*a),
        _ => 0,
    }
}

/// Eight bytes with their ASCII capitals made small.
#[inline]
fn small(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = word & (0x7f * EACH);
    let from_a = low + (0x80 - 0x41) * EACH;
    let beyond_z = low + (0x80 - 0x5b) * EACH;
    word | (from_a & !beyond_z & !word & (0x80 * EACH)) >> 2
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a failed test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key<'a>(reason: NoBidReason, a: &'a str, b: &'a str) -> Key<'a> {
        Key { reason, a: a.as_bytes(), b: b.as_bytes() }
    }

    proptest! {
        #[test]
        fn keys_that_mean_the_same_hash_alike(a in "[a-zA-Z0-9.@\\[é-]{0,20}", b in "[a-z]{0,9}") {
            let (upper, lower) = (a.to_ascii_uppercase(), a.to_ascii_lowercase());
            let key = |a| key(NoBidReason::Domain, a, &b);
            prop_assert!(key(&upper).is(lower.as_bytes(), b.as_bytes()));
            prop_assert_eq!(key(&upper).hash(), key(&lower).hash());
        }

        /// Held against what the standard library says.
        #[test]
        fn keys_are_alike_as_texts_are(own in "[a-z0-9é@\\[{]{0,20}", told in "[a-zA-Z0-9éÉ@\\[{]{0,20}", case: bool) {
            for told in [&told, &own.to_ascii_uppercase(), &if case { own.clone() } else { own.replace('a', "A") }] {
                let is = |reason| key(reason, told, "").is(own.as_bytes(), b"");
                prop_assert_eq!(is(NoBidReason::City), told.to_ascii_lowercase() == own, "{} {}", told, own);
                prop_assert_eq!(is(NoBidReason::Deal), *told == own);
            }
        }

        #[test]
        fn numbers_are_alike_when_they_are_equal(one: i64, other in prop_oneof![Just(66_i64), Just(98), any::<i64>()]) {
            let (told, own) = (number_key(one), number_key(other));
            prop_assert_eq!(Key { reason: NoBidReason::Size, a: &told, b: &own }.is(&own, &told), one == other);
        }
    }

    /// The table looks at one place after the other, so values must not crowd.
    #[test]
    fn hashes_spread_over_the_table() {
        const PLACES: usize = 1 << 14;
        // Thrown at random, 8,000 would take 6,330.
        const ENOUGH: usize = 6_000;
        let texts = |spell: fn(u32) -> String| (0..8_000).map(spell).collect::<Vec<_>>();
        let kinds = [
            texts(|n| n.to_string()),
            texts(|n| format!("{n}.site.example")),
            texts(|n| format!("placement-{n:08}-top")),
            texts(|n| format!("東京都-{n}")),
            texts(|n| "ab".repeat(n as usize % 100) + &(n / 100).to_string()),
        ];
        let taken = |hashes: &mut dyn Iterator<Item = u32>| {
            let mut taken = vec![false; PLACES];
            hashes.for_each(|hash| taken[hash as usize % PLACES] = true);
            taken.iter().filter(|taken| **taken).count()
        };
        for (kind, texts) in kinds.iter().enumerate() {
            for reason in [NoBidReason::Id, NoBidReason::Domain] {
                let first = taken(&mut texts.iter().map(|text| key(reason, text, "").hash()));
                let second = taken(&mut texts.iter().map(|text| key(reason, "", text).hash()));
                assert!(first > ENOUGH && second > ENOUGH, "{kind}, {reason:?}: {first} and {second} places");
            }
        }
        let size = |w, h| Key { reason: NoBidReason::Size, a: &number_key(w), b: &number_key(h) }.hash();
        let sizes = taken(&mut (0..8_000).map(|n| size(n % 100 * 10, n / 100 * 10)));
        assert!(sizes > ENOUGH, "{sizes} places");
        assert_ne!(Key::of(NoBidReason::Id, "a").hash(), Key::of(NoBidReason::Tagid, "a").hash());
    }

    #[test]
    fn ids_differ_by_the_case_of_a_letter() {
        assert!(!Key::of(NoBidReason::Deal, "A").is(b"a", b""));
    }

    #[test]
    fn keys_differ_in_either_part() {
        let one = key(NoBidReason::Domain, "A", "B");
        assert!(one.is(b"a", b"b"));
        assert!(!one.is(b"x", b"b") && !one.is(b"a", b"x"));
    }
}
