//! A banner against what is offered (OpenRTB 2.6 §3.2.6, §3.2.10).

use super::{Checked, require};
use crate::catalog::{self, Shape};
use crate::no_bid::NoBidReason;
use crate::request::{Banner, Format, Size};

/// Whether the banner, whose shape is on offer, may be shown.
pub(super) fn check(offer: &Banner<'_>, ad: &catalog::Banner<'_>) -> Checked {
    require(!offer.btype.contains(&ad.btype()), NoBidReason::Btype)?;
    require(takes(offer, ad.mime()), NoBidReason::Mimes)?;
    require(ad.expdir().iter().all(|direction| offer.expdir.contains(&direction)), NoBidReason::Expdir)
}

/// Whether the impression says anything about size. One that does not takes any fixed size, and
/// the bid then names none.
pub(crate) fn makes_size_claim(offer: &Banner<'_>) -> bool {
    !offer.format.is_empty() || offer.size.w > 0 || offer.size.h > 0
}

/// The sizes on offer. Of one with half a size, the other half is free; the banner's own has to be whole where it stands beside
/// a list.
pub(crate) fn sizes(offer: &Banner<'_>) -> impl Iterator<Item = Size> {
    let own = Some(offer.size).filter(|size| offer.format.is_empty() || (size.w > 0 && size.h > 0));
    offer.format.iter().map(|format| format.size).chain(own).filter(|size| size.w > 0 || size.h > 0)
}

/// Whether content of this type may be shown.
pub(super) fn takes(offer: &Banner<'_>, mime: &str) -> bool {
    offer.mimes.is_empty() || offer.mimes.iter().any(|listed| listed.eq_ignore_ascii_case(mime))
}

/// Whether the shape is one of those on offer.
pub(crate) fn offers(offer: &Banner<'_>, shape: Shape) -> bool {
    match shape {
        Shape::Fixed { w, h } => {
            let is = |told: i64, own: i64| told <= 0 || told == own;
            !makes_size_claim(offer) || sizes(offer).any(|size| is(size.w, w) && is(size.h, h))
        }
        Shape::Ratio { wratio, hratio, wmin } => {
            // 16:9 is 32:18, and a width that was not told may be any.
            let same = |format: &Format| {
                // An ad's sides are above 0, so no format without one has its ratio.
                format.wratio > 0
                    && i128::from(format.wratio) * i128::from(hratio) == i128::from(format.hratio) * i128::from(wratio)
                    && (format.wmin == 0 || format.wmin >= wmin)
            };
            offer.format.iter().any(same)
        }
    }
}
