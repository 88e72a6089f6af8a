//! Checks a video or audio ad against `imp.video` or `imp.audio` (OpenRTB 2.6 §3.2.7, §3.2.8, §7.4, §7.6).

use super::{Checked, banner, require};
use catalog::{Companion, MediaFile, Shape};
use flat::List;
use openrtb::request::{Banner, Linear};
use reasons::no_bid::NoBidReason;

/// AdCOM creative attribute "has a skip button of its own".
const OWN_SKIP_BUTTON: i64 = 16;

/// Whether the ad may be played. `attr` are the creative's attributes.
pub(super) fn check(offer: &Linear<'_>, ad: &catalog::Linear<'_>, attr: List<'_, i64>) -> Checked {
    // If no file is playable, report the reason of the file that passed the most checks.
    let mut refusals = ad.vast().files().iter().map(|file| refusal(offer, &file));
    let furthest = refusals.try_fold(NoBidReason::Mimes, |furthest, refusal| Some(furthest.max(refusal?)));
    let boxed = furthest == Some(NoBidReason::Boxing);
    furthest.filter(|_| !boxed).map_or(Ok(()), Err)?;
    require(offer.protocols.is_empty() || offer.protocols.contains(&ad.protocol()), NoBidReason::Protocols)?;
    require(offer.linearity == 0 || offer.linearity == ad.linearity(), NoBidReason::Linearity)?;
    require(duration_accepted(offer, ad.dur()), NoBidReason::Duration)?;
    // A player that allows skipping shows a button of its own (§7.4), and two buttons confuse people. Only an ad that is
    // longer than `skipmin` may be skipped (§3.2.7).
    let may_skip = offer.skip != Some(true) && (offer.skipmin <= 0 || ad.dur() > offer.skipmin);
    require(may_skip || !attr.contains(&OWN_SKIP_BUTTON), NoBidReason::Skip)?;
    require(!boxed && fills(offer, ad.w(), ad.h()), NoBidReason::Boxing)?;
    let companions = &ad.vast().companions();
    let beside = || companions.ads().iter().any(|companion| has_room(offer, &companion));
    require(!companions.required() || beside(), NoBidReason::Companion)
}

/// Whether a companion slot takes the companion. A slot is a banner object (§3.2.7 `companionad`) with its own blocked
/// attributes and API frameworks.
pub fn has_room(offer: &Linear<'_>, companion: &Companion<'_>) -> bool {
    let kind = offer.companiontype.is_empty() || offer.companiontype.contains(&companion.kind());
    let shape = Shape::Fixed { w: companion.w(), h: companion.h() };
    let takes = |slot: &Banner<'_>| {
        slot.unreadable.is_none()
            && banner::offers(slot, shape)
            && banner::takes(slot, companion.mime())
            && !slot.btype.contains(&companion.btype())
            && !companion.attr().iter().any(|attr| slot.battr.contains(&attr))
            && companion.api().iter().all(|needed| slot.api.contains(&needed))
    };
    kind && offer.companionad.iter().any(takes)
}

/// Whether the player takes this file. Unknown values of the file pass. Absent `mimes` pass too: OpenRTB requires
/// `mimes`, but some requests lack them.
pub fn playable(offer: &Linear<'_>, file: &MediaFile<'_>) -> bool {
    refusal(offer, file).is_none()
}

/// Why the player does not take this file.
fn refusal(offer: &Linear<'_>, file: &MediaFile<'_>) -> Option<NoBidReason> {
    let delivery = || offer.delivery.is_empty() || file.delivery() == 0 || offer.delivery.contains(&file.delivery());
    if !accepts_type(offer, file) {
        Some(NoBidReason::Mimes)
    } else if !accepts_bitrate(offer, file) {
        Some(NoBidReason::Bitrate)
    } else if !delivery() {
        Some(NoBidReason::Delivery)
    } else {
        (!fills(offer, file.w(), file.h())).then_some(NoBidReason::Boxing)
    }
}

fn accepts_type(offer: &Linear<'_>, file: &MediaFile<'_>) -> bool {
    let mime = file.mime();
    offer.mimes.is_empty() || offer.mimes.iter().any(|accepted| accepted.eq_ignore_ascii_case(mime))
}

fn accepts_bitrate(offer: &Linear<'_>, file: &MediaFile<'_>) -> bool {
    file.bitrate() == 0
        || (offer.minbitrate <= file.bitrate() && (offer.maxbitrate <= 0 || file.bitrate() <= offer.maxbitrate))
}

/// Whether the player takes an ad of this duration. All durations are in seconds. `rqddurs` replaces `minduration` and
/// `maxduration`. No ad is longer than a dynamic pod (`poddur`).
pub fn duration_accepted(offer: &Linear<'_>, dur: i64) -> bool {
    if offer.poddur > 0 && dur > offer.poddur {
        return false;
    }
    if !offer.rqddurs.is_empty() {
        return offer.rqddurs.contains(&dur);
    }
    let extended = offer.maxextended < 0 || dur <= offer.maxduration.saturating_add(offer.maxextended);
    offer.minduration <= dur && (offer.maxduration <= 0 || extended)
}

/// Whether an ad or a file has the player's aspect ratio, if the player shows no boxes around it; true if a size is
/// unknown.
pub fn fills(offer: &Linear<'_>, w: i64, h: i64) -> bool {
    let known = [offer.size.w, offer.size.h, w, h].into_iter().all(|side| side > 0);
    offer.boxingallowed != Some(false)
        || !known
        || i128::from(offer.size.w) * i128::from(h) == i128::from(offer.size.h) * i128::from(w)
}
