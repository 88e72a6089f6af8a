//! Notices of our own: the URLs that exchanges, players and browsers call when a bid wins, bills or loses.
//!
//! A URL carries a [`Token`] that says what was bid. Others cannot make tokens, because a token is signed. So the Worker
//! needs no memory of its bids to know what a notice is about.

mod blake3;
mod link;
mod token;

use core::num::NonZeroU8;

pub use crate::hash::hash_of;
pub use link::{Bills, Link, Notice};
pub use token::{BadToken, Keys, ONE, Texts, Token, part_of, shard_of};

/// The settings for writing and reading notice URLs.
#[derive(Debug)]
pub struct Notices {
    /// Scheme and host of the bidder, such as `https://bidder.example`.
    pub origin: String,
    /// How many shards the ledger has for the bids of a day.
    pub shards: NonZeroU8,
    /// The keys of the tokens.
    pub keys: Keys,
}

impl Notices {
    /// Reads an origin, the number of the ledger's shards, a number of keys, and the keys, one a line. `None` if the
    /// origin is empty or something is wrong; the errors say what, and show no key.
    pub fn from_lines<'l>(lines: &mut impl Iterator<Item = &'l str>) -> (Option<Notices>, Vec<String>) {
        let mut next = || lines.next().unwrap_or_default();
        let origin = next().to_owned();
        let shards = next();
        let count = next().parse().unwrap_or_default();
        let texts: Vec<&str> = (0..count).map(|_: usize| next()).collect();
        if origin.is_empty() {
            return (None, Vec::new());
        }
        if !is_origin(&origin) {
            return (None, vec![format!("{origin:?} is not an origin; expected one such as https://bidder.example")]);
        }
        let Ok(shards) = shards.parse() else {
            return (None, vec![format!("{shards:?} shards of the ledger; expected 1 to 255")]);
        };
        match Keys::new(texts) {
            Ok(keys) => (Some(Notices { origin, shards, keys }), Vec::new()),
            Err(error) => (None, vec![format!("the keys of notices: {error}")]),
        }
    }
}

/// Whether the text is a scheme and a host, with or without a port. A path, even of one slash, would change the path of
/// every notice.
fn is_origin(text: &str) -> bool {
    let host = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":.-[]_".contains(&byte);
    !host.is_empty() && host.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::Notices;

    const KEY: &str = "a-key-of-the-tests-a-key-of-the-tests";

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        let read = |origin: &str| Notices::from_lines(&mut [origin, "32", "1", KEY, "an SSP's line"].into_iter());
        for origin in
            ["https://bidder.example", "http://127.0.0.1:8787", "http://[::1]:8787", "https://a-b.example:443"]
        {
            let (notices, errors) = read(origin);
            assert_eq!((notices.map(|notices| notices.origin), errors), (Some(origin.to_owned()), vec![]));
        }
        for origin in [
            "https://bidder.example/",
            "https://bidder.example/n",
            "https://",
            "bidder.example",
            "httpx",
            "ftp://a",
            "https://a\"b",
        ] {
            let (notices, errors) = read(origin);
            assert!(notices.is_none() && errors.len() == 1 && errors[0].contains("is not an origin"), "{errors:?}");
        }
        let (notices, errors) = read("");
        assert!(notices.is_none() && errors.is_empty(), "without an origin there are no notices");
    }

    #[test]
    fn keys_come_before_the_lines_of_others() {
        let mut lines = ["https://bidder.example", "32", "2", KEY, "short", "rest"].into_iter();
        let (notices, errors) = Notices::from_lines(&mut lines);
        assert!(notices.is_none());
        assert_eq!(errors, ["the keys of notices: key 2 has 5 bytes; expected at least 32"]);
        assert_eq!(lines.next(), Some("rest"));
        let mut lines = ["https://bidder.example", "0", "1", KEY, "rest"].into_iter();
        let (notices, errors) = Notices::from_lines(&mut lines);
        assert!(notices.is_none());
        assert_eq!(errors, ["\"0\" shards of the ledger; expected 1 to 255"]);
    }
}
