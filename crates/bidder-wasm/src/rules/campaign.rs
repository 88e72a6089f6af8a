//! Checks a campaign against a request: SSP, seat, targeting, block lists and the Digital Services Act (OpenRTB 2.6
//! §3.2.1, §3.2.3).

use super::{Checked, advertiser, dsa, require};
use crate::catalog::{Campaign, Lists, Parts};
use crate::no_bid::NoBidReason;
use crate::request::Request;
use crate::targeting::{Facts, bounds, scan};

/// The checks on a request that the index also makes. `ssp` is the SSP's place in the catalog.
pub fn check(facts: &Facts<'_>, ssp: usize, campaign: &Campaign<'_>, parts: &Parts<'_>) -> Checked {
    let is_ours = campaign.ssps().iter().any(|own| own as usize == ssp);
    require(campaign.ssps().is_empty() || is_ours, NoBidReason::Ssp)?;
    require(seat_allowed(facts.request, facts.ssp.name_of(campaign.seat())), NoBidReason::Seat)?;
    scan::check_request(facts, campaign.request_rules(), Lists::of(parts))?;
    let request = facts.request;
    if campaign.has_advertisers() {
        return dsa::check(&request.regs.dsa, campaign);
    }
    advertiser::check_blocked(request, &campaign.advertiser())?;
    dsa::check(&request.regs.dsa, campaign)?;
    advertiser::check_acat(request, &campaign.advertiser())
}

/// The checks on a request that the index does not make.
pub fn check_bounds(facts: &Facts<'_>, campaign: &Campaign<'_>) -> Checked {
    campaign.bounds().get(0).map_or(Ok(()), |bounds| bounds::check_request(facts, &bounds))
}

/// `wseat` lists the only seats that may bid, `bseat` the seats that may not.
fn seat_allowed(request: &Request<'_>, seat: &str) -> bool {
    (request.wseat.is_empty() || request.wseat.contains(&seat)) && !request.bseat.contains(&seat)
}
