//! Which asset a native ad lacks, in words.

use super::rejection::Rejection;
use super::words::{few, size};
use bidder_wasm::catalog::{Media, Native};
use bidder_wasm::request::{Asset, AssetKind, Size};
use bidder_wasm::rules::native::answer;

/// What the campaign's native ads have, and the assets that they cannot answer: of each ad the first required one, or all
/// where none is required and none fits.
pub(super) fn sides(rejection: &Rejection<'_, '_>) -> (String, String) {
    let assets = rejection.imp.and_then(|imp| imp.native).map_or(&[][..], |offer| offer.assets);
    let (mut own, mut asked) = (Vec::new(), Vec::new());
    for creative in rejection.creatives() {
        let Media::Native(ad) = creative.media() else { continue };
        let missing = assets.iter().find(|asset| asset.required && answer(asset, &ad).is_none());
        for asset in missing.map_or(assets, core::slice::from_ref) {
            own.push(has(&ad, &asset.kind));
            asked.push(text(asset));
        }
    }
    (few(own), few(asked))
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
    format!("asset {}: {kind}", asset.id)
}

/// What the ad has of the kind.
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
