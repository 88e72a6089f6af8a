//! What an impression offers to a creative, for the rules of [`creatives`](mod@reasons::creatives).

use crate::form::Offered;
use catalog::{Ad, Media};
use openrtb::request::{Banner, Imp, Linear, Native, Request};
use reasons::no_bid::NoBidReason;

/// `imp.ssai` = 3: the ad and its trackers run on the server, so nothing of ours runs on the device.
const ALL_SERVER_SIDE: i64 = 3;

/// The object of an impression that a creative would fill.
pub type Object<'r> = Ad<&'r Banner<'r>, &'r Linear<'r>, &'r Native<'r>>;

/// What a rule looks at. A rule that does not concern the object has no value here.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offer<'r> {
    /// The request.
    pub request: Option<&'r Request<'r>>,
    /// The impression.
    pub imp: Option<&'r Imp<'r>>,
    /// The object.
    pub object: Option<Object<'r>>,
}

/// The object that takes this type of media.
pub fn object<'r>(imp: &'r Imp<'r>, media: &Media<'_>) -> Option<Object<'r>> {
    match media {
        Media::Banner(_) => imp.banner.as_ref().map(Ad::Banner),
        Media::Video(_) => imp.video.map(Ad::Video),
        Media::Audio(_) => imp.audio.map(Ad::Audio),
        Media::Native(_) => imp.native.as_ref().map(Ad::Native),
    }
}

/// The most objects of an impression.
pub const MAX_OBJECTS: usize = 4;

/// All objects of an impression.
pub fn objects<'r>(imp: &'r Imp<'r>) -> impl Iterator<Item = Object<'r>> + Clone {
    let all: [_; MAX_OBJECTS] = [
        imp.banner.as_ref().map(Ad::Banner),
        imp.video.map(Ad::Video),
        imp.audio.map(Ad::Audio),
        imp.native.as_ref().map(Ad::Native),
    ];
    all.into_iter().flatten()
}

/// The first reason of what restricts ads in this object and cannot be read.
pub fn unreadable(object: &Object<'_>) -> Option<NoBidReason> {
    match object {
        Ad::Banner(offer) => offer.unreadable,
        Ad::Video(offer) | Ad::Audio(offer) => offer.unreadable,
        Ad::Native(offer) => offer.unreadable,
    }
}

#[allow(clippy::inline_always, reason = "the compiler leaves out the rules that do not concern this object")]
impl<'r> Offer<'r> {
    #[inline(always)]
    pub(crate) fn banner(&self) -> Option<&'r Banner<'r>> {
        if let Some(Ad::Banner(offer)) = self.object { Some(offer) } else { None }
    }

    #[inline(always)]
    pub(crate) fn linear(&self) -> Option<&'r Linear<'r>> {
        if let Some(Ad::Video(offer) | Ad::Audio(offer)) = self.object { Some(offer) } else { None }
    }

    #[inline(always)]
    pub(crate) fn mimes(&self) -> Option<&'r [&'r str]> {
        if let Some(offer) = self.linear() { Some(offer.mimes) } else { Some(self.banner()?.mimes) }
    }

    #[inline(always)]
    pub(crate) fn api(&self) -> Option<&'r [i64]> {
        Some(match self.object? {
            Ad::Banner(offer) => offer.api,
            Ad::Video(offer) | Ad::Audio(offer) => offer.api,
            Ad::Native(offer) => offer.api,
        })
    }

    #[inline(always)]
    pub(crate) fn battr(&self) -> Option<&'r [i64]> {
        Some(match self.object? {
            Ad::Banner(offer) => offer.battr,
            Ad::Video(offer) | Ad::Audio(offer) => offer.battr,
            Ad::Native(offer) => offer.battr,
        })
    }

    #[inline(always)]
    pub(crate) fn is_all_server_side(&self) -> Option<bool> {
        Some(self.imp?.ssai == ALL_SERVER_SIDE)
    }

    /// `wlang` and `wlangb` are one list in two notations.
    #[inline(always)]
    pub(crate) fn languages(&self) -> Option<Offered<'r>> {
        let request = self.request?;
        Some(Offered::Tags([request.wlang, request.wlangb]))
    }
}
