//! Who may bid on what: each rule is one function that says yes or why not, and nothing else.
//!
//! The rules look at one campaign, deal or creative at a time. They do not rank, price or write.

pub(crate) mod banner;
pub mod campaign;
pub(crate) mod category;
pub mod creative;
pub mod deal;
pub(crate) mod domain;
pub(crate) mod dsa;
pub mod facts;
pub mod imp;
mod linear;
pub mod native;
pub mod pod;
pub(crate) mod target;

pub(crate) use linear::{has_room, playable};

use crate::no_bid::NoBidReason;

/// Passed, or the first reason why not.
pub type Verdict = Result<(), NoBidReason>;

/// `Ok` when the rule holds, else the reason.
pub(crate) fn require(holds: bool, reason: NoBidReason) -> Verdict {
    if holds { Ok(()) } else { Err(reason) }
}
