//! Checks a video or audio ad against `imp.video` or `imp.audio` (OpenRTB 2.6 §3.2.7, §3.2.8), with its files and
//! companions.

use super::{Checked, banner, rows};
use crate::offer::{Object, Offer};
use crate::own::Own;
use catalog::{Ad, Companion, MediaFile, Shape};
use openrtb::request::{Banner, Linear};
use reasons::no_bid::{NoBidReason, unless};

/// Whether the video of a native ad may be played.
pub(super) fn check_video(offer: &Linear<'_>, ad: &catalog::Linear<'_>) -> Checked {
    unless(nested(offer, ad), rows::check_whole(&Own::Video(*ad), &offer_of(offer)))
}

/// The first reason against the files and the companions of an ad.
pub(super) fn nested(offer: &Linear<'_>, ad: &catalog::Linear<'_>) -> Option<NoBidReason> {
    let (vast, player) = (ad.vast(), offer_of(offer));
    // If no file is playable, report the reason of the file that passed the most checks.
    let mut refusals = vast.files().iter().map(|file| rows::check(&Own::File(file), &player).err());
    let furthest = refusals.try_fold(NoBidReason::Mimes, |furthest, refusal| Some(furthest.max(refusal?)));
    furthest.or_else(|| {
        let companions = vast.companions();
        let beside = || companions.ads().iter().any(|companion| has_room(offer, &companion));
        (companions.required() && !beside()).then_some(NoBidReason::Companion)
    })
}

/// Whether a companion slot takes the companion. A slot is a banner object (§3.2.7 `companionad`) with its own blocked
/// attributes and API frameworks.
pub fn has_room(offer: &Linear<'_>, companion: &Companion<'_>) -> bool {
    let kind = offer.companiontype.is_empty() || offer.companiontype.contains(&companion.kind());
    let shape = Shape::Fixed { w: companion.w(), h: companion.h() };
    let takes = |slot: &Banner<'_>| {
        let offer = Offer { object: Some(Ad::Banner(slot)), ..Offer::default() };
        slot.unreadable.is_none()
            && banner::offers(slot, shape)
            && rows::check(&Own::Companion(*companion), &offer).is_ok()
    };
    kind && offer.companionad.iter().any(takes)
}

/// Whether the player takes this file. Unknown values of the file pass. Absent `mimes` pass too: OpenRTB requires
/// `mimes`, but some requests lack them.
pub fn playable(offer: &Linear<'_>, file: &MediaFile<'_>) -> bool {
    rows::check(&Own::File(*file), &offer_of(offer)).is_ok()
}

fn offer_of<'r>(player: &'r Linear<'r>) -> Offer<'r> {
    Offer { object: Some(Object::Video(player)), ..Offer::default() }
}
