//! Matches a native ad to the assets that an impression asks for (Native Ads 1.2 §4, §5).

use super::{Checked, linear, require};
use crate::catalog::{Linear, Native, NativePart};
use crate::flat::List;
use crate::no_bid::NoBidReason;
use crate::request::{self, Asset, AssetKind};

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
    for (asset, answer) in answers(offer.assets, ad) {
        require(answer.is_some() || !asset.required, NoBidReason::Asset)?;
        any |= answer.is_some();
    }
    require(any, NoBidReason::Asset)
}

/// The assets, each with the ad's answer, or `None` if the ad has nothing that fits. Each of the first 64 parts of the
/// ad answers one asset at most, so that a request cannot make the answer long by repeating assets.
pub fn answers<'r, 'a>(
    assets: &'r [Asset<'r>],
    ad: &'r Native<'a>,
) -> impl Iterator<Item = (&'r Asset<'r>, Option<Answer<'a>>)> {
    let mut used = 0;
    assets.iter().map(move |asset| (asset, answer(asset, ad, &mut used)))
}

/// The ad's answer to an asset, by a part whose bit is not in `used` yet. A text that is too long does not fit and is
/// never cut: a cut sentence may say the wrong thing.
fn answer<'a>(asset: &Asset<'_>, ad: &Native<'a>, used: &mut u64) -> Option<Answer<'a>> {
    const IMAGES: usize = 2;
    let texts = IMAGES + ad.img().len();
    let known = *used;
    let is_left = |part: usize| part < 64 && known >> part & 1 == 0;
    let (part, answer) = match asset.kind {
        AssetKind::Title { .. } => {
            let title = ad.title();
            let is_fitting = fits(&asset.kind, NativePart::Title { len: title.len() });
            (0, is_fitting.then(|| Answer::Fragment(title.fragment())))
        }
        AssetKind::Video { .. } => {
            let plays = |video: &Linear<'_>| {
                player(asset).is_some_and(|player| linear::check(&player, video, List::default()).is_ok())
            };
            (1, ad.video().filter(plays).map(Answer::Video))
        }
        AssetKind::Img { .. } => {
            let mut images = (IMAGES..).zip(ad.img().iter());
            let found = images.find(|(part, img)| {
                let own = NativePart::Img { kind: img.kind(), w: img.w(), h: img.h() };
                is_left(*part) && fits(&asset.kind, own)
            });
            found.map_or((0, None), |(part, img)| (part, Some(Answer::Fragment(img.fragment()))))
        }
        AssetKind::Data { .. } => {
            let mut data = (texts..).zip(ad.data().iter());
            let found = data.find(|(part, (kind, text))| {
                is_left(*part) && fits(&asset.kind, NativePart::Data { kind: *kind, len: text.len() })
            });
            found.map_or((0, None), |(part, (_, text))| (part, Some(Answer::Fragment(text.fragment()))))
        }
        AssetKind::Other => (0, None),
    };
    let answer = answer.filter(|_| is_left(part))?;
    *used |= 1 << part;
    Some(answer)
}

/// The player that a video asset asks for; `None` for the other kinds.
pub fn player<'a>(asset: &Asset<'a>) -> Option<request::Linear<'a>> {
    let AssetKind::Video { mimes, minduration, maxduration, protocols } = asset.kind else { return None };
    Some(request::Linear { mimes, minduration, maxduration, protocols, ..request::Linear::default() })
}

/// Whether the part can answer an asset of this kind; a video also has to fit the asset's player.
///
/// A `len` counts characters; 0 means no limit. `w` and `h` are exact sizes in pixels, `wmin` and `hmin` minimum sizes.
/// With both, only the minimum counts, because it allows more.
pub(crate) fn fits(asset: &AssetKind<'_>, part: NativePart) -> bool {
    let is_short = |own: i64, len: i64| len <= 0 || own <= len;
    let within = |own: i64, exact: i64, least: i64| if least > 0 { own >= least } else { exact <= 0 || own == exact };
    match (*asset, part) {
        (AssetKind::Title { len }, NativePart::Title { len: own }) => is_short(own, len),
        (AssetKind::Img { kind, size, min }, NativePart::Img { kind: own, w, h }) => {
            (kind == 0 || kind == own) && within(w, size.w, min.w) && within(h, size.h, min.h)
        }
        (AssetKind::Data { kind, len }, NativePart::Data { kind: own, len: own_len }) => {
            kind == own && is_short(own_len, len)
        }
        (AssetKind::Video { .. }, NativePart::Video) => true,
        _ => false,
    }
}
