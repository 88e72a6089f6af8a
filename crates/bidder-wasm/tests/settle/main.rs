//! Reading notices: what a sound notice costs, and that no other one books anything.
//!
//! `tokens.rs` and `prices.rs` have what must not be billed, each with its reason; `sound.rs` has what is billed;
//! `table.rs` runs `fixtures/notices.tsv`.

#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]

#[path = "../fixture_table/mod.rs"]
mod fixture_table;
mod misuse;
mod office;
mod prices;
mod sound;
mod table;
mod tokens;
