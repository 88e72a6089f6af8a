//! Settles notices: reads the URL that an exchange called, and returns the cost of the impression or the reason why it
//! costs nothing. The Worker's ledger books it.

pub mod codec;
mod directory;
mod price_keys;
mod verdict;
mod why;

pub use directory::Directory;
pub use price_keys::PriceKeys;
pub use verdict::{Cost, Differs, Effect, NoticeReader, Verdict};
pub use why::Why;
