//! Checks a campaign against an impression and its deals, before a creative is chosen (OpenRTB 2.6 §3.2.11, §3.2.12).

use super::{Checked, banner, campaign, require, skadn};
use crate::frequency::Frequency;
use crate::offer::object;
use crate::targeting::{Facts, bounds, scan};
use catalog::{Campaign, Lists, Media, Parts};
use openrtb::request::{Deal, Imp};
use reasons::no_bid::{NoBidReason, unless};

/// The checks on an impression that the index also makes: targeting, a deal or an open auction, media type and size.
pub fn check(imp: &Imp<'_>, campaign: &Campaign<'_>, parts: &Parts<'_>) -> Checked {
    scan::check_imp(imp, campaign.imp_rules(), Lists::of(parts))?;
    let holds = imp.deals.iter().any(|deal| is_held(deal, campaign));
    require(holds || check_open(imp, campaign).is_ok(), NoBidReason::Deal)?;
    let offered = parts.creatives_of(campaign).filter(|creative| is_offered(imp, &creative.media()));
    require(offered.clone().next().is_some(), NoBidReason::MediaType)?;
    let fits = |media: &Media<'_>| match media {
        Media::Banner(ad) => imp.banner.as_ref().is_some_and(|offer| banner::offers(offer, ad.shape())),
        Media::Video(_) | Media::Audio(_) | Media::Native(_) => true,
    };
    require(offered.into_iter().any(|creative| fits(&creative.media())), NoBidReason::Size)
}

/// The checks on an impression that the index does not make.
///
/// `signs_skadn`: whether bids for SKAdNetwork are signed.
pub fn check_bounds(
    facts: &Facts<'_>,
    imp: &Imp<'_>,
    campaign: &Campaign<'_>,
    frequency: Frequency<'_>,
    signs_skadn: bool,
) -> Checked {
    if let Some(bounds) = campaign.bounds().get(0) {
        bounds::check_imp(facts, imp, &bounds)?;
        skadn::check(facts.request, imp, &bounds, signs_skadn)?;
    }
    require(campaign.exp() == 0 || imp.exp <= i64::from(campaign.exp()), NoBidReason::Exp)?;
    // An unknown person has no frequency to check.
    require(frequency.allows_campaign(campaign) || !facts.personal, NoBidReason::Frequency)
}

/// Whether the impression takes this type of media.
pub fn is_offered(imp: &Imp<'_>, media: &Media<'_>) -> bool {
    object(imp, media).is_some()
}

/// Whether this deal is one of the campaign's deals.
fn is_held(deal: &Deal<'_>, campaign: &Campaign<'_>) -> bool {
    campaign.deals().iter().any(|id| id == deal.id.value)
}

/// Whether a campaign that has this deal may bid under it, without the checks of its creatives. `seat` is the SSP's
/// name for the campaign's seat.
pub fn check_deal(deal: &Deal<'_>, campaign: &Campaign<'_>, seat: &str) -> Checked {
    let seat = deal.wseat.is_empty() || deal.wseat.contains(&seat);
    let checked = require(seat, NoBidReason::DealWseat).and_then(|()| {
        if campaign.has_advertisers() { Ok(()) } else { campaign::check_wadomain(deal, &campaign.advertiser()) }
    });
    unless(deal.unreadable, checked)
}

/// Whether the campaign may bid on the impression without a deal.
pub fn check_open(imp: &Imp<'_>, campaign: &Campaign<'_>) -> Checked {
    require(campaign.open() && !imp.private_auction, NoBidReason::Deal)
}
