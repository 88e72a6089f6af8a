//! Varints, and texts as JSON.

use bumpalo::Bump;
use bumpalo::collections::String;

/// The varint at the start of `bytes`, and the bytes after it. `None` if it does not end, or has more than 64 bits.
#[inline]
pub(super) fn split_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    match bytes.split_first()? {
        (byte @ 0..0x80, rest) => Some((u64::from(*byte), rest)),
        _ => split_long_varint(bytes),
    }
}

fn split_long_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (place, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            let is_too_long = place == 9 && *byte > 1;
            return bytes.get(place + 1..).filter(|_| !is_too_long).map(|rest| (value, rest));
        }
    }
    None
}

/// A text as it stands in a JSON string, without quotes.
pub(in crate::read) fn escaped<'a>(text: &'a str, arena: &'a Bump) -> &'a str {
    if !text.contains(|c: char| c < ' ' || matches!(c, '"' | '\\')) {
        return text;
    }
    let mut literal = String::with_capacity_in(text.len() + 8, arena);
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\0'..' ' => {
                literal.push_str("\\u00");
                literal.extend(
                    [u32::from(c) >> 4, u32::from(c) & 15].map(|digit| char::from_digit(digit, 16).unwrap_or('0')),
                );
            }
            _ => literal.push(c),
        }
    }
    literal.into_bump_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_have_at_most_64_bits() {
        let rest: &[u8] = &[7];
        assert_eq!(split_varint(&[0, 7]), Some((0, rest)));
        assert_eq!(split_varint(&[0xac, 0x02, 7]), Some((300, rest)));
        assert_eq!(split_varint(&[0x80, 0x00, 7]), Some((0, rest)));
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 7];
        assert_eq!(split_varint(&most), Some((u64::MAX, rest)));
        let mut more = most;
        more[9] = 2;
        assert_eq!(split_varint(&more), None);
        assert_eq!(split_varint(&[0x80; 11]), None);
        assert_eq!(split_varint(&[0x80]), None);
        assert_eq!(split_varint(&[]), None);
    }

    #[test]
    fn escaped_texts_are_json() {
        let arena = Bump::new();
        for text in ["plain é 😀 \u{2028}", "a\"b\\c", "\0\u{1f}\n", ""] {
            let literal = format!("\"{}\"", escaped(text, &arena));
            assert_eq!(serde_json::from_str::<std::string::String>(&literal).unwrap(), text);
        }
    }
}
