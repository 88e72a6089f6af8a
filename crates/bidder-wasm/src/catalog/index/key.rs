//! What a set of campaigns is found by.

use crate::no_bid::NoBidReason;

/// A value of a dimension: the reason for which a campaign that does not fit it stays out, and the
/// value itself, in one or two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key<'k> {
    /// The dimension.
    pub reason: NoBidReason,
    /// The value, or its first part.
    pub a: &'k [u8],
    /// The second part of a value of two.
    pub b: &'k [u8],
}

/// Dimensions whose values are somebody's ids and therefore differ by the case of a letter.
const EXACT: [NoBidReason; 7] = [
    NoBidReason::Seat,
    NoBidReason::Publisher,
    NoBidReason::Id,
    NoBidReason::Segment,
    NoBidReason::Tagid,
    NoBidReason::Gpid,
    NoBidReason::Deal,
];

impl<'k> Key<'k> {
    /// A value of one part.
    #[inline]
    pub fn of(reason: NoBidReason, a: &'k str) -> Key<'k> {
        Key { reason, a: a.as_bytes(), b: b"" }
    }

    /// Whether the case of a letter makes a difference.
    #[inline]
    pub fn is_exact(&self) -> bool {
        EXACT.contains(&self.reason)
    }

    /// Whether two keys of one dimension mean the same.
    #[inline]
    pub fn is(&self, other: &Key<'_>) -> bool {
        if self.is_exact() {
            self == other
        } else {
            self.reason == other.reason && self.a.eq_ignore_ascii_case(other.a) && self.b.eq_ignore_ascii_case(other.b)
        }
    }

    /// Equal for keys that mean the same, whatever the case of their letters.
    #[inline]
    pub fn hash(&self) -> u32 {
        let hash = mix(mix(self.reason as u64 + 1, self.a), self.b);
        // A product's bits depend on lower ones only, so the upper half is the better mixed one.
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD);
        u32::try_from(hash >> 32).unwrap_or_default()
    }
}

/// An odd number whose bits look random.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes a text into a hash, eight bytes at a time; the last eight may overlap those before.
#[inline]
fn mix(before: u64, text: &[u8]) -> u64 {
    // Bit 5 is the case of a letter. That it folds some other characters too does not matter here.
    const FOLD: u64 = 0x2020_2020_2020_2020;
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ (word | FOLD)).wrapping_mul(SPREAD);
    let mut hash = before ^ text.len() as u64;
    let last = match text {
        [] => 0,
        [a] => u64::from(*a),
        [a, b] => u64::from(u16::from_le_bytes([*a, *b])),
        [a, b, c] => u64::from(u32::from_le_bytes([*a, *b, *c, 0])),
        _ => match (text.first_chunk(), text.last_chunk(), text.last_chunk()) {
            (_, _, Some(last)) => {
                let all_but_last = text.get(..text.len() - 1).unwrap_or_default();
                for eight in all_but_last.as_chunks().0 {
                    hash = step(hash, u64::from_le_bytes(*eight));
                }
                u64::from_le_bytes(*last)
            }
            (Some(first), Some(last), None) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => 0,
        },
    };
    step(hash, last)
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
            let (upper, lower) = (key(&upper), key(&lower));
            prop_assert!(upper.is(&lower));
            prop_assert_eq!(upper.hash(), lower.hash());
        }
    }

    /// The table looks at one place after the other, so values must not crowd.
    #[test]
    fn hashes_spread_over_the_table() {
        const PLACES: usize = 1 << 14;
        let texts = |spell: fn(u32) -> String| (0..8_000).map(spell).collect::<Vec<_>>();
        let kinds = [
            texts(|n| n.to_string()),
            texts(|n| format!("{n}.site.example")),
            texts(|n| format!("placement-{n:08}-top")),
            texts(|n| format!("東京都-{n}")),
            texts(|n| "ab".repeat(n as usize % 100) + &(n / 100).to_string()),
        ];
        for (kind, texts) in kinds.iter().enumerate() {
            for in_a in [true, false] {
                let whole = |text| if in_a { key(NoBidReason::Id, text, "") } else { key(NoBidReason::Id, "", text) };
                let hashes: Vec<u32> = texts.iter().map(|text| whole(text).hash()).collect();
                let mut taken = vec![false; PLACES];
                for hash in hashes {
                    taken[hash as usize % PLACES] = true;
                }
                // Thrown at random, 8,000 would take 6,330.
                let taken = taken.iter().filter(|taken| **taken).count();
                assert!(taken > 6_000, "{kind}: {taken} places");
            }
        }
        assert_ne!(Key::of(NoBidReason::Id, "a").hash(), Key::of(NoBidReason::Tagid, "a").hash());
    }

    #[test]
    fn ids_differ_by_the_case_of_a_letter() {
        assert!(!Key::of(NoBidReason::Deal, "a").is(&Key::of(NoBidReason::Deal, "A")));
    }

    #[test]
    fn keys_differ_in_any_part() {
        let one = key(NoBidReason::Domain, "a", "b");
        assert!(one.is(&key(NoBidReason::Domain, "A", "B")));
        for other in
            [key(NoBidReason::City, "a", "b"), key(NoBidReason::Domain, "x", "b"), key(NoBidReason::Domain, "a", "x")]
        {
            assert!(!one.is(&other), "{other:?}");
        }
    }
}
