//! The assets that a native ad lacks, in words.

use super::super::comparison::Comparison;
use super::super::rejection::Rejection;
use super::super::words::{distinct_list, size};
use catalog::{Media, Native};
use openrtb::request::{Asset, AssetKind, Size};
use rules::native::answers;

/// For each native ad of the campaign, what it has, and the first required asset that it lacks. If it lacks none, all
/// assets of the request are listed.
pub(super) fn comparison(rejection: &Rejection<'_, '_>) -> Comparison {
    let assets = rejection.imp.and_then(|imp| imp.native).map_or(&[][..], |offer| offer.assets);
    let (mut own, mut wanted) = (Vec::new(), Vec::new());
    for creative in rejection.creatives() {
        let Media::Native(ad) = creative.media() else { continue };
        let mut all = answers(assets, &ad);
        let missing = all.find(|(asset, answer)| asset.required && answer.is_none()).map(|(asset, _)| asset);
        for asset in missing.map_or(assets, core::slice::from_ref) {
            own.push(has(&ad, &asset.kind));
            wanted.push(text(asset));
        }
    }
    (distinct_list(own), distinct_list(wanted))
}

fn text(asset: &Asset<'_>) -> String {
    let most = |len: i64| if len > 0 { format!(" of at most {len} characters") } else { String::new() };
    let kind = match asset.kind {
        AssetKind::Title { len } => format!("title{}", most(len)),
        AssetKind::Img { kind, size: exact, min } => {
            let kind = if kind > 0 { format!(" of type {kind}") } else { String::new() };
            match (exact == Size::default(), min == Size::default()) {
                (_, false) => format!("image{kind}, at least {}", size(min)),
                (false, true) => format!("image{kind}, {}", size(exact)),
                (true, true) => format!("image{kind}"),
            }
        }
        AssetKind::Data { kind, len } => format!("data of type {kind}{}", most(len)),
        AssetKind::Video { minduration, maxduration, .. } => format!("video of {minduration} to {maxduration} s"),
        AssetKind::Other => "of an unknown kind".into(),
    };
    format!("asset {}: {kind}", asset.id.map_or_else(|| "without a readable id".into(), |id| id.to_string()))
}

/// The ad's assets of this kind.
fn has(ad: &Native<'_>, kind: &AssetKind<'_>) -> String {
    let has: Vec<String> = match kind {
        AssetKind::Title { .. } => vec![format!("title of {} characters", ad.title().len())],
        AssetKind::Img { .. } => {
            let image = |(kind, w, h)| format!("image of type {kind}, {}", size(Size { w, h }));
            ad.img().iter().map(|img| image((img.kind(), img.w(), img.h()))).collect()
        }
        AssetKind::Data { .. } => {
            ad.data().iter().map(|(kind, text)| format!("data of type {kind} of {} characters", text.len())).collect()
        }
        AssetKind::Video { .. } => ad
            .video()
            .iter()
            .map(|video| format!("video of {} s, protocol {}", video.dur(), video.protocol()))
            .collect(),
        AssetKind::Other => Vec::new(),
    };
    if has.is_empty() { "none".into() } else { has.join(", ") }
}
