//! A campaign against the deals of an impression (OpenRTB 2.6 §3.2.11, §3.2.12).

use super::{Checked, require};
use crate::catalog::Campaign;
use crate::context::Standing;
use crate::domain;
use crate::no_bid::NoBidReason;
use crate::request::{Deal, Imp, Request};

/// Whether the campaign holds this deal.
pub fn is_held(deal: &Deal<'_>, campaign: &Campaign<'_>) -> bool {
    campaign.deals().iter().any(|id| id == deal.id.value)
}

/// Whether the campaign, whose seat the SSP calls `seat`, may bid under this deal, which it holds.
pub fn check(deal: &Deal<'_>, campaign: &Campaign<'_>, seat: &str) -> Checked {
    let seat = deal.wseat.is_empty() || deal.wseat.contains(&seat);
    require(seat, NoBidReason::DealWseat)?;
    // Every domain has to be welcome: the exchange may read any of them.
    let welcome = |own: &str| deal.wadomain.iter().any(|listed| domain::is_within(own, listed));
    require(deal.wadomain.is_empty() || campaign.adomain().iter().all(welcome), NoBidReason::DealWadomain)
}

/// Whether the campaign may bid on the impression without a deal.
pub fn check_open(imp: &Imp<'_>, campaign: &Campaign<'_>) -> Checked {
    require(campaign.open() && !imp.private_auction, NoBidReason::Deal)
}

/// Whether the campaign's pace lets it bid on this request. A guaranteed deal obliges it to.
pub fn check_pacing(
    request: &Request<'_>,
    deal: Option<&Deal<'_>>,
    campaign: &Campaign<'_>,
    standing: Standing,
) -> Checked {
    let obliged = deal.is_some_and(|deal| deal.guar);
    require(obliged || standing.lets_through(request.id.value, campaign.cid()), NoBidReason::Pacing)
}
