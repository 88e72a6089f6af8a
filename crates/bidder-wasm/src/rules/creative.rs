//! A creative against an impression (OpenRTB 2.6 §3.2.4, §3.2.6 to §3.2.9).

use super::{Verdict, linear, native, require};
use crate::catalog::{Banner, Creative, Media};
use crate::no_bid::NoBidReason;
use crate::request::{self, Imp};

/// Whether the creative may be shown in the impression.
pub fn check(imp: &Imp<'_>, creative: &Creative) -> Verdict {
    let (battr, api) = match &creative.media {
        Media::Banner(ad) => {
            let offer = imp.banner.as_ref().ok_or(NoBidReason::MediaType)?;
            banner(offer, ad)?;
            (offer.battr, offer.api)
        }
        Media::Video(ad) => {
            let offer = imp.video.as_ref().ok_or(NoBidReason::MediaType)?;
            linear::check(offer, ad)?;
            (offer.battr, offer.api)
        }
        Media::Audio(ad) => {
            let offer = imp.audio.as_ref().ok_or(NoBidReason::MediaType)?;
            linear::check(offer, ad)?;
            (offer.battr, offer.api)
        }
        Media::Native(ad) => {
            let offer = imp.native.as_ref().ok_or(NoBidReason::MediaType)?;
            native::check(offer, ad)?;
            (offer.battr, offer.api)
        }
    };
    require(creative.api.iter().all(|needed| api.contains(needed)), NoBidReason::Api)?;
    require(!creative.attr.iter().any(|attr| battr.contains(attr)), NoBidReason::Battr)?;
    require(creative.secure || !imp.secure, NoBidReason::Secure)
}

fn banner(offer: &request::Banner<'_>, ad: &Banner) -> Verdict {
    require(!makes_size_claim(offer) || offers_size(offer, ad), NoBidReason::Size)?;
    require(!offer.btype.contains(&ad.btype), NoBidReason::Btype)?;
    let mime = offer.mimes.is_empty() || offer.mimes.iter().any(|mime| mime.eq_ignore_ascii_case(&ad.mime));
    require(mime, NoBidReason::Mimes)
}

/// Whether the impression says anything about size. One that does not takes any, and the bid
/// then names none.
pub fn makes_size_claim(offer: &request::Banner<'_>) -> bool {
    !offer.format.is_empty() || (offer.size.w > 0 && offer.size.h > 0)
}

fn offers_size(offer: &request::Banner<'_>, ad: &Banner) -> bool {
    offer.format.iter().chain([&offer.size]).any(|size| size.w == ad.w && size.h == ad.h)
}
