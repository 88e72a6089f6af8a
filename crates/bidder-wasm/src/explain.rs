//! Listening to a decision: what each campaign failed on, told while the decision is made.
//!
//! The same code decides with and without a listener; without one, nothing is left of the calls.

use crate::catalog::Campaign;
use crate::no_bid::NoBidReason;
use crate::request::Imp;

/// Hears every rejection of a decision.
pub trait Recorder {
    /// A campaign stays out: of the whole request where `imp` is `None`, else of one way to bid on
    /// that impression (without a deal or under one of its deals).
    fn rejected(&mut self, campaign: &Campaign, imp: Option<&Imp<'_>>, reason: NoBidReason);
}

/// Listens to nothing.
impl Recorder for () {
    fn rejected(&mut self, _: &Campaign, _: Option<&Imp<'_>>, _: NoBidReason) {}
}
