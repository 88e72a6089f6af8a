//! Both sides of a check that all creatives of a campaign failed, in words.

use super::rejection::Rejection;
use super::words::{distinct_list, join, list, nonzero_or_unknown, range, size, text_or_unknown};
use super::{assets, floor};
use bidder_wasm::catalog::{Creative, Linear, Media, MediaFile, Shape};
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::request::{self, Banner, Imp, Size};
use bidder_wasm::rules::imp::is_offered;
use bidder_wasm::targeting::Spot;

/// The values of the creatives, and what the impression offers or blocks.
// One arm for each reason.
#[allow(clippy::too_many_lines)]
pub(super) fn sides(reason: R, rejection: &Rejection<'_, '_>) -> (String, String) {
    let own =
        |text: &dyn Fn(&Creative<'_>) -> String| distinct_list(rejection.creatives().map(|creative| text(&creative)));
    let imp = rejection.imp.copied().unwrap_or_default();
    let banner = imp.banner.unwrap_or_default();
    match reason {
        R::MediaType => (own(&|creative| media_name(&creative.media()).into()), media_offered(&imp)),
        R::Size => (own(&|creative| shape(&creative.media())), imp.banner.as_ref().map_or_else(String::new, sizes)),
        R::Btype => {
            let btype = own(&|creative| join(btype(creative), ", "));
            (format!("btype {btype}"), format!("btype {}", blocked(rejection, |_| banner.btype, self::btype)))
        }
        R::Expdir => (
            own(&|creative| {
                if let Media::Banner(ad) = &creative.media() { list(ad.expdir().iter()) } else { String::new() }
            }),
            list(banner.expdir),
        ),
        R::Mimes => (
            own(&mimes),
            offered(rejection, &|media| match media {
                Media::Banner(_) => Some(list(banner.mimes)),
                media => linear(&imp, media).map(|offer| list(offer.mimes)),
            }),
        ),
        R::Bitrate => (
            own(&|creative| files(creative, |file| file.bitrate())),
            players(rejection, &|offer| range(&offer.minbitrate.to_string(), &nonzero_or_unknown(offer.maxbitrate))),
        ),
        R::Delivery => (
            own(&|creative| files(creative, |file| file.delivery())),
            players(rejection, &|offer| list(offer.delivery)),
        ),
        R::Protocols => (
            own(&|creative| of_linear(creative, |ad| ad.protocol().to_string())),
            players(rejection, &|offer| list(offer.protocols)),
        ),
        R::Linearity => (
            own(&|creative| of_linear(creative, |ad| ad.linearity().to_string())),
            players(rejection, &|offer| nonzero_or_unknown(offer.linearity)),
        ),
        R::Duration => {
            (own(&|creative| of_linear(creative, |ad| format!("{} s", ad.dur()))), players(rejection, &durations))
        }
        R::Skip => ("a skip button of its own (attr 16)".into(), "a player with a skip button (skip 1)".into()),
        R::Boxing => (
            own(&|creative| {
                of_linear(creative, |ad| {
                    let files = ad.vast().files().iter().map(|file| Size { w: file.w(), h: file.h() });
                    let known = files.filter(|size| size.w > 0).chain([Size { w: ad.w(), h: ad.h() }]);
                    distinct_list(known.map(size))
                })
            }),
            players(rejection, &|offer| size(offer.size)),
        ),
        R::Companion => (own(&|creative| of_linear(creative, companions)), players(rejection, &companion_slots)),
        R::Asset => assets::sides(rejection),
        R::Api => (
            own(&|creative| list(creative.api().iter())),
            offered(rejection, &|media| Some(list(lists(&imp, media).0))),
        ),
        R::Battr => {
            let attr = own(&|creative| join(creative.attr().iter(), ", "));
            let blocks = |media: &Media<'_>| lists(&imp, media).1;
            (
                format!("attr {attr}"),
                format!("battr {}", blocked(rejection, blocks, |creative| creative.attr().iter().collect())),
            )
        }
        R::Secure => (insecure(rejection), "https only (secure 1)".into()),
        R::Ssai => ("code on the device (clientside)".into(), "no code on the device (ssai 3)".into()),
        R::Wlang => {
            let request = rejection.facts.request;
            (own(&|creative| text_or_unknown(creative.language())), list([request.wlang, request.wlangb].concat()))
        }
        R::FloorUnreadable => floor::unreadable(rejection),
        R::Rate => floor::rates(rejection),
        _ => floor::sides(rejection),
    }
}

/// `text` of each media object that one of the campaign's creatives would fill: `banner 1, video 3`.
pub(super) fn spots(rejection: &Rejection<'_, '_>, text: &dyn Fn(&Spot<'_>) -> String) -> String {
    let imp = rejection.imp.copied().unwrap_or_default();
    let media = rejection.creatives().map(|creative| creative.media()).filter(|media| is_offered(&imp, media));
    distinct_list(media.map(|media| format!("{} {}", media_name(&media), text(&Spot::of(&imp, &media)))))
}

/// `text` of the media objects that the campaign's creatives would fill, with their names if the texts differ. `text`
/// returns `None` for an object without the attribute.
fn offered(rejection: &Rejection<'_, '_>, text: &dyn Fn(&Media<'_>) -> Option<String>) -> String {
    let imp = rejection.imp.copied().unwrap_or_default();
    let mut all: Vec<(&str, String)> = Vec::new();
    for media in rejection.creatives().map(|creative| creative.media()).filter(|media| is_offered(&imp, media)) {
        all.extend(text(&media).map(|text| (media_name(&media), text)));
    }
    all.dedup();
    match all.as_slice() {
        [(_, text)] => text.clone(),
        all => distinct_list(all.iter().map(|(name, text)| format!("{name} {text}"))),
    }
}

/// [`offered`] for video and audio alone.
fn players(rejection: &Rejection<'_, '_>, text: &dyn Fn(&request::Linear<'_>) -> String) -> String {
    let imp = rejection.imp.copied().unwrap_or_default();
    offered(rejection, &|media| linear(&imp, media).map(text))
}

fn linear<'a>(imp: &Imp<'a>, media: &Media<'_>) -> Option<&'a request::Linear<'a>> {
    match media {
        Media::Video(_) => imp.video,
        Media::Audio(_) => imp.audio,
        Media::Banner(_) | Media::Native(_) => None,
    }
}

/// `api` and `battr` of the media object that the creative would fill.
fn lists<'a>(imp: &Imp<'a>, media: &Media<'_>) -> (&'a [i64], &'a [i64]) {
    let both = match media {
        Media::Banner(_) => imp.banner.map(|offer| (offer.api, offer.battr)),
        Media::Video(_) => imp.video.map(|offer| (offer.api, offer.battr)),
        Media::Audio(_) => imp.audio.map(|offer| (offer.api, offer.battr)),
        Media::Native(_) => imp.native.map(|offer| (offer.api, offer.battr)),
    };
    both.unwrap_or_default()
}

/// Each creative would fill a media object: the creative's numbers, e.g. its attributes, that this object blocks.
fn blocked<'a>(
    rejection: &Rejection<'_, '_>,
    blocks: impl Fn(&Media<'_>) -> &'a [i64],
    own: impl Fn(&Creative<'_>) -> Vec<i64>,
) -> String {
    let numbers = rejection.creatives().flat_map(|creative| {
        let blocks = blocks(&creative.media());
        own(&creative).into_iter().filter(|number| blocks.contains(number)).collect::<Vec<_>>()
    });
    distinct_list(numbers.map(|number| format!("{number} blocked")))
}

/// The allowed durations: `rqddurs` replaces the range, `maxextended` extends it, `poddur` limits a dynamic pod.
fn durations(offer: &request::Linear<'_>) -> String {
    let range = if offer.rqddurs.is_empty() {
        let extended = match offer.maxextended {
            ..0 => ", extended without limit (maxextended)".into(),
            0 => String::new(),
            more => format!(", extended by {more} (maxextended)"),
        };
        format!("{}{extended}", range(&offer.minduration.to_string(), &nonzero_or_unknown(offer.maxduration)))
    } else {
        list(offer.rqddurs)
    };
    if offer.poddur > 0 { format!("{range}, in a pod of {} (poddur)", offer.poddur) } else { range }
}

fn companion_slots(offer: &request::Linear<'_>) -> String {
    let slots = list(offer.companionad.iter().map(sizes));
    if offer.companiontype.is_empty() { slots } else { format!("{slots}, type {}", list(offer.companiontype)) }
}

fn companions(ad: &Linear<'_>) -> String {
    list(ad.vast().companions().ads().iter().map(|ad| format!("{}x{} type {}", ad.w(), ad.h(), ad.kind())))
}

fn media_offered(imp: &Imp<'_>) -> String {
    let kinds = [
        ("banner", imp.banner.is_some()),
        ("video", imp.video.is_some()),
        ("audio", imp.audio.is_some()),
        ("native", imp.native.is_some()),
    ];
    list(kinds.iter().filter(|(_, is_offered)| *is_offered).map(|(name, _)| name))
}

/// The name of the object of an impression that takes this type of media.
pub(super) fn media_name(media: &Media<'_>) -> &'static str {
    match media {
        Media::Banner(_) => "banner",
        Media::Video(_) => "video",
        Media::Audio(_) => "audio",
        Media::Native(_) => "native",
    }
}

fn sizes(offer: &Banner<'_>) -> String {
    let formats = offer.format.iter().map(|format| {
        if format.wratio > 0 { format!("{}:{}", format.wratio, format.hratio) } else { size(format.size) }
    });
    let own = offer.size.w > 0 || offer.size.h > 0;
    list(formats.chain(own.then(|| size(offer.size))))
}

fn shape(media: &Media<'_>) -> String {
    match media {
        Media::Banner(ad) => match ad.shape() {
            Shape::Fixed { w, h } => size(Size { w, h }),
            Shape::Ratio { wratio, hratio, .. } => format!("{wratio}:{hratio}"),
        },
        Media::Video(_) | Media::Audio(_) | Media::Native(_) => String::new(),
    }
}

fn btype(creative: &Creative<'_>) -> Vec<i64> {
    if let Media::Banner(ad) = &creative.media() { vec![ad.btype()] } else { Vec::new() }
}

fn mimes(creative: &Creative<'_>) -> String {
    match &creative.media() {
        Media::Banner(ad) => ad.mime().into(),
        Media::Video(ad) | Media::Audio(ad) => list(ad.vast().files().iter().map(|file| file.mime())),
        Media::Native(_) => String::new(),
    }
}

fn of_linear(creative: &Creative<'_>, text: impl Fn(&Linear<'_>) -> String) -> String {
    if let Media::Video(ad) | Media::Audio(ad) = &creative.media() { text(ad) } else { String::new() }
}

fn files(creative: &Creative<'_>, value: impl Fn(MediaFile<'_>) -> i64) -> String {
    of_linear(creative, |ad| list(ad.vast().files().iter().map(&value)))
}

/// The campaign's notices and creatives that use plain HTTP.
fn insecure(rejection: &Rejection<'_, '_>) -> String {
    let campaign = &rejection.campaign;
    let notices =
        [campaign.nurl(), campaign.burl(), campaign.lurl()].into_iter().filter_map(crate::compile::plain_http);
    let notices = notices.map(|url| format!("the notice {url}"));
    let creatives = rejection.creatives().filter(|creative| !creative.texts().secure);
    distinct_list(notices.chain(creatives.map(|creative| format!("plain http in {}", creative.crid()))))
}
