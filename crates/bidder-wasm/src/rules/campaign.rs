//! Checks a campaign against a request: SSP, seat, targeting, block lists and the Digital Services Act (OpenRTB 2.6
//! §3.2.1, §3.2.3).

use super::{Checked, dsa, require};
use crate::catalog::Campaign;
use crate::no_bid::NoBidReason;
use crate::request::Request;
use crate::targeting::{Facts, bounds, scan};
use crate::{category, domain};

/// The checks on a request that the index also makes. `ssp` is the SSP's place in the catalog.
pub fn check(facts: &Facts<'_>, ssp: usize, campaign: &Campaign<'_>) -> Checked {
    let is_ours = campaign.ssps().iter().any(|own| own as usize == ssp);
    require(campaign.ssps().is_empty() || is_ours, NoBidReason::Ssp)?;
    require(seat_allowed(facts.request, facts.ssp.name_of(campaign.seat())), NoBidReason::Seat)?;
    scan::check_request(facts, campaign.request_rules())?;
    let request = facts.request;
    require(!blocked_advertiser(request, campaign), NoBidReason::Badv)?;
    require(!blocked_category(request, campaign), NoBidReason::Bcat)?;
    require(!blocked_app(request, campaign), NoBidReason::Bapp)?;
    dsa::check(&request.regs.dsa, campaign)?;
    require(allowed_category(request, campaign), NoBidReason::Acat)
}

/// The checks on a request that the index does not make.
pub fn check_bounds(facts: &Facts<'_>, campaign: &Campaign<'_>) -> Checked {
    campaign.bounds().get(0).map_or(Ok(()), |bounds| bounds::check_request(facts, &bounds))
}

/// `wseat` lists the only seats that may bid, `bseat` the seats that may not.
fn seat_allowed(request: &Request<'_>, seat: &str) -> bool {
    (request.wseat.is_empty() || request.wseat.contains(&seat)) && !request.bseat.contains(&seat)
}

fn blocked_advertiser(request: &Request<'_>, campaign: &Campaign<'_>) -> bool {
    let listed = || request.badv.iter().flat_map(|entry| domain::hosts(entry));
    let blocked = |domain: &str| listed().any(|listed| domain::is_within(domain, listed));
    campaign.adomain().iter().any(blocked)
}

/// A blocked category blocks its children. Categories of different taxonomies cannot be compared: the campaign then
/// does not bid, because an SSP may close the account of a bidder with blocked ads.
fn blocked_category(request: &Request<'_>, campaign: &Campaign<'_>) -> bool {
    if request.bcat.is_empty() || campaign.cat().is_empty() {
        return false;
    }
    let blocked = |cat: &str| request.bcat.iter().any(|listed| category::is_within(cat, listed));
    request.cattax != campaign.cattax() || campaign.cat().iter().any(blocked)
}

/// `acat` must list each of the campaign's categories or its parent: the exchange may check any of them.
fn allowed_category(request: &Request<'_>, campaign: &Campaign<'_>) -> bool {
    let allowed = |cat: &str| request.acat.iter().any(|listed| category::is_within(cat, listed));
    request.acat.is_empty()
        || (request.cattax == campaign.cattax() && !campaign.cat().is_empty() && campaign.cat().iter().all(allowed))
}

fn blocked_app(request: &Request<'_>, campaign: &Campaign<'_>) -> bool {
    !campaign.bundle().is_empty() && request.bapp.iter().any(|listed| listed.eq_ignore_ascii_case(campaign.bundle()))
}
