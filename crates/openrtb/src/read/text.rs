//! Decodes strings with escapes (RFC 8259 §7) into the arena. Other strings borrow from the body.

use bumpalo::Bump;
use bumpalo::collections::Vec;

/// The text of a literal, which is between the quotes of a JSON string.
pub fn unescaped<'a>(literal: &'a str, arena: &'a Bump) -> &'a str {
    if literal.contains('\\') { decode(literal, arena) } else { literal }
}

/// Decodes `literal`, the text between the quotes of a checked string. A lone surrogate becomes U+FFFD.
pub(super) fn decode<'a>(literal: &str, arena: &'a Bump) -> &'a str {
    // An escape is at least as long as its character, so this vector never grows.
    let mut value = Vec::with_capacity_in(literal.len(), arena);
    let mut rest = literal.as_bytes();
    loop {
        // Copy eight bytes at once: most runs between escapes are short.
        while let Some((eight, after)) = rest.split_first_chunk::<8>() {
            let plain = bytes_before_backslash(*eight);
            let length = value.len();
            value.extend_from_slice_copy(eight);
            if plain < eight.len() {
                value.truncate(length + plain);
                rest = rest.get(plain..).unwrap_or_default();
                break;
            }
            rest = after;
        }
        let Some((&byte, after)) = rest.split_first() else { break };
        rest = after;
        if byte != b'\\' {
            value.push(byte);
            continue;
        }
        let Some((&escape, after)) = rest.split_first() else { break };
        rest = after;
        match escape {
            b'b' => value.push(8),
            b'f' => value.push(12),
            b'n' => value.push(b'\n'),
            b'r' => value.push(b'\r'),
            b't' => value.push(b'\t'),
            b'u' => {
                let (decoded, after) = code_point(rest);
                value.extend_from_slice(decoded.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            quote_or_slash => value.push(quote_or_slash),
        }
    }
    simdutf8::basic::from_utf8(value.into_bump_slice()).unwrap_or_default()
}

/// How many of the eight bytes are before the first backslash; 8 without a backslash.
#[inline]
fn bytes_before_backslash(eight: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let differs = u64::from_le_bytes(eight) ^ (u64::from(b'\\') * EACH);
    (differs.wrapping_sub(EACH) & !differs & (0x80 * EACH)).trailing_zeros() as usize / 8
}

/// The character of the escape whose four hex digits start `text`, and the text after it. Joins a surrogate pair.
fn code_point(text: &[u8]) -> (char, &[u8]) {
    let (first, rest) = code_unit(text);
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = rest.strip_prefix(b"\\u")
        && let (low @ 0xDC00..0xE000, rest) = code_unit(second)
        && let Some(pair) = char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00))
    {
        return (pair, rest);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

/// The UTF-16 code unit of the four hex digits at the start of `text`, and the text after them.
fn code_unit(text: &[u8]) -> (u32, &[u8]) {
    let (digits, rest) = text.split_at_checked(4).unwrap_or((text, &[]));
    (digits.iter().fold(0, |unit, digit| unit << 4 | char::from(*digit).to_digit(16).unwrap_or(0)), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        for (literal, value) in [
            ("", ""),
            ("plain", "plain"),
            (r#"a\"b\\c\/d"#, "a\"b\\c/d"),
            (r"\b\f\n\r\t", "\u{8}\u{c}\n\r\t"),
            (r"\u0041\u00e9\u20AC", "Aé€"),
            (r"x\u0026y", "x&y"),
            (r"\ud83d\ude00!", "😀!"),
            (r"\ud83d", "\u{FFFD}"),
            (r"\ud83dx", "\u{FFFD}x"),
            (r"\ude00\ud83d", "\u{FFFD}\u{FFFD}"),
            (r"\ud83d\ud83d\ude00", "\u{FFFD}😀"),
            (r"\ud83d\u0041", "\u{FFFD}A"),
            (r"\ud83d\n", "\u{FFFD}\n"),
            (r"\u0000", "\0"),
            (r"é\\u0041", "é\\u0041"),
            (r#"1234567\"9abcdefgh\/jklmnopqrst"#, "1234567\"9abcdefgh/jklmnopqrst"),
            (r"éééé\u00e9éééééééé\\", "ééééééééééééé\\"),
        ] {
            assert_eq!(decode(literal, &Bump::new()), value, "{literal}");
        }
    }
}
