//! Checks a video or audio ad against `imp.video` or `imp.audio` (OpenRTB 2.6 §3.2.7, §3.2.8), with its files and
//! companions.

use super::{Checked, banner, rows};
use crate::offer::{Object, Offer};
use crate::own::Own;
use catalog::{Ad, Companion, MediaFile, Shape};
use openrtb::request::{Banner, Linear};
use reasons::no_bid::{NoBidReason, require, unless};

/// Whether the video of a native ad may be played.
pub(super) fn check_video(offer: &Linear<'_>, ad: &catalog::Linear<'_>) -> Checked {
    check(offer, ad, &Own::Video(*ad), &offer_of(offer))
}

/// Checks an ad: its files, the ad `own` as a whole, then its companions, which take the most work. Reports the first reason.
pub(super) fn check(offer: &Linear<'_>, ad: &catalog::Linear<'_>, own: &Own<'_>, whole: &Offer<'_>) -> Checked {
    let (vast, player) = (ad.vast(), offer_of(offer));
    // If no file is playable, report the reason of the file that passed the most checks.
    let mut refusals = vast.files().iter().map(|file| rows::check(&Own::File(file), &player).err());
    let furthest = refusals.try_fold(NoBidReason::Mimes, |furthest, refusal| Some(furthest.max(refusal?)));
    // The rules about a whole ad begin here.
    if let Some(reason) = furthest.filter(|reason| *reason < NoBidReason::Protocols) {
        return Err(reason);
    }
    let checked = unless(furthest, rows::check_whole(own, whole));
    if checked.err().is_some_and(|reason| reason < NoBidReason::Companion) {
        return checked;
    }
    let companions = vast.companions();
    let beside = || companions.ads().iter().any(|companion| has_room(offer, &companion));
    require(!companions.required() || beside(), NoBidReason::Companion)?;
    checked
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
