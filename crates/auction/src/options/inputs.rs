//! The first seam: what the host gives options before a decision, and the checks that need it.

use crate::bid::Bid;
use catalog::{Campaign, Creative, Parts};
use openrtb::request::Imp;
use reasons::no_bid::{Checked, NoBidReason, require};
use rules::frequency::Frequency;
use rules::targeting::Facts;
use rules::work::{self, Meter};
use shading::Curves;

/// The inputs of options.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs<'c> {
    /// Frequency caps: which campaigns and creatives may bid for the person.
    pub frequency: Frequency<'c>,
    /// Frequency caps: the number of the object that counts the person's impressions, for the tokens of bids with caps; 0
    /// if none does.
    pub counted_by: u16,
    /// Learned shading: what was learned about the prices that win; `None` before it is known.
    pub curves: Option<&'c Curves>,
    /// SKAdNetwork: whether the host signs bids; if not, no bid carries them.
    pub signs: bool,
}

/// The names of the options that a catalog uses.
pub(crate) fn used_by(parts: &Parts<'_>) -> Vec<&'static str> {
    let all = [("caps", parts.has_caps()), ("shading", parts.learns()), ("skadn", parts.needs().skadn)];
    all.into_iter().filter(|(_, is_used)| *is_used).map(|(name, _)| name).collect()
}

impl Inputs<'_> {
    /// The checks of a campaign on an impression that the index does not make.
    pub(crate) fn check_imp(&self, facts: &Facts<'_>, imp: &Imp<'_>, campaign: &Campaign<'_>) -> Checked {
        rules::imp::check_bounds(facts, imp, campaign, self.frequency, self.signs)
    }

    /// The checks of a creative, before all others.
    pub(crate) fn check_creative(&self, facts: &Facts<'_>, creative: &Creative<'_>) -> Checked {
        require(self.frequency.allows_creative(creative) || !facts.personal, NoBidReason::Frequency)
    }

    /// Whether a bid may be sent together with the `others` on the request.
    pub(crate) fn check_beside(&self, bid: &Bid<'_>, others: &[Bid<'_>]) -> Checked {
        require(bid.is_allowed_beside(others, self.frequency), NoBidReason::Frequency)
    }

    /// Charges [`Inputs::check_beside`] to the meter.
    pub(crate) fn charge_beside(campaign: &Campaign<'_>, others: usize, meter: &Meter) {
        meter.charge(work::of_caps(campaign, others));
    }
}
