//! Checks a creative against an impression (OpenRTB 2.6 §3.2.4, §3.2.6 to §3.2.9), and whether the SSP has approved it.

use super::{Checked, banner, linear, native, require};
use crate::targeting::{Facts, Spot, scan};
use catalog::{Campaign, Creative, Media};
use openrtb::request::{Imp, Request};
use reasons::no_bid::{NoBidReason, unless};

/// `imp.ssai` = 3: the ad and its trackers run on the server, so nothing of ours runs on the device.
const ALL_SERVER_SIDE: i64 = 3;

/// The language code of a creative without words.
pub const WORDLESS: &str = "xx";

/// Whether the creative may be shown in the impression.
pub fn check(facts: &Facts<'_>, imp: &Imp<'_>, campaign: &Campaign<'_>, creative: &Creative<'_>) -> Checked {
    let media = creative.media();
    unless(unreadable(imp, &media), check_readable(facts, imp, campaign, (creative, &media)))
}

/// The first reason of what restricts ads of this type and cannot be read.
pub fn unreadable(imp: &Imp<'_>, media: &Media<'_>) -> Option<NoBidReason> {
    match media {
        Media::Banner(_) => imp.banner.as_ref()?.unreadable,
        Media::Video(_) => imp.video?.unreadable,
        Media::Audio(_) => imp.audio?.unreadable,
        Media::Native(_) => imp.native.as_ref()?.unreadable,
    }
}

/// The checks of what can be read.
fn check_readable(
    facts: &Facts<'_>,
    imp: &Imp<'_>,
    campaign: &Campaign<'_>,
    (creative, media): (&Creative<'_>, &Media<'_>),
) -> Checked {
    let targeted = || {
        let rules = campaign.spot_rules();
        // Most campaigns have no such rules.
        if rules.is_empty() { Ok(()) } else { scan::check_spot(&Spot::of(imp, media), rules) }
    };
    let (battr, api) = match media {
        Media::Banner(ad) => {
            let offer = imp.banner.as_ref().ok_or(NoBidReason::MediaType)?;
            require(banner::offers(offer, ad.shape()), NoBidReason::Size)?;
            targeted()?;
            banner::check(offer, ad)?;
            (offer.battr, offer.api)
        }
        Media::Video(ad) | Media::Audio(ad) => {
            let object = if matches!(media, Media::Video(_)) { imp.video } else { imp.audio };
            let offer = object.ok_or(NoBidReason::MediaType)?;
            targeted()?;
            linear::check(offer, ad, creative.attr())?;
            (offer.battr, offer.api)
        }
        Media::Native(ad) => {
            let offer = imp.native.as_ref().ok_or(NoBidReason::MediaType)?;
            targeted()?;
            native::check(offer, ad)?;
            (offer.battr, offer.api)
        }
    };
    require(creative.api().iter().all(|needed| api.contains(&needed)), NoBidReason::Api)?;
    require(!creative.attr().iter().any(|attr| battr.contains(&attr)), NoBidReason::Battr)?;
    // The campaign's notices go out with the creative.
    require((creative.texts().secure && campaign.texts().secure) || !imp.secure, NoBidReason::Secure)?;
    require(!creative.clientside() || imp.ssai != ALL_SERVER_SIDE, NoBidReason::Ssai)?;
    require(language_allowed(facts.request, creative.language()), NoBidReason::Wlang)?;
    let ssp = facts.ssp;
    require(!ssp.needs_approval() || ssp.approval_of(creative.crid()) == Some(""), NoBidReason::Approval)
}

/// `wlang` and `wlangb` are one list in two notations, compared without the region. A creative without a language fits
/// no list.
fn language_allowed(request: &Request<'_>, language: &str) -> bool {
    let listed = |tag: &&str| tag.split(['-', '_']).next().is_some_and(|tag| tag.eq_ignore_ascii_case(language));
    (request.wlang.is_empty() && request.wlangb.is_empty())
        || language == WORDLESS
        || request.wlang.iter().chain(request.wlangb).any(listed)
}
