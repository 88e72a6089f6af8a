//! Who may bid on what: each rule is one function that says yes or why not, and nothing else.
//!
//! The rules look at one campaign, deal or creative at a time. They do not rank, price or write.

pub mod campaign;
pub mod creative;
pub mod deal;
mod domain;
mod linear;
pub mod native;

pub(crate) use linear::playable;

use crate::no_bid::NoBidReason;

/// Passed, or the first reason why not.
pub type Verdict = Result<(), NoBidReason>;

/// `Ok` when the rule holds, else the reason.
fn require(holds: bool, reason: NoBidReason) -> Verdict {
    if holds { Ok(()) } else { Err(reason) }
}
