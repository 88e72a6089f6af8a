//! Decodes `%` escapes in the parts of a URL.

use bumpalo::Bump;
use bumpalo::collections::String as ArenaString;

/// The text without escapes. `None` for an incomplete escape or anything but visible ASCII.
pub(crate) fn decoded<'a>(text: &[u8], arena: &'a Bump) -> Option<&'a str> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut characters = ArenaString::with_capacity_in(text.len(), arena);
    let mut rest = text.iter();
    while let Some(&byte) = rest.next() {
        let byte = if byte == b'%' { u8::try_from(digit(rest.next())? << 4 | digit(rest.next())?).ok()? } else { byte };
        if !byte.is_ascii_graphic() {
            return None;
        }
        characters.push(char::from(byte));
    }
    Some(characters.into_bump_str())
}
