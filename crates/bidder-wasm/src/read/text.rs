//! Escapes in strings: checking them (RFC 8259 §7), and decoding them into the arena.
//!
//! Strings without a backslash never come here: they are borrowed from the body.

use bumpalo::Bump;
use bumpalo::collections::Vec;

/// Checks the escape whose backslash stands right before `at`; yields the offset after it. `Err`
/// holds the offset of the first byte that cannot be part of one.
pub(super) fn escape_end(text: &[u8], at: usize) -> Result<usize, usize> {
    match text.get(at) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
        Some(b'u') => {
            let digits = text.get(at + 1..).unwrap_or_default().iter().take(4);
            let valid = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
            if valid == 4 { Ok(at + 5) } else { Err(at + 1 + valid) }
        }
        _ => Err(at),
    }
}

/// What `literal`, the text between the quotes of a checked string, means. A surrogate without
/// its partner becomes U+FFFD.
pub(super) fn decode<'a>(literal: &str, arena: &'a Bump) -> &'a str {
    // No escape is shorter than what it stands for, so this never grows.
    let mut value = Vec::with_capacity_in(literal.len(), arena);
    let mut rest = literal.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
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
            itself => value.push(itself),
        }
    }
    simdutf8::basic::from_utf8(value.into_bump_slice()).unwrap_or_default()
}

/// The character that starts with four hex digits, and what follows it.
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
        ] {
            assert_eq!(decode(literal, &Bump::new()), value, "{literal}");
        }
    }

    #[test]
    fn escapes_are_checked() {
        for (text, end) in [
            ("n", Ok(1)),
            ("\"", Ok(1)),
            ("u00eF", Ok(5)),
            ("", Err(0)),
            ("x", Err(0)),
            ("U0000", Err(0)),
            ("u", Err(1)),
            ("u00", Err(3)),
            ("u00g0", Err(3)),
            ("u+041", Err(1)),
        ] {
            assert_eq!(escape_end(text.as_bytes(), 0), end, "{text}");
        }
    }
}
