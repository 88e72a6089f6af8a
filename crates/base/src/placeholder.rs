//! Ids that name nobody. Where an id is missing, some senders write a word, zeros or a macro that nobody filled. Many
//! people share such a text, so it counts as absent: for frequency caps, targeting, macros and user sync.

/// Whether a text in the place of a person's id is a placeholder.
///
/// ```
/// use base::placeholder::is_placeholder;
///
/// for id in ["0", "null", "OPT_OUT", "$UID", "{{IFA}}", "00000000-0000-0000-0000-000000000000"] {
///     assert!(is_placeholder(id), "{id}");
/// }
/// for id in ["7", "0f3b", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "aaaaaaaa-0000-4000-8000-000000000001"] {
///     assert!(!is_placeholder(id), "{id}");
/// }
/// ```
pub fn is_placeholder(id: &str) -> bool {
    let bytes = id.as_bytes();
    let [first, .., last] = bytes else { return bytes.iter().all(|byte| *byte == b'0' || is_sign(*byte)) };
    let has_ends = first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric();
    // Nearly every id is of this kind.
    if has_ends && bytes.len() > MAX_WORD_BYTES && bytes.get(1) != Some(first) {
        return matches!(bytes.len(), 32 | 40 | 64) && HASHES.iter().any(|hash| hash.eq_ignore_ascii_case(id));
    }
    is_one_character(bytes) || is_macro(id) || is_word(bytes)
}

/// Whether a text has the form of the ids that the Worker gives to browsers: 128 bits as 22 characters of web-safe base64.
pub fn is_ours(id: &str) -> bool {
    let is_of_alphabet = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    id.len() == 22 && id.ends_with(['A', 'Q', 'g', 'w']) && id.bytes().all(is_of_alphabet)
}

/// Words in place of an id, without upper case and signs: `optout` is also `OPT_OUT` and `opt-out`.
#[rustfmt::skip]
const WORDS: &[&[u8]] = &[
    b"aaid", b"adid", b"advertisingid", b"anon", b"anonymous", b"blank", b"buyerid", b"buyeruid", b"default",
    b"deleted", b"denied", b"deviceid", b"disabled", b"dnt", b"dummy", b"empty", b"error", b"false", b"gaid",
    b"hidden", b"id", b"idfa", b"ifa", b"invalid", b"limitadtracking", b"lmt", b"missing", b"na", b"nan", b"nil",
    b"noconsent", b"noid", b"none", b"notapplicable", b"notavailable", b"notset", b"nouid", b"nouser", b"nouserid",
    b"null", b"nullnull", b"objectobject", b"optedout", b"optout", b"placeholder", b"private", b"redacted",
    b"removed", b"restricted", b"string", b"test", b"true", b"uid", b"unavailable", b"undef", b"undefined",
    b"unknown", b"unset", b"user", b"userid", b"void",
];

/// No word has more bytes, with the signs that it may have.
const MAX_WORD_BYTES: usize = 20;

/// The MD5, SHA-1 and SHA-256 of the empty text and of the UUID of zeros.
const HASHES: &[&str] = &[
    "d41d8cd98f00b204e9800998ecf8427e",
    "9f89c84a559f573636a47ff8daed0d33",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "b602d594afd2b0b327e07a06f36ca6a7e42546d0",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "12b9377cbe7e5c94e8a70d9d23929523d14afa954793130f8a3959c7b849aca8",
];

/// From this many on, one character again and again is no id. Zeros never are.
const MIN_REPEATED: usize = 8;

/// Whether a byte is neither a letter nor a digit.
fn is_sign(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric()
}

/// Whether letters and digits are all the same one, or there are none.
fn is_one_character(bytes: &[u8]) -> bool {
    let Some(first) = bytes.iter().find(|byte| !is_sign(**byte)) else { return true };
    let is_same = |byte: &u8| byte == first;
    bytes.iter().all(|byte| is_same(byte) || is_sign(*byte))
        && (*first == b'0' || bytes.iter().filter(|byte| is_same(byte)).count() >= MIN_REPEATED)
}

/// Whether a text is, or holds, a macro that nobody filled: `$UID`, `${UID}`, `[UID]`, `%%UID%%`, `__UID__`, `%7BUID%7D`.
fn is_macro(id: &str) -> bool {
    let has = |is: fn(u8) -> bool| id.bytes().any(is);
    if has(|byte| matches!(byte, b'$' | b'<' | b'>' | b'[' | b']' | b'{' | b'}')) {
        // Some systems write a UUID in braces.
        let bare = id.trim_matches(['{', '}']);
        return bare.len() < 32 || !bare.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    }
    let escaped = |code: &str| ["24", "3c", "5b", "7b"].iter().any(|mark| code.eq_ignore_ascii_case(mark));
    if has(|byte| byte == b'%') && id.split('%').skip(1).any(|rest| rest.get(..2).is_some_and(escaped)) {
        return true;
    }
    // A name between signs has letters of one case and no digits.
    let [first, .., last] = id.as_bytes() else { return false };
    let is_name = !has(|byte| byte.is_ascii_digit() || !byte.is_ascii());
    is_sign(*first)
        && is_sign(*last)
        && is_name
        && !(has(|byte| byte.is_ascii_lowercase()) && has(|byte| byte.is_ascii_uppercase()))
}

/// Whether a text is one of the [`WORDS`], or `-1`.
fn is_word(bytes: &[u8]) -> bool {
    if bytes.len() > MAX_WORD_BYTES || bytes.iter().any(u8::is_ascii_digit) {
        return bytes == b"-1";
    }
    let mut letters = [0; MAX_WORD_BYTES];
    let mut count = 0;
    for (byte, letter) in bytes.iter().filter(|byte| !is_sign(**byte)).zip(&mut letters) {
        *letter = byte.to_ascii_lowercase();
        count += 1;
    }
    letters.get(..count).is_some_and(|letters| WORDS.contains(&letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_every_spelling() {
        for word in WORDS.iter().map(|word| str::from_utf8(word).unwrap()) {
            let (start, end) = word.split_at(2);
            for spelled in [word.to_uppercase(), format!("({word})"), format!("{start}-{end}_")] {
                assert!(is_placeholder(&spelled), "{spelled}");
                assert!(spelled.len() <= MAX_WORD_BYTES, "{spelled}");
            }
            assert!(!is_placeholder(&format!("{word}7")), "{word}7");
        }
    }
}
