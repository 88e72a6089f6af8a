//! Matches a native ad to the assets that an impression asks for (Native Ads 1.2 §4, §5).

use core::ops::Range;

use super::{Checked, linear, require};
use catalog::{Linear, Native, NativePart};
use openrtb::request::{self, Asset, AssetKind};
use reasons::no_bid::NoBidReason;

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

/// The assets, each with the ad's answer, or `None` if the ad has nothing that fits. If parts of the ad are scarce, the
/// required assets get them, and then as many others as possible. If a required asset gets none, neither do
/// those behind it, nor any optional one.
pub fn answers<'r, 'a>(
    assets: &'r [Asset<'r>],
    ad: &'r Native<'a>,
) -> impl Iterator<Item = (&'r Asset<'r>, Option<Answer<'a>>)> {
    let mut parts = Parts { assets, ad, owners: [0; MAX_PARTS] };
    let required = (1..=u16::MAX).zip(assets).filter(|(_, asset)| asset.required);
    if required.map(|(number, _)| number).all(|number| parts.give(number, &mut 0)) {
        for (number, _) in (1..=u16::MAX).zip(assets).filter(|(_, asset)| !asset.required) {
            // No honest request has so many assets, and matching each of them would take too long.
            if assets.len() > MAX_PARTS {
                parts.give_free(number)
            } else {
                parts.give(number, &mut 0)
            };
        }
    }
    (1..=u16::MAX).zip(assets).map(move |(number, asset)| (asset, parts.answer(number)))
}

/// Each of the first parts of the ad answers one asset at most, so that a request cannot make the answer long by
/// repeating assets.
const MAX_PARTS: usize = 64;
const TITLE: usize = 0;
const VIDEO: usize = 1;
const IMAGES: usize = 2;

/// The parts of an ad, and the number of the asset that each answers: 1 for the first one, 0 for none.
struct Parts<'r, 'a> {
    assets: &'r [Asset<'r>],
    ad: &'r Native<'a>,
    owners: [u16; MAX_PARTS],
}

impl<'r, 'a> Parts<'r, 'a> {
    /// Gives an asset a part. If others have all that fit, one of them may get another part instead (an augmenting path).
    /// `tried`: the bits of parts whose owners were asked already.
    fn give(&mut self, number: u16, tried: &mut u64) -> bool {
        self.give_free(number)
            || self.fitting(number).any(|part| {
                let is_new = *tried >> part & 1 == 0;
                *tried |= 1 << part;
                is_new && self.give(self.owner(part), tried) && self.set(part, number)
            })
    }

    /// Gives an asset a part that no other has.
    fn give_free(&mut self, number: u16) -> bool {
        let free = self.fitting(number).find(|part| self.owner(*part) == 0);
        free.is_some_and(|part| self.set(part, number))
    }

    fn owner(&self, part: usize) -> u16 {
        self.owners.get(part).copied().unwrap_or_default()
    }

    fn set(&mut self, part: usize, number: u16) -> bool {
        self.owners.get_mut(part).map(|owner| *owner = number).is_some()
    }

    fn asset(&self, number: u16) -> Option<&'r Asset<'r>> {
        self.assets.get(usize::from(number).checked_sub(1)?)
    }

    /// The parts that fit an asset.
    fn fitting(&self, number: u16) -> impl Iterator<Item = usize> + use<'r, 'a> {
        let (asset, ad) = (self.asset(number), self.ad);
        let all = asset.map_or(0..0, |asset| parts_for(&asset.kind, ad));
        all.filter(move |part| asset.is_some_and(|asset| is_fitting(asset, ad, *part)))
    }

    fn answer(&self, number: u16) -> Option<Answer<'a>> {
        let mut parts = parts_for(&self.asset(number)?.kind, self.ad);
        let part = parts.find(|part| self.owner(*part) == number)?;
        match part {
            TITLE => Some(Answer::Fragment(self.ad.title().fragment())),
            VIDEO => self.ad.video().map(Answer::Video),
            _ => {
                let (images, at) = (self.ad.img(), part - IMAGES);
                let text = || self.ad.data().get(at - images.len()).map(|(_, text)| text.fragment());
                images.get(at).map(|img| img.fragment()).or_else(text).map(Answer::Fragment)
            }
        }
    }
}

/// The parts of the ad that are of an asset's kind.
fn parts_for(kind: &AssetKind<'_>, ad: &Native<'_>) -> Range<usize> {
    let texts = IMAGES + ad.img().len();
    let Range { start, end } = match kind {
        AssetKind::Title { .. } => TITLE..VIDEO,
        AssetKind::Video { .. } => VIDEO..IMAGES,
        AssetKind::Img { .. } => IMAGES..texts,
        AssetKind::Data { .. } => texts..texts + ad.data().len(),
        AssetKind::Other => 0..0,
    };
    start..end.min(MAX_PARTS)
}

/// Whether a part of the asset's kind can answer it. A text that is too long does not fit and is never cut: a cut
/// sentence may say the wrong thing.
fn is_fitting(asset: &Asset<'_>, ad: &Native<'_>, part: usize) -> bool {
    match part {
        TITLE => fits(&asset.kind, NativePart::Title { len: ad.title().len() }),
        VIDEO => {
            ad.video().zip(player(asset)).is_some_and(|(video, player)| linear::check_video(&player, &video).is_ok())
        }
        _ => {
            let (images, at) = (ad.img(), part - IMAGES);
            let text =
                || ad.data().get(at - images.len()).map(|(kind, text)| NativePart::Data { kind, len: text.len() });
            let image = images.get(at).map(|img| NativePart::Img { kind: img.kind(), w: img.w(), h: img.h() });
            image.or_else(text).is_some_and(|own| fits(&asset.kind, own))
        }
    }
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
pub fn fits(asset: &AssetKind<'_>, part: NativePart) -> bool {
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
