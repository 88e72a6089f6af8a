//! What a player of video or audio takes, besides what its lists say (OpenRTB 2.6 §3.2.7, §3.2.8, §7.4, §7.6).

#![allow(clippy::inline_always, reason = "the compiler leaves out the rules that do not concern the part")]

use crate::offer::Offer;
use crate::own::Own;
use openrtb::request::Linear;

/// AdCOM creative attribute "has a skip button of its own".
const OWN_SKIP_BUTTON: i64 = 16;

/// Whether the player takes an ad of this duration.
#[inline(always)]
pub(crate) fn has_duration(own: &Own<'_>, offer: &Offer<'_>) -> bool {
    own.linear().zip(offer.linear()).is_none_or(|(ad, offer)| duration_accepted(offer, ad.dur()))
}

/// A player that allows skipping shows a button of its own (§7.4), and two buttons confuse people. Only an ad that is
/// longer than `skipmin` may be skipped (§3.2.7).
#[inline(always)]
pub(crate) fn has_one_skip_button(own: &Own<'_>, offer: &Offer<'_>) -> bool {
    own.linear().zip(offer.linear()).is_none_or(|(ad, offer)| {
        let may_skip = offer.skip != Some(true) && (offer.skipmin <= 0 || ad.dur() > offer.skipmin);
        may_skip || !own.attr().is_some_and(|attr| attr.contains(&OWN_SKIP_BUTTON))
    })
}

/// Whether an ad or a file has the player's aspect ratio, if the player shows no boxes around it.
#[inline(always)]
pub(crate) fn needs_no_boxes(own: &Own<'_>, offer: &Offer<'_>) -> bool {
    let size = own.file().map(|file| (file.w(), file.h())).or_else(|| own.linear().map(|ad| (ad.w(), ad.h())));
    size.zip(offer.linear()).is_none_or(|((w, h), offer)| fills(offer, w, h))
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
