//! Listening to a decision: who stayed out and why, told while the decision is made.
//!
//! With a listener everybody is looked at, without one those whom the index lets through; the checks are the same
//! code. Without one, nothing is left of the calls.

mod assets;
mod bytes;
mod clock;
mod floor;
mod gate;
mod privacy;
mod report;
mod targeting;
mod values;
mod words;

pub use report::explain;

use crate::catalog::Campaign;
use crate::decide::Bid;
use crate::no_bid::NoBidReason;
use crate::request::{Deal, Imp};

/// Hears every rejection of a decision.
pub trait Recorder {
    /// Whether it wants to hear; without, a decision looks only at those who might bid.
    const LISTENS: bool = true;

    /// A campaign stays out: of the whole request where `imp` is `None`, else of one way to bid on
    /// that impression, under `deal` or without one.
    fn rejected(
        &mut self,
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: NoBidReason,
    );

    /// A bid that could be made gives way to another one on the same impression. No check failed, so it is no reason for a
    /// no-bid, and a decision that nobody listens to does not tell it.
    fn outbid(&mut self, _bid: &Bid<'_>, _by: &Bid<'_>) {}
}

/// Listens to nothing.
impl Recorder for () {
    const LISTENS: bool = false;

    fn rejected(&mut self, _: &Campaign<'_>, _: Option<&Imp<'_>>, _: Option<&Deal<'_>>, _: NoBidReason) {}
}
