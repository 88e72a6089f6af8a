//! How campaigns keep to their budgets over thousands of isolates.
//!
//! ```text
//! isolate -> Counts -> relay (adds them up) -> pacer -> Shares -> relay -> isolate
//! ```
//!
//! An isolate counts the impressions on which each campaign could have bid, and its bids. The pacer compares these
//! counts with the bills of the ledger, and answers with shares: the part of its requests that each campaign may bid
//! on.
//!
//! The crate has no clock, no randomness and no I/O. Money is integer: nanos, billionths of a unit of the campaign's
//! currency, for one impression.

mod account;
pub mod alarms;
mod amounts;
pub mod budget;
mod counting;
pub mod counts;
mod curve;
pub mod day;
mod delay;
mod exposure;
mod forget;
mod held;
pub mod law;
mod limits;
mod money;
mod news;
mod orders;
pub mod pacer;
mod packed;
pub mod part;
mod rates;
mod shards;
pub mod shares;
mod slots;
mod state;
pub mod terms;
pub mod why;
