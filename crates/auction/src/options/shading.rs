//! Learned shading: the spot whose prices a bid tells about. The crate `shading` learns and bids.

use catalog::{Creative, Media, Shape};
use openrtb::request::Imp;
use rules::targeting::Facts;
use shading::Spot;

/// The spot whose prices a bid tells about.
pub(super) fn spot_of(facts: &Facts<'_>, imp: &Imp<'_>, creative: &Creative<'_>) -> Spot {
    let (kind, size) = match creative.media() {
        Media::Banner(banner) => (1, numbers_of(banner.shape())),
        Media::Video(_) => (2, [0; 2]),
        Media::Audio(_) => (3, [0; 2]),
        Media::Native(_) => (4, [0; 2]),
    };
    let devicetype = facts.request.device.devicetype.unwrap_or_default();
    Spot::of(imp.tagid, facts.channel.publisher_id, devicetype, kind, size)
}

fn numbers_of(shape: Shape) -> [i64; 2] {
    match shape {
        Shape::Fixed { w, h } => [w, h],
        Shape::Ratio { wratio, hratio, .. } => [wratio, hratio],
    }
}
