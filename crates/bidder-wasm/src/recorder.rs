//! Listens to a decision: which campaigns stay out, and why.
//!
//! With a listener a decision checks every campaign, without one only those that the index lets through. The checks are the same
//! code. Without a listener the calls compile to nothing.

use crate::bid::Bid;
use crate::catalog::Campaign;
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
