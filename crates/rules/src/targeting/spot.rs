//! The object of an impression that a creative would fill: banner, video or audio (§3.2.6 to §3.2.8).

use catalog::Media;
use openrtb::request::{Imp, Linear};

/// The targetable attributes of the object. An attribute that this type of object does not have is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot<'a> {
    /// AdCOM placement position.
    pub pos: Option<i64>,
    /// Whether the banner is in the top frame, not in an iframe.
    pub topframe: Option<bool>,
    /// The video object.
    pub video: Option<&'a Linear<'a>>,
    /// The video or audio object: both have pods and a start delay.
    pub linear: Option<&'a Linear<'a>>,
}

impl<'a> Spot<'a> {
    /// The object that an ad of this type would fill; for a native ad, all attributes are unknown.
    #[must_use]
    pub fn of(imp: &Imp<'a>, media: &Media<'_>) -> Spot<'a> {
        match media {
            Media::Banner(_) => Spot::banner(imp),
            Media::Video(_) => Spot::video(imp),
            Media::Audio(_) => Spot::audio(imp),
            Media::Native(_) => Spot::default(),
        }
    }

    /// The banner, video and audio objects of an impression; if the impression lacks an object, all of its attributes
    /// are unknown.
    pub fn all(imp: &Imp<'a>) -> [Spot<'a>; 3] {
        [Spot::banner(imp), Spot::video(imp), Spot::audio(imp)]
    }

    fn banner(imp: &Imp<'a>) -> Spot<'a> {
        let banner = imp.banner.as_ref();
        Spot {
            pos: banner.and_then(|banner| banner.pos),
            topframe: banner.and_then(|banner| banner.topframe),
            ..Spot::default()
        }
    }

    fn video(imp: &Imp<'a>) -> Spot<'a> {
        Spot { pos: imp.video.and_then(|video| video.pos), video: imp.video, linear: imp.video, ..Spot::default() }
    }

    fn audio(imp: &Imp<'a>) -> Spot<'a> {
        Spot { linear: imp.audio, ..Spot::default() }
    }
}

/// AdCOM "Slot Position in Pod": the last.
pub const LAST: i64 = -1;
/// The first.
pub const FIRST: i64 = 1;
/// The first or the last.
const FIRST_OR_LAST: i64 = 2;

/// The slots of a pod on offer: `slotinpod`, and if it is "first or last", also the first and the last slot.
pub fn slots(offer: &Linear<'_>) -> impl Iterator<Item = i64> + use<> {
    let either = offer.slotinpod == FIRST_OR_LAST;
    core::iter::once(offer.slotinpod).chain([FIRST, LAST].into_iter().filter(move |_| either))
}
