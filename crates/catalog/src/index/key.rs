//! Keys of the index: a dimension and a value, how they are compared and hashed.

use core::cmp::Ordering;

use reasons::kind::kind_of;
use reasons::no_bid::NoBidReason;

/// A value of a dimension, in one or two parts.
#[derive(Debug, Clone, Copy)]
pub struct Key<'k> {
    /// The dimension, by the reason of a campaign that does not fit.
    pub reason: NoBidReason,
    /// The value, or its first part.
    pub a: &'k [u8],
    /// The second part, or nothing.
    pub b: &'k [u8],
}

/// The dimensions that ignore case, besides those of targeting: see [`kind_of`].
const FOLDED: [NoBidReason; 6] = [
    NoBidReason::Badv,
    NoBidReason::Bcat,
    NoBidReason::Bapp,
    NoBidReason::Acat,
    NoBidReason::Mimes,
    NoBidReason::Wlang,
];

/// Whether a dimension ignores case, by the number of its reason.
#[allow(clippy::indexing_slicing, reason = "runs only in the compiler")]
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

    /// Whether the key's dimension ignores case.
    #[inline]
    pub fn folds(&self) -> bool {
        FOLDS.get(self.reason as usize) == Some(&true)
    }

    /// Whether the key equals a stored key of the same dimension. A stored key is in lower case if its dimension
    /// ignores case.
    #[inline]
    pub fn is(&self, a: &[u8], b: &[u8]) -> bool {
        if self.folds() {
            is_equal(self.a, a, to_lower) && is_equal(self.b, b, to_lower)
        } else {
            is_equal(self.a, a, |word| word) && is_equal(self.b, b, |word| word)
        }
    }

    /// How the key compares with a stored key of the same dimension, in the order in which the index stores keys.
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        let folds = self.folds();
        let fold = |byte: &u8| if folds { byte.to_ascii_lowercase() } else { *byte };
        self.a.iter().map(fold).cmp(a.iter().copied()).then_with(|| self.b.iter().map(fold).cmp(b.iter().copied()))
    }

    /// The same hash for keys that differ only in ignored case.
    #[inline]
    pub fn hash(&self) -> u32 {
        // Setting bit 5 makes letters lower case. It changes other characters too, which does no harm in a hash.
        let fold = if self.folds() { 0x2020_2020_2020_2020 } else { 0 };
        let mut hash = mix(self.reason as u64 + 1, self.a, fold);
        if !self.b.is_empty() {
            hash = mix(hash, self.b, fold);
        }
        // Each bit of a product depends only on the lower bits of the factors, so the upper half is more random: mix it
        // into the lower half.
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD);
        u32::try_from(hash >> 32).unwrap_or_default()
    }
}

/// An odd number with random-looking bits, to multiply by.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Adds a text to a hash, eight bytes at a time, with the bits of `fold` set.
#[inline]
fn mix(before: u64, text: &[u8], fold: u64) -> u64 {
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ (word | fold)).wrapping_mul(SPREAD);
    let words = whole_words(text).iter().map(|word| u64::from_le_bytes(*word));
    step(words.fold(before ^ text.len() as u64, step), last_word(text))
}

/// Whether two texts are equal after `change` of each eight bytes of the first.
#[inline]
fn is_equal(text: &[u8], stored: &[u8], change: impl Fn(u64) -> u64) -> bool {
    text.len() == stored.len()
        && whole_words(text)
            .iter()
            .zip(whole_words(stored))
            .all(|(word, stored)| change(u64::from_le_bytes(*word)) == u64::from_le_bytes(*stored))
        && change(last_word(text)) == last_word(stored)
}

/// The words of eight bytes before the last byte. [`last_word`] has the bytes after these words.
#[inline]
fn whole_words(text: &[u8]) -> &[[u8; 8]] {
    text.split_last().map_or(&[], |(_, all_but_last)| all_but_last.as_chunks().0)
}

/// The last eight bytes; of a shorter text, all bytes.
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

/// Eight bytes with ASCII capitals turned into lower case.
#[inline]
fn to_lower(word: u64) -> u64 {
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
        fn keys_that_differ_in_ignored_case_have_the_same_hash(a in "[a-zA-Z0-9.@\\[é-]{0,20}", b in "[a-z]{0,9}") {
            let (upper, lower) = (a.to_ascii_uppercase(), a.to_ascii_lowercase());
            let key = |a| key(NoBidReason::Domain, a, &b);
            prop_assert!(key(&upper).is(lower.as_bytes(), b.as_bytes()));
            prop_assert_eq!(key(&upper).hash(), key(&lower).hash());
        }

        /// The standard library is the reference.
        #[test]
        fn keys_are_equal_when_their_texts_are(
            stored in "[a-z0-9é@\\[{]{0,20}", text in "[a-zA-Z0-9éÉ@\\[{]{0,20}", case: bool,
        ) {
            let same = if case { stored.clone() } else { stored.replace('a', "A") };
            for text in [&text, &stored.to_ascii_uppercase(), &same] {
                let is = |reason| key(reason, text, "").is(stored.as_bytes(), b"");
                prop_assert_eq!(is(NoBidReason::City), text.to_ascii_lowercase() == stored, "{} {}", text, stored);
                prop_assert_eq!(is(NoBidReason::Deal), *text == stored);
                let order = |reason| key(reason, text, "").compare(stored.as_bytes(), b"");
                prop_assert_eq!(order(NoBidReason::City), text.to_ascii_lowercase().cmp(&stored));
                prop_assert_eq!(order(NoBidReason::Deal), (*text).cmp(&stored));
            }
        }

        #[test]
        fn keys_are_equal_when_their_numbers_are(one: i64, other in prop_oneof![Just(66_i64), Just(98), any::<i64>()]) {
            let (a, b) = (number_key(one), number_key(other));
            prop_assert_eq!(Key { reason: NoBidReason::Size, a: &a, b: &b }.is(&b, &a), one == other);
        }
    }

    /// The table probes one slot after the other, so hashes must not cluster.
    #[test]
    fn hashes_spread_over_the_table() {
        const SLOTS: usize = 1 << 14;
        // 8,000 random hashes would take 6,330 slots.
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
            let mut taken = vec![false; SLOTS];
            hashes.for_each(|hash| taken[hash as usize % SLOTS] = true);
            taken.iter().filter(|taken| **taken).count()
        };
        for (kind, texts) in kinds.iter().enumerate() {
            for reason in [NoBidReason::Id, NoBidReason::Domain] {
                let first = taken(&mut texts.iter().map(|text| key(reason, text, "").hash()));
                let second = taken(&mut texts.iter().map(|text| key(reason, "", text).hash()));
                assert!(first > ENOUGH && second > ENOUGH, "{kind}, {reason:?}: {first} and {second} slots");
            }
        }
        let size = |w, h| Key { reason: NoBidReason::Size, a: &number_key(w), b: &number_key(h) }.hash();
        let sizes = taken(&mut (0..8_000).map(|n| size(n % 100 * 10, n / 100 * 10)));
        assert!(sizes > ENOUGH, "{sizes} slots");
        assert_ne!(Key::of(NoBidReason::Id, "a").hash(), Key::of(NoBidReason::Tagid, "a").hash());
    }

    #[test]
    fn the_case_of_an_id_matters() {
        assert!(!Key::of(NoBidReason::Deal, "A").is(b"a", b""));
    }

    #[test]
    fn both_parts_of_a_key_are_compared() {
        let one = key(NoBidReason::Domain, "A", "B");
        assert!(one.is(b"a", b"b"));
        assert!(!one.is(b"x", b"b") && !one.is(b"a", b"x"));
    }
}
