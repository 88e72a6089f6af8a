//! Base64 without padding. The functions are not generic, so a module holds each of them once.

use base64ct::{Base64Unpadded, Encoding};

/// The bytes of a text, written into `out`. `None` if the text is not base64, or longer than `out`.
pub fn decode<'o>(text: &str, out: &'o mut [u8]) -> Option<&'o [u8]> {
    Base64Unpadded::decode(text, out).ok()
}

/// The bytes of a text; `None` if it is not base64.
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    // Four characters are three bytes.
    let mut bytes = vec![0; text.len() / 4 * 3 + 2];
    let length = decode(text, &mut bytes)?.len();
    bytes.truncate(length);
    Some(bytes)
}
