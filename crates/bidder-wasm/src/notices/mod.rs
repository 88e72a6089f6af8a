//! Notices of our own: the URLs that exchanges, players and browsers call when a bid wins, bills or loses.
//!
//! A URL carries a [`Token`] that says what was bid. Nobody else can make a token, because it is signed. So the Worker
//! needs no memory of its bids to know what a notice is about.

#[cfg(feature = "abi")]
pub mod codec;
mod link;
mod token;

pub(crate) use link::{Link, Notice};
pub use token::{BadToken, Keys, Token, hash_of};

/// What it takes to write notice URLs and to read them.
#[derive(Debug)]
pub struct Notices {
    /// Scheme and host of the bidder, such as `https://bidder.example`.
    pub origin: String,
    /// The keys of the tokens.
    pub keys: Keys,
}
