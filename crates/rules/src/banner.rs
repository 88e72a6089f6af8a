//! Compares the size of a banner with those on offer (OpenRTB 2.6 §3.2.6, §3.2.10).

use catalog::Shape;
use openrtb::request::{Banner, Format, Size};
use reasons::no_bid::NoBidReason;

/// Whether the impression names a size. If not, it takes any fixed size, and the bid has no `w` and `h`.
pub fn makes_size_claim(offer: &Banner<'_>) -> bool {
    !offer.format.is_empty() || offer.size.w > 0 || offer.size.h > 0
}

/// The sizes on offer, in pixels. A missing side (0) takes any length. If there is a `format` list, the banner's own
/// `w` and `h` count only if both are present.
pub fn sizes(offer: &Banner<'_>) -> impl Iterator<Item = Size> {
    let own = Some(offer.size).filter(|size| offer.format.is_empty() || (size.w > 0 && size.h > 0));
    offer.format.iter().map(|format| format.size).chain(own).filter(|size| size.w > 0 || size.h > 0)
}

/// Whether the sizes on offer can be read.
pub fn has_readable_sizes(offer: &Banner<'_>) -> bool {
    offer.unreadable != Some(NoBidReason::Size)
}

/// Whether the shape is one of those on offer.
pub fn offers(offer: &Banner<'_>, shape: Shape) -> bool {
    match shape {
        _ if !has_readable_sizes(offer) => false,
        Shape::Fixed { w, h } => {
            let is = |offered: i64, own: i64| offered <= 0 || offered == own;
            !makes_size_claim(offer) || sizes(offer).any(|size| is(size.w, w) && is(size.h, h))
        }
        Shape::Ratio { wratio, hratio, wmin } => {
            let same = |format: &Format| {
                // Equal ratios such as 16:9 and 32:18 have equal cross products.
                format.wratio > 0
                    && i128::from(format.wratio) * i128::from(hratio) == i128::from(format.hratio) * i128::from(wratio)
                    && (format.wmin == 0 || format.wmin >= wmin)
            };
            offer.format.iter().any(same)
        }
    }
}
