//! Settles notices: reads the URL that an exchange called, and says what it costs or why it costs nothing. Books
//! nothing itself; the Worker's ledger does.

pub mod codec;
mod directory;
mod price_keys;
mod verdict;

pub use directory::Directory;
pub use price_keys::PriceKeys;
pub use verdict::{Cost, Desk, Differs, Effect, Verdict, Why};
