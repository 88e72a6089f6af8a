//! Checks a campaign against a request: SSP, seat, targeting, block and allow lists, and the Digital Services Act
//! (OpenRTB 2.6 §3.2.1, §3.2.3, §3.2.12).
//!
//! If all creatives of a campaign have the same advertiser, it is checked once, with the campaign. Otherwise the
//! advertiser of each creative is checked.

use super::{Checked, dsa, require};
use crate::targeting::{Facts, bounds, scan};
use base::{category, domain};
use catalog::{Advertiser, Campaign, Lists, Parts};
use openrtb::request::{Deal, Request};
use reasons::no_bid::NoBidReason;

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
    check_blocked(request, &campaign.advertiser())?;
    dsa::check(&request.regs.dsa, campaign)?;
    check_acat(request, &campaign.advertiser())
}

/// The checks on a request that the index does not make.
pub fn check_bounds(facts: &Facts<'_>, campaign: &Campaign<'_>) -> Checked {
    campaign.bounds().get(0).map_or(Ok(()), |bounds| bounds::check_request(facts, &bounds))
}

/// `wseat` lists the only seats that may bid, `bseat` the seats that may not.
fn seat_allowed(request: &Request<'_>, seat: &str) -> bool {
    (request.wseat.is_empty() || request.wseat.contains(&seat)) && !request.bseat.contains(&seat)
}

/// All checks of a creative's advertiser, under a deal or without one.
///
/// The error is always [`NoBidReason::Advertiser`]: a reason of a creative must come after the reasons of campaigns.
pub fn check_advertiser(request: &Request<'_>, deal: Option<&Deal<'_>>, advertiser: &Advertiser<'_>) -> Checked {
    let by_request = check_blocked(request, advertiser).and_then(|()| check_acat(request, advertiser));
    let checked = by_request.and_then(|()| deal.map_or(Ok(()), |deal| check_wadomain(deal, advertiser)));
    checked.map_err(|_| NoBidReason::Advertiser)
}

/// Whether no block list of the request names the advertiser, its categories or its app.
fn check_blocked(request: &Request<'_>, advertiser: &Advertiser<'_>) -> Checked {
    require(!blocked_domain(request, advertiser), NoBidReason::Badv)?;
    require(!blocked_category(request, advertiser), NoBidReason::Bcat)?;
    require(!blocked_app(request, advertiser), NoBidReason::Bapp)
}

/// `acat` must list each of the advertiser's categories or one above it: the exchange may check any of them.
fn check_acat(request: &Request<'_>, advertiser: &Advertiser<'_>) -> Checked {
    let allowed = |cat: &str| request.acat.iter().any(|listed| category::is_within(cat, listed));
    let cat = advertiser.cat();
    let all = request.cattax == advertiser.cattax() && !cat.is_empty() && cat.iter().all(allowed);
    require(request.acat.is_empty() || all, NoBidReason::Acat)
}

/// `wadomain` must list each domain of the advertiser: the exchange may check any of them.
pub(super) fn check_wadomain(deal: &Deal<'_>, advertiser: &Advertiser<'_>) -> Checked {
    let listed = || deal.wadomain.iter().flat_map(|entry| domain::hosts(entry));
    let allowed = |own: &str| listed().any(|listed| domain::is_within(own, listed));
    require(deal.wadomain.is_empty() || advertiser.adomain().iter().all(allowed), NoBidReason::DealWadomain)
}

fn blocked_domain(request: &Request<'_>, advertiser: &Advertiser<'_>) -> bool {
    let listed = || request.badv.iter().flat_map(|entry| domain::hosts(entry));
    let blocked = |domain: &str| listed().any(|listed| domain::is_within(domain, listed));
    advertiser.adomain().iter().any(blocked)
}

/// A blocked category blocks its children. Categories of different taxonomies cannot be compared: the campaign then
/// does not bid, because an SSP may close the account of a bidder with blocked ads.
fn blocked_category(request: &Request<'_>, advertiser: &Advertiser<'_>) -> bool {
    if request.bcat.is_empty() || advertiser.cat().is_empty() {
        return false;
    }
    let blocked = |cat: &str| request.bcat.iter().any(|listed| category::is_within(cat, listed));
    request.cattax != advertiser.cattax() || advertiser.cat().iter().any(blocked)
}

fn blocked_app(request: &Request<'_>, advertiser: &Advertiser<'_>) -> bool {
    let bundle = advertiser.bundle();
    !bundle.is_empty() && request.bapp.iter().any(|listed| listed.eq_ignore_ascii_case(bundle))
}
