//! Prepares a text for serde-json-wasm, which reads no floats and no halves of surrogate pairs, and tells where a text
//! stops being JSON.

use std::borrow::Cow;

use bidder_wasm::limits::MAX_DEPTH;
use bidder_wasm::read::check_json;

/// The first character of a quoted number. JSON does not allow this byte unescaped in a string, so only a quoted number
/// starts with it.
pub(super) const DECIMAL_MARK: char = '\u{1}';

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

/// Checks that `text` is JSON (RFC 8259), and changes two things in it; all other bytes stay:
/// - A number that is not an integer within `i64` (also `-0`) becomes a string: [`DECIMAL_MARK`] and the exact text.
/// - An escaped half of a surrogate pair without its other half becomes `\ufffd`.
pub(super) fn quoted(text: &[u8]) -> Result<Cow<'_, [u8]>, JsonError> {
    check_json(text).map_err(|at| JsonError { at, expected: expected(text, at) })?;
    let has_surrogates = text.windows(3).any(|escape| matches!(escape, b"\\ud" | b"\\uD"));
    let mut changes: Vec<(usize, usize, Vec<u8>)> = Vec::new();
    for (at, token) in tokens(text) {
        match token {
            [b'"', ..] if has_surrogates => {
                let halves = lone_surrogates(token).into_iter().map(|half| at + half);
                changes.extend(halves.map(|half| (half, half + 6, b"\\ufffd".to_vec())));
            }
            [b'-' | b'0'..=b'9', ..] if !is_integer(token) => {
                changes.push((at, at + token.len(), [b"\"\x01", token, b"\""].concat()));
            }
            _ => {}
        }
    }
    if changes.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    let (mut out, mut copied) = (Vec::with_capacity(text.len() + 3 * changes.len()), 0);
    for (from, to, with) in changes {
        out.extend_from_slice(text.get(copied..from).unwrap_or_default());
        out.extend(with);
        copied = to;
    }
    out.extend_from_slice(text.get(copied..).unwrap_or_default());
    Ok(Cow::Owned(out))
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

/// The offsets of the escapes in a string that are half of a surrogate pair without the other half.
fn lone_surrogates(string: &[u8]) -> Vec<usize> {
    let (mut lone, mut high, mut at) = (Vec::new(), None, 0);
    while let Some(offset) = string.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += offset;
        let unit = string.get(at..at + 6).and_then(|escape| escape.strip_prefix(b"\\u"));
        let unit = unit.and_then(|digits| u16::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok());
        // A high half is alone, unless a low half follows directly.
        match unit {
            Some(0xdc00..0xe000) if high == at.checked_sub(6) && high.is_some() => drop(lone.pop()),
            Some(0xd800..0xe000) => lone.push(at),
            _ => {}
        }
        high = matches!(unit, Some(0xd800..0xdc00)).then_some(at);
        at += if unit.is_some() { 6 } else { 2 };
    }
    lone
}

fn is_integer(number: &[u8]) -> bool {
    // A number of at most 18 bytes cannot overflow, so most numbers need no parsing.
    let is_plain = number != b"-0" && number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    is_plain && (number.len() <= 18 || core::str::from_utf8(number).is_ok_and(|text| text.parse::<i64>().is_ok()))
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
