//! Receives the rejections of a decision: which campaigns do not bid, and why.
//!
//! With a listening recorder, a decision checks every campaign; without one, only the candidates from the index. The
//! checks are the same code. For `()`, which does not listen, the calls compile to nothing.

use crate::bid::Bid;
use catalog::Campaign;
use openrtb::request::{Deal, Imp};
use reasons::no_bid::NoBidReason;

/// Receives every rejection of a decision.
pub trait Recorder {
    /// Whether the decision must check every campaign, not only the candidates from the index.
    const LISTENS: bool = true;

    /// A campaign is rejected: for the whole request if `imp` is `None`, else for this impression under `deal`, or
    /// without a deal.
    fn rejected(
        &mut self,
        campaign: &Campaign<'_>,
        imp: Option<&Imp<'_>>,
        deal: Option<&Deal<'_>>,
        reason: NoBidReason,
    );

    /// A campaign with this budget passes all checks before pacing on the impression at this place in the request,
    /// under a deal or without one. May be called several times for an impression.
    fn matched(&mut self, _budget: u32, _imp: usize) {}

    /// A possible bid loses to another bid on the same impression. No check failed, so this is not a no-bid reason.
    /// `unfit` says why the bid has no place in a dynamic pod that takes more ads. Only called if the recorder listens.
    fn outbid(&mut self, _bid: &Bid<'_>, _by: &Bid<'_>, _unfit: Option<Unfit<'_>>) {}
}

/// Why a bid has no place beside the bids in a dynamic pod, although the pod has room for another one.
#[derive(Debug, Clone, Copy)]
pub enum Unfit<'a> {
    /// The ad is too long.
    Seconds {
        /// The seconds of the ad.
        dur: i64,
        /// The seconds that the pod has left.
        left: i64,
    },
    /// The ad duplicates this one.
    Duplicate(Bid<'a>),
}

impl Unfit<'_> {
    /// The check that says the same of other places for an ad.
    pub fn reason(&self) -> NoBidReason {
        match self {
            Unfit::Seconds { .. } => NoBidReason::Duration,
            Unfit::Duplicate(_) => NoBidReason::PodDuplicate,
        }
    }
}

/// Does not listen.
impl Recorder for () {
    const LISTENS: bool = false;

    fn rejected(&mut self, _: &Campaign<'_>, _: Option<&Imp<'_>>, _: Option<&Deal<'_>>, _: NoBidReason) {}
}
