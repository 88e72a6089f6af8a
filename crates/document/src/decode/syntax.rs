//! Reads a JSON text into a tree, or tells where a text stops being JSON.

use base::limits::MAX_DEPTH;
use bumpalo::Bump;
use openrtb::read::{check_json, unescaped};

use super::json::{Json, JsonObject};

/// Where a text stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// Offset of the first byte that cannot be part of a JSON text; the length of the text if it ends too early. For
    /// invalid UTF-8, the first byte of the invalid sequence. For nesting beyond [`MAX_DEPTH`], the first bracket that
    /// is too deep.
    pub at: usize,
    /// What would be allowed there.
    pub expected: &'static str,
}

/// Reads a JSON text (RFC 8259). An escaped half of a surrogate pair without its other half becomes U+FFFD.
pub(super) fn read(text: &[u8]) -> Result<Json, JsonError> {
    check_json(text).map_err(|at| JsonError { at, expected: expected(text, at) })?;
    let mut tokens = tokens(text).map(|(_, token)| core::str::from_utf8(token).unwrap_or_default());
    let first = tokens.next().unwrap_or_default();
    Ok(value(first, &mut tokens, &mut Bump::new()))
}

/// The value of a checked text that starts with the token `first`.
fn value<'t>(first: &'t str, tokens: &mut impl Iterator<Item = &'t str>, arena: &mut Bump) -> Json {
    match first {
        "null" => Json::Null,
        "true" | "false" => Json::Bool(first == "true"),
        "[" => {
            let mut items = Vec::new();
            while let Some(token) = tokens.next().filter(|token| *token != "]") {
                if token != "," {
                    items.push(value(token, tokens, arena));
                }
            }
            Json::Array(items)
        }
        "{" => {
            let mut members = Vec::new();
            while let Some(token) = tokens.next().filter(|token| *token != "}") {
                if token != "," {
                    let name = string(token, arena);
                    let first = tokens.by_ref().nth(1).unwrap_or_default();
                    members.push((name, value(first, tokens, arena)));
                }
            }
            Json::Object(JsonObject(members))
        }
        _ if first.starts_with('"') => Json::Text(string(first, arena)),
        "-0" => Json::Decimal(first.to_owned()),
        number => number.parse().map_or_else(|_| Json::Decimal(number.to_owned()), Json::Integer),
    }
}

fn string(token: &str, arena: &mut Bump) -> String {
    arena.reset();
    unescaped(token.get(1..token.len() - 1).unwrap_or_default(), arena).to_owned()
}

/// The strings, numbers, words and punctuation of a text that is JSON, or the start of one, each with its offset.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    core::iter::from_fn(move || {
        at += text.get(at..)?.iter().take_while(|byte| b" \n\r\t".contains(byte)).count();
        let rest = text.get(at..)?;
        let length = match rest.first()? {
            b'"' => string_length(rest),
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            _ => rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count().max(1),
        };
        at += length;
        Some((at - length, rest.get(..length)?))
    })
}

/// The length of the string at the start of a text, with its quotes; that of the text if the string has no end.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let Some(next) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) else { return text.len() };
        at += next;
        if text.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
}

/// What the grammar allows at `at`, the first byte that is wrong.
fn expected(text: &[u8], at: usize) -> &'static str {
    let before = text.get(..at).unwrap_or(text);
    let (mut open, mut last, mut name) = (Vec::new(), &b":"[..], false);
    for (_, token) in tokens(before) {
        name = token.starts_with(b"\"") && matches!((last, open.last()), (b"{" | b",", Some(b'{')));
        match token {
            b"{" | b"[" => open.extend_from_slice(token),
            b"}" | b"]" => drop(open.pop()),
            _ => {}
        }
        last = token;
    }
    let is_string = last.starts_with(b"\"");
    match (last, open.last()) {
        _ if core::str::from_utf8(text).is_err_and(|error| error.valid_up_to() == at) => "UTF-8",
        _ if is_string && (last.len() < 2 || !last.ends_with(b"\"")) => "the rest of a string in double quotes",
        ([b'-' | b'0'..=b'9', ..], _) if !last.last().is_some_and(u8::is_ascii_digit) => "a digit",
        ([b'a'..=b'z', ..], _) if ![&b"true"[..], b"false", b"null"].contains(&last) => "true, false or null",
        (b"{", _) => "a name in double quotes, or }",
        (b",", Some(b'{')) => "a name in double quotes",
        _ if name => "a colon",
        (b"[" | b"," | b":", _) if open.len() == MAX_DEPTH => "less nesting",
        (b"[", _) => "a value, or ]",
        (b"," | b":", _) => "a value",
        (_, Some(b'{')) => "a comma, or }",
        (_, Some(_)) => "a comma, or ]",
        (_, None) => "nothing more",
    }
}

#[cfg(test)]
mod tests;
