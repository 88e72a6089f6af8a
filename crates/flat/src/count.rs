//! Counts: the length in front of each text and each list.
//!
//! Each byte holds six bits, the lowest first; its seventh bit says that another byte follows. So each byte is an ASCII
//! character, and text with counts in it is valid UTF-8.

const BITS: u32 = 6;
const MORE: u8 = 1 << BITS;
/// Bytes of the longest count.
const MAX_BYTES: u32 = u32::BITS.div_ceil(BITS);

/// The bytes of a count.
pub(super) fn to_bytes(count: u32) -> impl Iterator<Item = u8> {
    let length = (u32::BITS - count.leading_zeros()).div_ceil(BITS).max(1);
    (1..=length).map(move |nth| {
        let bits = u8::try_from(count >> ((nth - 1) * BITS) & u32::from(MORE - 1)).unwrap_or_default();
        if nth < length { bits | MORE } else { bits }
    })
}

/// The count at `at`, and the offset after it; a count of 0 if the section ends within it.
#[inline]
pub(super) fn read(section: &[u8], at: usize) -> (usize, usize) {
    // Most counts take one byte.
    match section.get(at) {
        Some(byte) if *byte < MORE => (usize::from(*byte), at + 1),
        _ => read_long(section, at),
    }
}

fn read_long(section: &[u8], at: usize) -> (usize, usize) {
    let (mut count, mut end) = (0, at);
    for nth in 0..MAX_BYTES {
        let Some(byte) = section.get(end) else { return (0, end) };
        end += 1;
        count |= usize::from(byte & (MORE - 1)) << (nth * BITS);
        if byte & MORE == 0 {
            break;
        }
    }
    (count, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_count_reads_back(count in prop_oneof![0_u32..200, any::<u32>()], before in 0_usize..3) {
            let mut bytes = vec![0xff; before];
            bytes.extend(to_bytes(count));
            prop_assert!(bytes[before..].is_ascii());
            prop_assert_eq!(read(&bytes, before), (count as usize, bytes.len()));
        }

        #[test]
        fn any_bytes_stop_before_the_end(bytes: Vec<u8>, at: usize) {
            let (_, end) = read(&bytes, at);
            prop_assert!(end == at || end <= bytes.len());
        }
    }

    #[test]
    fn small_counts_take_one_byte() {
        for (count, bytes) in [(0, 1), (63, 1), (64, 2), (4095, 2), (4096, 3), (u32::MAX, 6)] {
            assert_eq!(to_bytes(count).count(), bytes, "{count}");
        }
    }
}
