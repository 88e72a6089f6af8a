//! Checks a campaign against the deals of an impression (OpenRTB 2.6 §3.2.11, §3.2.12).

use super::{Checked, advertiser, require};
use crate::catalog::Campaign;
use crate::no_bid::NoBidReason;
use crate::pace::Lots;
use crate::request::{Deal, Imp};

/// Whether this deal is one of the campaign's deals.
pub fn is_held(deal: &Deal<'_>, campaign: &Campaign<'_>) -> bool {
    campaign.deals().iter().any(|id| id == deal.id.value)
}

/// Whether a campaign that has this deal may bid under it, without the checks of its creatives. `seat` is the SSP's name for the campaign's seat.
pub fn check(deal: &Deal<'_>, campaign: &Campaign<'_>, seat: &str) -> Checked {
    let seat = deal.wseat.is_empty() || deal.wseat.contains(&seat);
    require(seat, NoBidReason::DealWseat)?;
    if campaign.has_advertisers() { Ok(()) } else { advertiser::check_wadomain(deal, &campaign.advertiser()) }
}

/// Whether the campaign may bid on the impression without a deal.
pub fn check_open(imp: &Imp<'_>, campaign: &Campaign<'_>) -> Checked {
    require(campaign.open() && !imp.private_auction, NoBidReason::Deal)
}

/// Whether pacing lets a campaign with this budget bid on the request. Pacing does not hold back a bid under a
/// guaranteed deal.
pub fn check_pacing(deal: Option<&Deal<'_>>, budget: u32, lots: &mut Lots<'_>) -> Checked {
    require(deal.is_some_and(|deal| deal.guar) || lots.let_through(budget), NoBidReason::Pacing)
}
