//! Addresses of the web: `%` escapes, and addresses for browser redirects, limited to a form that all browsers read the
//! same way.

use bumpalo::Bump;
use bumpalo::collections::String as ArenaString;

/// Splits an `https` address into the host, with its port, and the rest. `None` for any other scheme. The host is not
/// checked: see [`is_host`].
pub fn parts(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("https://")?;
    Some(rest.split_at_checked(rest.find(['/', '?']).unwrap_or(rest.len())).unwrap_or((rest, "")))
}

/// Whether the text is a name of letters, digits, `-` and single dots, with or without a port.
pub fn is_host(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    name.split('.').all(is_label) && port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Whether the text can follow a host unchanged: it has no fragment and no character that needs escaping.
pub fn is_plain(rest: &str) -> bool {
    rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'\\<>^`#".contains(&byte))
}

/// The text without escapes. `None` for an incomplete escape or anything but visible ASCII.
pub fn decoded<'a>(text: &[u8], arena: &'a Bump) -> Option<&'a str> {
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
