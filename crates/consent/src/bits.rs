//! Reads bits from web-safe base64 text (RFC 4648 §5, without padding), six per character, without decoding it first.
//!
//! Reading past the last character fails.

/// A position in a text that has only characters of the alphabet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits<'a> {
    text: &'a [u8],
    /// The position, in bits from the start.
    at: usize,
}

const BITS_PER_CHARACTER: usize = 6;

impl<'a> Bits<'a> {
    /// A reader of the text; `None` if any character is not in the alphabet.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        let text = text.as_bytes();
        // Without an early exit the compiler can test sixteen characters at a time.
        let valid = text.iter().fold(true, |valid, &character| valid & is_of_alphabet(character));
        valid.then_some(Self { text, at: 0 })
    }

    /// The next `count` bits, at most 32, as a big-endian number.
    pub(super) fn take(&mut self, count: usize) -> Option<u32> {
        let start = self.at;
        self.skip(count)?;
        let end = self.at;
        let first = start / BITS_PER_CHARACTER;
        let behind = end.div_ceil(BITS_PER_CHARACTER);
        // At most seven characters, 42 bits.
        let characters = self.text.get(first..behind)?;
        let bits = characters.iter().fold(0, |bits: u64, &character| bits << BITS_PER_CHARACTER | sextet(character));
        let wanted = bits >> (behind * BITS_PER_CHARACTER - end) & !(u64::MAX << count);
        u32::try_from(wanted).ok()
    }

    /// The next bit.
    pub(super) fn bit(&mut self) -> Option<bool> {
        Some(self.take(1)? == 1)
    }

    /// Skips `count` bits.
    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        let end = self.at.checked_add(count)?;
        if self.text.len() < end.div_ceil(BITS_PER_CHARACTER) {
            return None;
        }
        self.at = end;
        Some(())
    }

    /// A number in Fibonacci coding (GPP, "Fibonacci Encoding"): one bit for each Fibonacci number 1, 2, 3, 5, 8 and so
    /// on in the sum; two ones in a row end it. Never 0.
    pub(super) fn fibonacci(&mut self) -> Option<u32> {
        let mut sum = 0_u32;
        let mut summand = 1_u32;
        let mut next = 2_u32;
        let mut last = false;
        loop {
            let bit = self.bit()?;
            if bit && last {
                return Some(sum);
            }
            if bit {
                sum = sum.checked_add(summand)?;
            }
            (summand, next) = (next, next.checked_add(summand)?);
            last = bit;
        }
    }
}

fn is_of_alphabet(character: u8) -> bool {
    matches!(character, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_')
}

/// The value of a character of the alphabet.
fn sextet(character: u8) -> u64 {
    SEXTETS.get(usize::from(character)).copied().unwrap_or(0).into()
}

/// A table is faster than branches here: the characters are random, so the processor cannot predict branches.
static SEXTETS: [u8; 256] = sextets();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn sextets() -> [u8; 256] {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut table = [0; 256];
    let mut value = 0_u8;
    while value < 64 {
        table[alphabet[value as usize] as usize] = value;
        value += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_across_characters_and_not_past_the_end() {
        // "DBABM" is header example 1 of the GPP specification: 000011 000001 000000 000001 001100.
        let mut bits = Bits::new("DBABM").unwrap();
        assert_eq!(bits.take(6), Some(3));
        assert_eq!(bits.take(6), Some(1));
        assert_eq!(bits.take(12), Some(1));
        assert_eq!(bits.bit(), Some(false));
        assert_eq!(bits.fibonacci(), Some(2));
        assert_eq!(bits.take(0), Some(0));
        assert_eq!(bits.take(2), Some(0));
        assert_eq!(bits.take(1), None);
        assert_eq!(Bits::new("____________").unwrap().take(32), Some(u32::MAX));
    }

    #[test]
    fn refuses_characters_outside_the_alphabet() {
        for text in ["=", "A+", "A/", "A B", "\u{e9}", "AAAAAAAAAAAAAAAAAAAAAAA."] {
            assert!(Bits::new(text).is_none(), "{text}");
        }
        assert!(Bits::new("").is_some());
    }

    #[test]
    fn refuses_a_fibonacci_number_that_is_too_large_or_has_no_end() {
        // 101010…: no two ones in a row, so no end.
        assert_eq!(Bits::new(&"q".repeat(9)).unwrap().fibonacci(), None);
        assert_eq!(Bits::new(&"A".repeat(40)).unwrap().fibonacci(), None);
        // 011 after so many zeros that the number does not fit in 32 bits.
        assert_eq!(Bits::new(&format!("{}M", "A".repeat(8))).unwrap().fibonacci(), None);
    }
}
