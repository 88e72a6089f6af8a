//! How campaigns keep to their budgets over thousands of isolates.
//!
//! ```text
//! isolate -> Counts -> relay (adds them up) -> pacer -> Shares -> relay -> isolate
//! ```
//!
//! An isolate counts what each campaign could have bid on and what it bid. The pacer compares that with the bills of the
//! ledger, and answers with shares: the part of its requests that each campaign may bid on.
//!
//! The crate has no clock, no randomness and no I/O. Money is integer: nanos, billionths of a unit of the campaign's
//! currency, for one impression.

pub mod counts;
pub mod shares;
