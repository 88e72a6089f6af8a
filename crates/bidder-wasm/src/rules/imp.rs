//! A campaign against an impression, whatever it would show there and under which deal.

use super::facts::Facts;
use super::{Verdict, require, target};
use crate::catalog::Campaign;
use crate::context::Standing;
use crate::no_bid::NoBidReason;
use crate::request::Imp;

/// Whether the campaign may bid on the impression at all.
pub fn check(facts: &Facts<'_>, imp: &Imp<'_>, campaign: &Campaign, standing: Standing) -> Verdict {
    target::check_imp(facts, imp, &campaign.target)?;
    require(campaign.exp == 0 || imp.exp <= campaign.exp, NoBidReason::Exp)?;
    // How often a person saw something is not known of nobody.
    require(!standing.capped || !facts.personal, NoBidReason::Frequency)
}
