//! Escapes in strings: checking them (RFC 8259 §7), and decoding them into the arena.
//!
//! Strings without a backslash never come here: they are borrowed from the body.

use bumpalo::Bump;
use bumpalo::collections::String;

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
    let mut value = String::with_capacity_in(literal.len(), arena);
    let mut rest = literal;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        value.push_str(plain);
        let mut chars = escaped.chars();
        match chars.next() {
            Some('b') => value.push('\u{8}'),
            Some('f') => value.push('\u{c}'),
            Some('n') => value.push('\n'),
            Some('r') => value.push('\r'),
            Some('t') => value.push('\t'),
            Some('u') => {
                let (decoded, after) = code_point(chars.as_str());
                value.push(decoded);
                chars = after.chars();
            }
            Some(itself) => value.push(itself),
            None => {}
        }
        rest = chars.as_str();
    }
    value.push_str(rest);
    value.into_bump_str()
}

/// The character that starts with four hex digits, and what follows it.
fn code_point(text: &str) -> (char, &str) {
    let (first, rest) = code_unit(text);
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = rest.strip_prefix("\\u")
        && let (low @ 0xDC00..0xE000, rest) = code_unit(second)
        && let Some(pair) = char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00))
    {
        return (pair, rest);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

fn code_unit(text: &str) -> (u32, &str) {
    let (digits, rest) = text.split_at_checked(4).unwrap_or((text, ""));
    (u32::from_str_radix(digits, 16).unwrap_or(0xFFFD), rest)
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
