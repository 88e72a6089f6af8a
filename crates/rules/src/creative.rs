//! Checks a creative against an impression (OpenRTB 2.6 §3.2.4, §3.2.6 to §3.2.9), and whether the SSP has approved it.

use super::{Checked, banner, linear, native, require, rows};
use crate::offer::{Offer, object, unreadable};
use crate::own::Own;
use crate::targeting::{Facts, Spot, scan};
use catalog::{Ad, Campaign, Creative, Media};
use openrtb::request::Imp;
use reasons::no_bid::{NoBidReason, unless};

/// Whether the creative may be shown in the impression.
pub fn check(facts: &Facts<'_>, imp: &Imp<'_>, campaign: &Campaign<'_>, creative: &Creative<'_>) -> Checked {
    let media = creative.media();
    let object = object(imp, &media).ok_or(NoBidReason::MediaType)?;
    let offer = Offer { request: Some(facts.request), imp: Some(imp), object: Some(object) };
    unless(unreadable(&object), check_readable(facts, &offer, campaign, (creative, media)))
}

/// The checks of what can be read.
fn check_readable(
    facts: &Facts<'_>,
    offer: &Offer<'_>,
    campaign: &Campaign<'_>,
    (creative, media): (&Creative<'_>, Media<'_>),
) -> Checked {
    if let (Some(Ad::Banner(offer)), Media::Banner(ad)) = (offer.object, media) {
        require(banner::offers(offer, ad.shape()), NoBidReason::Size)?;
    }
    let rules = campaign.spot_rules();
    // Most campaigns have no such rules.
    if let Some(imp) = offer.imp.filter(|_| !rules.is_empty()) {
        scan::check_spot(&Spot::of(imp, &media), rules)?;
    }
    let own = Own::Creative { creative: *creative, media, has_safe_notices: campaign.texts().secure };
    match (offer.object, media) {
        (Some(Ad::Video(player) | Ad::Audio(player)), Media::Video(ad) | Media::Audio(ad)) => {
            linear::check(player, &ad, &own, offer)?;
        }
        (Some(Ad::Native(assets)), Media::Native(ad)) => {
            // No rule about a whole native ad comes before those about its assets.
            native::check(assets, &ad)?;
            rows::check_whole(&own, offer)?;
        }
        _ => rows::check_whole(&own, offer)?,
    }
    let ssp = facts.ssp;
    require(!ssp.needs_approval() || ssp.approval_of(creative.crid()) == Some(""), NoBidReason::Approval)
}
