//! Notices of our own: the URLs that exchanges, players and browsers call when a bid wins, bills or loses.
//!
//! A URL carries a [`Token`] that says what was bid. Others cannot make tokens, because a token is signed. So the Worker
//! needs no memory of its bids to know what a notice is about.
//!
//! A URL has only characters that need no escape in JSON, in HTML attributes or in the CDATA of XML.

mod blake3;
mod lane;
mod notice;
pub mod settle;
mod token;

use core::num::NonZeroU8;

use base::hash::{fnv, hex, spread};
pub use notice::{Bills, Notice};
use shading::Spot;
pub use token::{BadToken, Keys, ONE, Text, Texts, Token, UNSHADED, part_of, shard_of};

/// Seconds of a quarter of an hour, by which bids and bills are counted.
pub const QUARTER_S: u32 = 900;

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
pub fn is_origin(text: &str) -> bool {
    let host = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":.-[]_".contains(&byte);
    !host.is_empty() && host.bytes().all(is_plain)
}

/// The notice URLs of one bid.
#[derive(Debug, Clone, Copy)]
pub struct Link<'n> {
    origin: &'n str,
    token: Text<'n>,
    bills: Bills,
    /// Whether one showing may count for several impressions.
    multiplied: bool,
    /// The spot to learn about from the loss, and from the bill, with its check; 0: none.
    spot: u64,
}

impl<'n> Link<'n> {
    /// The URLs of a bid.
    pub fn of(notices: &'n Notices, token: Text<'n>, bills: Bills, multiplied: bool, spot: Spot) -> Link<'n> {
        let spot = if spot == Spot::default() { 0 } else { with_check(spot, token) };
        Link { origin: &notices.origin, token, bills, multiplied, spot }
    }

    /// Whether the exchange gets this notice's URL as an attribute of the bid, unless the campaign has its own.
    pub fn is_attribute(&self, notice: Notice) -> bool {
        match notice {
            Notice::Win | Notice::Loss => true,
            Notice::Bill => self.bills.by_burl,
            Notice::Imp => false,
        }
    }

    /// Itself if the markup calls a notice when the ad is shown.
    pub fn in_markup(&self) -> Option<&Self> {
        self.bills.in_markup.then_some(self)
    }

    /// Appends the URL.
    pub fn url(&self, out: &mut String, notice: Notice) {
        let [head, tail] = self.token.of(notice);
        for part in [self.origin, notice.path(), head, tail, notice.macros()] {
            out.push_str(part);
        }
        if self.multiplied && notice != Notice::Loss {
            out.push_str("&x=${AUCTION_MULTIPLIER}");
        }
        if self.spot != 0 && (notice == Notice::Loss || self.bills.by(notice)) {
            out.push_str("&s=");
            hex(out, self.spot, 16);
        }
    }
}

/// The spot of a bid, and a check. The check depends on the URL for the loss of the bid, which a page does not see. So a
/// page that sees the URL of an impression cannot name another spot.
fn with_check(spot: Spot, token: Text<'_>) -> u64 {
    let [_, secret] = token.of(Notice::Loss);
    let hash = fnv(spot.0.to_be_bytes().into_iter().chain(secret.bytes()));
    u64::from(spot.0) << 32 | u64::from(spread(hash, u32::MAX))
}

/// The spot in a notice of the bid with this token, written by [`Link::url`]; `None` if the check is wrong.
pub(crate) fn spot_of(text: &str, token: Text<'_>) -> Option<Spot> {
    let signed = u64::from_str_radix(text, 16).ok()?;
    let spot = Spot(u32::try_from(signed >> 32).ok()?);
    (with_check(spot, token) == signed).then_some(spot)
}

#[cfg(test)]
mod tests {
    use super::{Notice, Notices};

    const KEY: &str = "a-key-of-the-tests-a-key-of-the-tests";

    #[test]
    fn the_path_of_a_notice_has_its_name() {
        for notice in Notice::ALL {
            assert_eq!(notice.path(), format!("/n/{notice}/", notice = notice.as_str()));
        }
    }

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
