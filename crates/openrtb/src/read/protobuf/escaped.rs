//! Texts as JSON.

use bumpalo::Bump;
use bumpalo::collections::String;

/// A text as it stands in a JSON string, without quotes.
pub(in crate::read) fn escaped<'a>(text: &'a str, arena: &'a Bump) -> &'a str {
    if !text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
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
    fn escaped_texts_are_json() {
        let arena = Bump::new();
        for text in ["plain é 😀 \u{2028}", "a\"b\\c", "\0\u{1f}\n", ""] {
            let literal = format!("\"{}\"", escaped(text, &arena));
            assert_eq!(serde_json::from_str::<std::string::String>(&literal).unwrap(), text);
        }
    }
}
