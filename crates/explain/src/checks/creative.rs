//! Both sides of the checks of creatives, in words: what the campaign's creatives have, and what the impression
//! offers or blocks.

use super::super::comparison::Comparison;
use super::super::rejection::Rejection;
use super::super::words::{distinct_list, join, list, nonzero_or_unknown, range, size, text_or_unknown};
use super::assets;
use super::check::Check;
use catalog::{Creative, Linear, Media, MediaFile, Shape};
use openrtb::request::{self, Banner, Imp, Size};
use reasons::no_bid::NoBidReason as R;
use rules::imp::is_offered;

pub(super) const CHECKS: &[Check] = &[
    (R::MediaType, &["imp.banner", "imp.video", "imp.audio", "imp.native"], |r| {
        (r.own(|creative| media_name(&creative.media()).into()), media_offered(&r.imp()))
    }),
    (R::Size, &["imp.banner.format", "imp.banner.w", "imp.banner.h"], |r| {
        (r.own(|creative| shape(&creative.media())), r.imp().banner.as_ref().map_or(String::new(), sizes))
    }),
    (R::Btype, &["imp.banner.btype"], |r| blocked(r, ["btype"; 2], |offer| offer.btype, btype)),
    (R::Expdir, &["imp.banner.expdir"], |r| {
        let own = |creative: &Creative<'_>| match &creative.media() {
            Media::Banner(ad) => list(ad.expdir().iter()),
            _ => String::new(),
        };
        (r.own(own), list(r.imp().banner.unwrap_or_default().expdir))
    }),
    (R::Mimes, &["spot.mimes"], |r| (r.own(mimes), offered(r, |offer| offer.mimes.map(list)))),
    (R::Bitrate, &["spot.minbitrate", "spot.maxbitrate"], |r| {
        let taken =
            |offer: &request::Linear<'_>| range(&offer.minbitrate.to_string(), &nonzero_or_unknown(offer.maxbitrate));
        players(r, |ad| files(ad, |file| file.bitrate()), taken)
    }),
    (R::Delivery, &["spot.delivery"], |r| {
        players(r, |ad| files(ad, |file| file.delivery()), |offer| list(offer.delivery))
    }),
    (R::Protocols, &["spot.protocols|spot.protocol"], |r| {
        players(r, |ad| ad.protocol().to_string(), |offer| list(offer.protocols))
    }),
    (R::Linearity, &["spot.linearity"], |r| {
        players(r, |ad| ad.linearity().to_string(), |offer| nonzero_or_unknown(offer.linearity))
    }),
    (R::Duration, &["spot.minduration", "spot.maxduration", "spot.maxextended", "spot.rqddurs", "spot.poddur"], |r| {
        players(r, |ad| format!("{} s", ad.dur()), durations)
    }),
    (R::Skip, &["spot.skip", "?spot.skipmin"], |_| {
        let found = "a player with a skip button (skip 1), or only for longer ads (skipmin)";
        ("a skip button of its own (attr 16)".into(), found.into())
    }),
    (R::Boxing, &["spot.boxingallowed", "?spot.w", "?spot.h"], |r| {
        let known = |ad: &Linear<'_>| {
            let files = ad.vast().files().iter().map(|file| Size { w: file.w(), h: file.h() });
            distinct_list(files.filter(|size| size.w > 0).chain([Size { w: ad.w(), h: ad.h() }]).map(size))
        };
        players(r, known, |offer| size(offer.size))
    }),
    (R::Companion, &["spot.companionad", "?spot.companiontype"], |r| players(r, companions, companion_slots)),
    (R::Asset, &["imp.native.request"], assets::comparison),
    (R::Api, &["spot.api"], |r| {
        (r.own(|creative| list(creative.api().iter())), offered(r, |offer| Some(list(offer.api))))
    }),
    (R::Battr, &["spot.battr"], |r| {
        blocked(r, ["attr", "battr"], |offer| offer.battr, |creative| creative.attr().iter().collect())
    }),
    (R::Secure, &["imp.secure"], |r| (insecure(r), "https only (secure 1)".into())),
    (R::Ssai, &["imp.ssai"], |_| ("code on the device (clientside)".into(), "no code on the device (ssai 3)".into())),
    (R::Wlang, &["wlang", "?wlangb"], |r| {
        let listed = [r.request().wlang, r.request().wlangb].concat();
        (r.own(|creative| text_or_unknown(creative.language())), list(listed))
    }),
    (R::Approval, &[], |r| {
        let decided = |creative: Creative<'_>| match r.facts.ssp.approval_of(creative.crid()) {
            Some("") => None,
            Some(words) => Some(format!("{}: {words}", creative.crid())),
            None => Some(format!("{}: nothing in approvals", creative.crid())),
        };
        let wanted = format!("creatives that {} has approved (needs_approval)", r.facts.ssp.id());
        (distinct_list(r.creatives().filter_map(decided)), wanted)
    }),
];

/// The object of an impression that takes a type of media.
#[derive(Default)]
struct Offer<'a> {
    /// `None` if the object has no such attribute.
    mimes: Option<&'a [&'a str]>,
    api: &'a [i64],
    battr: &'a [i64],
    btype: &'a [i64],
    /// The object itself, if it takes video or audio.
    linear: Option<&'a request::Linear<'a>>,
}

/// The object that takes these media; an empty one if the impression has none.
fn offer<'a>(imp: &Imp<'a>, media: &Media<'_>) -> Offer<'a> {
    let linear = |linear: &'a request::Linear<'a>| {
        let request::Linear { mimes, api, battr, .. } = *linear;
        Offer { mimes: Some(mimes), api, battr, btype: &[], linear: Some(linear) }
    };
    let offer = match media {
        Media::Banner(_) => imp.banner.map(|Banner { mimes, api, battr, btype, .. }| Offer {
            mimes: Some(mimes),
            api,
            battr,
            btype,
            linear: None,
        }),
        Media::Video(_) => imp.video.map(linear),
        Media::Audio(_) => imp.audio.map(linear),
        Media::Native(_) => imp.native.map(|offer| Offer { api: offer.api, battr: offer.battr, ..Offer::default() }),
    };
    offer.unwrap_or_default()
}

/// `text` of the media objects that the campaign's creatives would fill, with their names if the texts differ. `text`
/// returns `None` for an object without the attribute.
fn offered(rejection: &Rejection<'_, '_>, text: impl Fn(Offer<'_>) -> Option<String>) -> String {
    let imp = rejection.imp();
    let mut all: Vec<(&str, String)> = Vec::new();
    for media in rejection.creatives().map(|creative| creative.media()).filter(|media| is_offered(&imp, media)) {
        all.extend(text(offer(&imp, &media)).map(|text| (media_name(&media), text)));
    }
    all.dedup();
    match all.as_slice() {
        [(_, text)] => text.clone(),
        all => distinct_list(all.iter().map(|(name, text)| format!("{name} {text}"))),
    }
}

/// A value of the campaign's video and audio ads, and what the players take.
fn players(
    rejection: &Rejection<'_, '_>,
    own: fn(&Linear<'_>) -> String,
    taken: fn(&request::Linear<'_>) -> String,
) -> Comparison {
    let of_ad = |creative: &Creative<'_>| match &creative.media() {
        Media::Video(ad) | Media::Audio(ad) => own(ad),
        Media::Banner(_) | Media::Native(_) => String::new(),
    };
    let wanted = distinct_list(rejection.creatives().map(|creative| of_ad(&creative)));
    (wanted, offered(rejection, |offer| offer.linear.map(taken)))
}

/// The creatives' numbers, e.g. their attributes, and those that the media object that a creative would fill blocks.
/// `names` are those of the creative's attribute and of the list.
fn blocked(
    rejection: &Rejection<'_, '_>,
    names: [&str; 2],
    blocks: for<'i> fn(Offer<'i>) -> &'i [i64],
    own: fn(&Creative<'_>) -> Vec<i64>,
) -> Comparison {
    let imp = rejection.imp();
    let numbers = rejection.creatives().flat_map(|creative| {
        let blocks = blocks(offer(&imp, &creative.media()));
        own(&creative).into_iter().filter(|number| blocks.contains(number)).collect::<Vec<_>>()
    });
    let found = distinct_list(numbers.map(|number| format!("{number} blocked")));
    let wanted = distinct_list(rejection.creatives().map(|creative| join(own(&creative), ", ")));
    (format!("{} {wanted}", names[0]), format!("{} {found}", names[1]))
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
pub(crate) fn media_name(media: &Media<'_>) -> &'static str {
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

fn files(ad: &Linear<'_>, value: impl Fn(MediaFile<'_>) -> i64) -> String {
    list(ad.vast().files().iter().map(value))
}

/// The campaign's notices and creatives that use plain HTTP.
fn insecure(rejection: &Rejection<'_, '_>) -> String {
    let campaign = &rejection.campaign;
    let notices = campaign.notices().get(0).map(|own| [own.nurl(), own.burl(), own.lurl()]).into_iter().flatten();
    let notices = notices.filter_map(compiler::plain_http);
    let notices = notices.map(|url| format!("the notice {url}"));
    let creatives = rejection.creatives().filter(|creative| !creative.texts().secure);
    distinct_list(notices.chain(creatives.map(|creative| format!("plain http in {}", creative.crid()))))
}
