//! A video or audio ad against what is offered (OpenRTB 2.6 §3.2.7, §3.2.8).

use super::{Verdict, require};
use crate::catalog;
use crate::no_bid::NoBidReason;
use crate::request::Linear;

/// Whether the ad may be played.
pub(super) fn check(offer: &Linear<'_>, ad: &catalog::Linear) -> Verdict {
    require(ad.vast.files.iter().any(|(mime, _)| playable(offer, mime)), NoBidReason::Mimes)?;
    require(offer.protocols.is_empty() || offer.protocols.contains(&ad.protocol), NoBidReason::Protocols)?;
    require(offer.linearity == 0 || offer.linearity == ad.linearity, NoBidReason::Linearity)?;
    require(duration_accepted(offer, ad.dur), NoBidReason::Duration)
}

/// Whether files of this type can be played. `mimes` is required by the spec; where it is absent
/// all the same, nothing is known and anything is tried.
pub(crate) fn playable(offer: &Linear<'_>, mime: &str) -> bool {
    offer.mimes.is_empty() || offer.mimes.iter().any(|accepted| accepted.eq_ignore_ascii_case(mime))
}

/// `rqddurs` replaces `minduration` and `maxduration` where both came.
fn duration_accepted(offer: &Linear<'_>, dur: i64) -> bool {
    if !offer.rqddurs.is_empty() {
        return offer.rqddurs.contains(&dur);
    }
    offer.minduration <= dur && (offer.maxduration <= 0 || dur <= offer.maxduration)
}
