//! Matches a native ad to the assets that an impression asks for (Native Ads 1.2 §4, §5).

use super::{Checked, linear, require};
use crate::catalog::{Img, Linear, Native, Phrase};
use crate::flat::List;
use crate::no_bid::NoBidReason;
use crate::request::{self, Asset, AssetKind, Size};

/// A native ad's answer to one asset.
#[derive(Debug, Clone, Copy)]
pub enum Answer<'a> {
    /// A title, image or data asset, as a JSON fragment.
    Fragment(&'a str),
    /// A video, as VAST; [`player`] selects its files.
    Video(Linear<'a>),
}

/// Whether the ad can answer every required asset, and at least one.
pub(super) fn check(offer: &request::Native<'_>, ad: &Native<'_>) -> Checked {
    let mut any = false;
    for asset in offer.assets {
        let answered = answer(asset, ad).is_some();
        require(answered || !asset.required, NoBidReason::Asset)?;
        any |= answered;
    }
    require(any, NoBidReason::Asset)
}

/// The ad's answer to an asset; `None` if it has nothing that fits. A text that is too long does not fit and is never
/// cut: a cut sentence may say the wrong thing.
pub fn answer<'a>(asset: &Asset<'_>, ad: &Native<'a>) -> Option<Answer<'a>> {
    match asset.kind {
        AssetKind::Title { len } => fits(ad.title(), len).then_some(Answer::Fragment(ad.title().fragment())),
        AssetKind::Img { kind, size, min } => {
            let fitting = |img: &Img<'_>| (kind == 0 || kind == img.kind()) && img_fits(img, size, min);
            ad.img().iter().find(fitting).map(|img| Answer::Fragment(img.fragment()))
        }
        AssetKind::Data { kind, len } => {
            let fitting = |(own, text): &(i64, Phrase<'_>)| *own == kind && fits(*text, len);
            ad.data().iter().find(fitting).map(|(_, text)| Answer::Fragment(text.fragment()))
        }
        AssetKind::Video { .. } => {
            let plays = |video: &Linear<'_>| {
                player(asset).is_some_and(|player| linear::check(&player, video, List::default()).is_ok())
            };
            ad.video().filter(plays).map(Answer::Video)
        }
        AssetKind::Other => None,
    }
}

/// The player that a video asset asks for; `None` for the other kinds.
#[must_use]
pub fn player<'a>(asset: &Asset<'a>) -> Option<request::Linear<'a>> {
    let AssetKind::Video { mimes, minduration, maxduration, protocols } = asset.kind else { return None };
    Some(request::Linear { mimes, minduration, maxduration, protocols, ..request::Linear::default() })
}

/// `len` counts characters; 0 means no limit.
fn fits(text: Phrase<'_>, len: i64) -> bool {
    len <= 0 || text.len() <= len
}

/// `w` and `h` are exact sizes in pixels, `wmin` and `hmin` minimum sizes. With both, only the minimum counts, because
/// it allows more.
fn img_fits(img: &Img<'_>, size: Size, min: Size) -> bool {
    let within = |own: i64, exact: i64, least: i64| if least > 0 { own >= least } else { exact <= 0 || own == exact };
    within(img.w(), size.w, min.w) && within(img.h(), size.h, min.h)
}
