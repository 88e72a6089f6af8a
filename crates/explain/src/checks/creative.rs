//! Both sides of the checks of creatives, in words: what the campaign's creatives have, and what the impression
//! offers or blocks.

use super::super::comparison::Comparison;
use super::super::rejection::Rejection;
use super::super::words::{distinct_list, join, list, nonzero_or_unknown, range, size, text_or_unknown};
use super::assets;
use super::check::Check;
use catalog::{Ad, Creative, Linear, Media, Shape};
use openrtb::request::{self, Banner, Imp, Size};
use reasons::no_bid::NoBidReason as R;
use rules::form::{Form, Offered, Value};
use rules::imp::is_offered;
use rules::offer::{Object, Offer, object};
use rules::own::Own;
use rules::rows::{self, Row};

/// The checks without a row in [`rules::rows`].
pub(super) const CHECKS: &[Check] = &[
    (R::MediaType, &["imp.banner", "imp.video", "imp.audio", "imp.native"], |r| {
        (r.own(|creative| media_name(&creative.media()).into()), media_offered(&r.imp()))
    }),
    (R::Size, &["imp.banner.format", "imp.banner.w", "imp.banner.h"], |r| {
        (r.own(|creative| shape(&creative.media())), r.imp().banner.as_ref().map_or(String::new(), sizes))
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

/// Both sides of a row.
pub(super) fn comparison(row: &Row, r: &Rejection<'_, '_>) -> Comparison {
    let clauses = || {
        (row.words.first().copied().unwrap_or_default().into(), row.words.last().copied().unwrap_or_default().into())
    };
    match (row.reason, row.form) {
        (R::Duration, _) => players(r, |ad| format!("{} s", ad.dur()), durations),
        (R::Boxing, _) => {
            let known = |ad: &Linear<'_>| {
                let files = ad.vast().files().iter().map(|file| Size { w: file.w(), h: file.h() });
                distinct_list(files.filter(|size| size.w > 0).chain([Size { w: ad.w(), h: ad.h() }]).map(size))
            };
            players(r, known, |offer| size(offer.size))
        }
        (R::Companion, _) => players(r, companions, companion_slots),
        (R::Asset, _) => assets::comparison(r),
        (R::Secure, _) => (insecure(r), clauses().1),
        (_, Some(Form::NoneOf)) => blocked(r, row),
        (_, Some(form)) if form != Form::Flag => {
            let wanted = distinct_list(r.creatives().map(|creative| own(r, row.reason, creative).unwrap_or_default()));
            let imp = r.imp();
            let text = |offer: Offer<'_>| rows::offered(row.reason, &offer).map(|offered| words_of(&offered));
            // What does not depend on the media object.
            let of_imp = text(Offer { request: Some(r.request()), imp: Some(&imp), object: None });
            (wanted, of_imp.unwrap_or_else(|| offered(r, text)))
        }
        _ => clauses(),
    }
}

/// The values of a creative or of its files; `None` if the rule does not concern it.
fn own(rejection: &Rejection<'_, '_>, reason: R, creative: Creative<'_>) -> Option<String> {
    let text = |value: Value<'_>| match value {
        Value::Number(number) => number.to_string(),
        Value::Numbers(all) => list(all.iter()),
        Value::Text(text) | Value::Any(text) => text_or_unknown(text),
    };
    let values: Vec<String> = Own::parts(creative, rejection.campaign.texts().secure)
        .iter()
        .filter_map(|own| rows::own(reason, own))
        .map(text)
        .collect();
    (!values.is_empty()).then(|| list(values))
}

fn words_of(offered: &Offered<'_>) -> String {
    match *offered {
        Offered::Numbers(all) => list(all),
        Offered::Number(one) => nonzero_or_unknown(one),
        Offered::Texts(all) => list(all),
        Offered::Tags(both) => list(both.concat()),
        Offered::Range(least, most) => range(&least.to_string(), &nonzero_or_unknown(most)),
        Offered::Flag(flag) => flag.to_string(),
    }
}

/// `text` of what the impression offers to the campaign's creatives, with the names of the media objects if the texts
/// differ. `text` returns `None` for an object without the attribute.
fn offered(rejection: &Rejection<'_, '_>, text: impl Fn(Offer<'_>) -> Option<String>) -> String {
    let (imp, request) = (rejection.imp(), rejection.request());
    let mut all: Vec<(&str, String)> = Vec::new();
    for media in rejection.creatives().map(|creative| creative.media()).filter(|media| is_offered(&imp, media)) {
        let offer = Offer { request: Some(request), imp: Some(&imp), object: object(&imp, &media) };
        all.extend(text(offer).map(|text| (media_name(&media), text)));
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
    let player =
        |object: Object<'_>| if let Ad::Video(offer) | Ad::Audio(offer) = object { Some(taken(offer)) } else { None };
    (wanted, offered(rejection, |offer| offer.object.and_then(player)))
}

/// The creatives' numbers, e.g. their attributes, and those that the media object that a creative would fill blocks.
fn blocked(rejection: &Rejection<'_, '_>, row: &Row) -> Comparison {
    let imp = rejection.imp();
    let own = |creative: Creative<'_>| -> Vec<i64> {
        let numbers = |own: &Own<'_>| match rows::own(row.reason, own) {
            Some(Value::Number(number)) => vec![number],
            Some(Value::Numbers(all)) => all.iter().collect(),
            _ => Vec::new(),
        };
        Own::parts(creative, rejection.campaign.texts().secure).iter().flat_map(numbers).collect()
    };
    let numbers = rejection.creatives().flat_map(|creative| {
        let offer =
            Offer { request: Some(rejection.request()), imp: Some(&imp), object: object(&imp, &creative.media()) };
        let list = rows::offered(row.reason, &offer);
        own(creative).into_iter().filter(|number| list.is_some_and(|list| list.has(*number))).collect::<Vec<_>>()
    });
    let found = distinct_list(numbers.map(|number| format!("{number} blocked")));
    let wanted = distinct_list(rejection.creatives().map(|creative| join(own(creative), ", ")));
    let [name, list] = [row.words.first(), row.words.last()].map(|name| name.copied().unwrap_or_default());
    (format!("{name} {wanted}"), format!("{list} {found}"))
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

/// The campaign's notices and creatives that use plain HTTP.
fn insecure(rejection: &Rejection<'_, '_>) -> String {
    let campaign = &rejection.campaign;
    let notices = campaign.notices().get(0).map(|own| [own.nurl(), own.burl(), own.lurl()]).into_iter().flatten();
    let notices = notices.filter_map(compiler::plain_http);
    let notices = notices.map(|url| format!("the notice {url}"));
    let creatives = rejection.creatives().filter(|creative| !creative.texts().secure);
    distinct_list(notices.chain(creatives.map(|creative| format!("plain http in {}", creative.crid()))))
}
