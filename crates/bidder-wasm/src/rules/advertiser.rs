//! Checks an advertiser against the block and allow lists of a request and a deal (OpenRTB 2.6 §3.2.1, §3.2.12).
//!
//! If all creatives of a campaign have the same advertiser, the campaign is checked once. Otherwise each creative is
//! checked.

use super::{Checked, require};
use crate::catalog::Advertiser;
use crate::no_bid::NoBidReason;
use crate::request::{Deal, Request};
use crate::{category, domain};

/// All checks of a creative's advertiser, under a deal or without one.
///
/// The error is always [`NoBidReason::Advertiser`]: a reason of a creative must come after the reasons of campaigns.
pub fn check_own(request: &Request<'_>, deal: Option<&Deal<'_>>, advertiser: &Advertiser<'_>) -> Checked {
    let by_request = check_blocked(request, advertiser).and_then(|()| check_acat(request, advertiser));
    let checked = by_request.and_then(|()| deal.map_or(Ok(()), |deal| check_wadomain(deal, advertiser)));
    checked.map_err(|_| NoBidReason::Advertiser)
}

/// Whether no block list of the request names the advertiser, its categories or its app.
pub(super) fn check_blocked(request: &Request<'_>, advertiser: &Advertiser<'_>) -> Checked {
    require(!blocked_domain(request, advertiser), NoBidReason::Badv)?;
    require(!blocked_category(request, advertiser), NoBidReason::Bcat)?;
    require(!blocked_app(request, advertiser), NoBidReason::Bapp)
}

/// `acat` must list each of the advertiser's categories or its parent: the exchange may check any of them.
pub(super) fn check_acat(request: &Request<'_>, advertiser: &Advertiser<'_>) -> Checked {
    let allowed = |cat: &str| request.acat.iter().any(|listed| category::is_within(cat, listed));
    let cat = advertiser.cat();
    let all = request.cattax == advertiser.cattax() && !cat.is_empty() && cat.iter().all(allowed);
    require(request.acat.is_empty() || all, NoBidReason::Acat)
}

/// `wadomain` must list each domain of the advertiser: the exchange may check any of them.
pub(super) fn check_wadomain(deal: &Deal<'_>, advertiser: &Advertiser<'_>) -> Checked {
    let allowed = |own: &str| deal.wadomain.iter().any(|listed| domain::is_within(own, listed));
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
