//! Checks a campaign against an impression, before a deal and a creative are chosen.

use super::{Checked, banner, deal, require, skadn};
use crate::catalog::{Campaign, Lists, Media, Parts};
use crate::frequency::Frequency;
use crate::no_bid::NoBidReason;
use crate::request::Imp;
use crate::targeting::{Facts, bounds, scan};

/// The checks on an impression that the index also makes: targeting, a deal or an open auction, media type and size.
pub fn check(imp: &Imp<'_>, campaign: &Campaign<'_>, parts: &Parts<'_>) -> Checked {
    scan::check_imp(imp, campaign.imp_rules(), Lists::of(parts))?;
    let holds = imp.deals.iter().any(|deal| deal::is_held(deal, campaign));
    require(holds || deal::check_open(imp, campaign).is_ok(), NoBidReason::Deal)?;
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
        skadn::check(imp, &bounds, signs_skadn)?;
    }
    require(campaign.exp() == 0 || imp.exp <= i64::from(campaign.exp()), NoBidReason::Exp)?;
    // An unknown person has no frequency to check.
    require(frequency.allows_campaign(campaign) || !facts.personal, NoBidReason::Frequency)
}

/// Whether the impression takes this type of media.
pub fn is_offered(imp: &Imp<'_>, media: &Media<'_>) -> bool {
    match media {
        Media::Banner(_) => imp.banner.is_some(),
        Media::Video(_) => imp.video.is_some(),
        Media::Audio(_) => imp.audio.is_some(),
        Media::Native(_) => imp.native.is_some(),
    }
}
