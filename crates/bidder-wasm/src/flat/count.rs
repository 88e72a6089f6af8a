//! How many of something follow: in front of each text and of each list.
//!
//! Six bits a byte, the lowest first; the seventh bit says that another byte follows. Each is an ASCII character, so that text
//! with counts in it is text.

const BITS: u32 = 6;
const MORE: u8 = 1 << BITS;
/// Bytes of the longest count.
const MOST: u32 = u32::BITS.div_ceil(BITS);

/// The characters of a count.
pub(super) fn characters(count: u32) -> impl Iterator<Item = u8> {
    let length = (u32::BITS - count.leading_zeros()).div_ceil(BITS).max(1);
    (1..=length).map(move |nth| {
        let bits = u8::try_from(count >> ((nth - 1) * BITS) & u32::from(MORE - 1)).unwrap_or_default();
        if nth < length { bits | MORE } else { bits }
    })
}

/// The count at `at`, and where what it counts starts; nothing of it beyond the end.
#[inline]
pub(super) fn read(section: &[u8], at: usize) -> (usize, usize) {
    // Most are small.
    match section.get(at) {
        Some(byte) if *byte < MORE => (usize::from(*byte), at + 1),
        _ => read_long(section, at),
    }
}

fn read_long(section: &[u8], at: usize) -> (usize, usize) {
    let (mut count, mut end) = (0, at);
    for nth in 0..MOST {
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
        fn what_was_counted_reads_back(count in prop_oneof![0_u32..200, any::<u32>()], before in 0_usize..3) {
            let mut bytes = vec![0xff; before];
            bytes.extend(characters(count));
            prop_assert!(bytes[before..].is_ascii());
            prop_assert_eq!(read(&bytes, before), (count as usize, bytes.len()));
        }

        #[test]
        fn foreign_bytes_end(bytes: Vec<u8>, at: usize) {
            let (_, end) = read(&bytes, at);
            prop_assert!(end == at || end <= bytes.len());
        }
    }

    #[test]
    fn small_counts_take_one_byte() {
        for (count, bytes) in [(0, 1), (63, 1), (64, 2), (4095, 2), (4096, 3), (u32::MAX, 6)] {
            assert_eq!(characters(count).count(), bytes, "{count}");
        }
    }
}
