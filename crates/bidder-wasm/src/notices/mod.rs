//! Notices of our own: the URLs that exchanges, players and browsers call when a bid wins, bills or loses.
//!
//! A URL carries a [`Token`] that says what was bid. Nobody else can make a token, because it is signed. So the Worker
//! needs no memory of its bids to know what a notice is about.

mod link;
mod token;

pub use link::{Link, Notice};
pub use token::{BadToken, Keys, Text, Token, hash_of};

/// What it takes to write notice URLs and to read them.
#[derive(Debug)]
pub struct Notices {
    /// Scheme and host of the bidder, such as `https://bidder.example`.
    pub origin: String,
    /// The keys of the tokens.
    pub keys: Keys,
}

impl Notices {
    /// Reads an origin, a number of keys, and the keys, one a line. `None` if the origin is empty or something is wrong;
    /// the errors say what, and show no key.
    pub fn from_lines<'l>(lines: &mut impl Iterator<Item = &'l str>) -> (Option<Notices>, Vec<String>) {
        let mut next = || lines.next().unwrap_or_default();
        let origin = next().to_owned();
        let count = next().parse().unwrap_or_default();
        let texts: Vec<&str> = (0..count).map(|_: usize| next()).collect();
        if origin.is_empty() {
            return (None, Vec::new());
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/.-[]_".contains(&byte);
        if !origin.starts_with("http") || !origin.bytes().all(is_plain) {
            return (None, vec![format!("{origin:?} is not an origin; expected one such as https://bidder.example")]);
        }
        match Keys::new(texts) {
            Ok(keys) => (Some(Notices { origin, keys }), Vec::new()),
            Err(error) => (None, vec![format!("the keys of notices: {error}")]),
        }
    }
}
