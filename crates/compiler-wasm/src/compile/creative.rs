//! Checks one creative of the document and makes it ready to serve.

use super::document::{BannerEntry, CreativeEntry, DataEntry, ImgEntry, LinearEntry, NativeEntry};
use super::plain_http::plain_http;
use super::{companion, finding, ready_vast, vast};
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{
    BannerDraft, CompanionsDraft, CreativeDraft, ImgDraft, LinearDraft, MediaDraft, MediaFileDraft, NativeDraft,
    PhraseDraft, Shape, VastDraft,
};
use bidder_wasm::request::EventTracker;
use bidder_wasm::write::{Object, literal};

/// The creative, or findings under `path` (e.g. `creatives[3]`).
pub(super) fn compile(entry: &CreativeEntry, path: &str, findings: &mut Vec<Finding>) -> Option<CreativeDraft> {
    let before = findings.len();
    let media = media(entry, path, findings)?;
    check_url(entry.iurl.as_deref(), &format!("{path}.iurl"), findings);
    let insecure = entry.iurl.iter().map(String::as_str).chain(texts(&media)).find_map(plain_http);
    let insecure = insecure.map(str::to_owned);
    let crid = entry.crid.clone().unwrap_or_default();
    let language = entry.language.as_deref().unwrap_or_default().to_ascii_lowercase();
    let (mut preview, mut traits) = (String::new(), String::new());
    let mut members = Object::more(&mut preview);
    members.text("adid", entry.adid.as_deref().unwrap_or_default());
    members.text("iurl", entry.iurl.as_deref().unwrap_or_default());
    let mut members = Object::more(&mut traits);
    members.numbers("attr", &entry.attr);
    members.numbers("apis", &entry.api);
    members.text("language", &language);
    if findings.len() > before {
        return None;
    }
    if let Some(url) = &insecure {
        let message =
            format!("{url:?} is plain http, so it is not shown where secure is 1; expected https://… in all of it");
        findings.push(finding(path.to_owned(), Rule::PlainHttp, message));
    }
    Some(CreativeDraft {
        preview,
        traits,
        crid,
        attr: entry.attr.clone(),
        api: entry.api.clone(),
        language,
        clientside: entry.clientside.unwrap_or(false),
        secure: insecure.is_none(),
        media,
    })
}

/// An absolute http or https URL without spaces or control characters.
pub(super) fn check_url(url: Option<&str>, path: &str, findings: &mut Vec<Finding>) {
    let Some(url) = url else { return };
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let ok = host.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        && !url.chars().any(|c| c.is_whitespace() || c.is_control());
    if !ok {
        findings.push(finding(path.to_owned(), Rule::OutOfRange, format!("{url:?} is no URL; expected https://…")));
    }
}

fn media(entry: &CreativeEntry, path: &str, findings: &mut Vec<Finding>) -> Option<MediaDraft> {
    let given = [entry.banner.is_some(), entry.video.is_some(), entry.audio.is_some(), entry.native.is_some()];
    if given.iter().filter(|is| **is).count() != 1 {
        findings.push(finding(
            path.to_owned(),
            Rule::Missing,
            "has not exactly one kind of ad; expected one of banner, video, audio, native".to_owned(),
        ));
        return None;
    }
    if let Some(ad) = &entry.banner {
        return banner(ad, &format!("{path}.banner"), findings).map(MediaDraft::Banner);
    }
    if let Some(ad) = &entry.video {
        return video(entry, ad, &format!("{path}.video"), findings).map(MediaDraft::Video);
    }
    if let Some(ad) = &entry.audio {
        return linear(entry, ad, &format!("{path}.audio"), findings).map(MediaDraft::Audio);
    }
    entry.native.as_ref().map(|ad| MediaDraft::Native(native(entry, ad, &format!("{path}.native"), findings)))
}

fn banner(ad: &BannerEntry, path: &str, findings: &mut Vec<Finding>) -> Option<BannerDraft> {
    let shape = shape(ad, path, findings)?;
    // What is absent already has its finding.
    let adm = ad.adm.clone()?;
    if adm.trim().is_empty() {
        findings.push(finding(format!("{path}.adm"), Rule::OutOfRange, "empty; expected markup".to_owned()));
    }
    if let Some(btype) = ad.btype.filter(|btype| !(1..=4).contains(btype)) {
        findings.push(finding(
            format!("{path}.btype"),
            Rule::OutOfRange,
            format!("{btype} is no banner type; expected 1 XHTML text, 2 XHTML banner, 3 JavaScript or 4 iframe"),
        ));
    }
    let mime = ad.mime.clone().unwrap_or_else(|| "text/html".to_owned());
    Some(BannerDraft {
        shape,
        expdir: ad.expdir.clone(),
        btype: ad.btype.unwrap_or_default(),
        mime,
        adm: literal(&adm),
    })
}

/// Either a width and a height, or a ratio.
fn shape(ad: &BannerEntry, path: &str, findings: &mut Vec<Finding>) -> Option<Shape> {
    let shape = match (ad.w, ad.h, ad.wratio, ad.hratio) {
        (Some(w), Some(h), None, None) => Shape::Fixed { w, h },
        (None, None, Some(wratio), Some(hratio)) => Shape::Ratio { wratio, hratio, wmin: ad.wmin.unwrap_or(1) },
        _ => {
            let message = "has no clear size; expected w and h, or wratio and hratio".to_owned();
            findings.push(finding(path.to_owned(), Rule::Missing, message));
            return None;
        }
    };
    let (Shape::Fixed { w: a, h: b } | Shape::Ratio { wratio: a, hratio: b, .. }) = shape;
    positive(a.min(b), path, findings);
    Some(shape)
}

fn video(entry: &CreativeEntry, ad: &LinearEntry, path: &str, findings: &mut Vec<Finding>) -> Option<LinearDraft> {
    for (name, value) in [("w", ad.w), ("h", ad.h)] {
        positive(value.unwrap_or_default(), &format!("{path}.{name}"), findings);
    }
    linear(entry, ad, path, findings)
}

fn linear(entry: &CreativeEntry, ad: &LinearEntry, path: &str, findings: &mut Vec<Finding>) -> Option<LinearDraft> {
    let (dur, protocol) = (ad.dur?, ad.protocol?);
    positive(dur, &format!("{path}.dur"), findings);
    let linearity = ad.linearity.unwrap_or(1);
    if !(1..=2).contains(&linearity) {
        findings.push(finding(
            format!("{path}.linearity"),
            Rule::OutOfRange,
            format!("{linearity} is unknown; expected 1 linear or 2 non-linear"),
        ));
    }
    companion::check(ad, path, findings);
    let vast = match (&ad.adm, ad.media.is_empty()) {
        (Some(adm), true) => of_ready(ad, adm, path, findings)?,
        (None, false) => {
            for (i, file) in ad.media.iter().enumerate() {
                check_url(file.url.as_deref(), &format!("{path}.media[{i}].url"), findings);
            }
            let Some(version) = vast::version(protocol) else {
                findings.push(finding(
                    format!("{path}.protocol"),
                    Rule::OutOfRange,
                    format!("{protocol} cannot be written from media; expected 2, 3, 7, 11, 13 or 15 (VAST 2.0 to 4.3), or a ready adm"),
                ));
                return None;
            };
            check_url(ad.clickthrough.as_deref(), &format!("{path}.clickthrough"), findings);
            for (i, url) in ad.impression.iter().enumerate() {
                check_url(Some(url), &format!("{path}.impression[{i}]"), findings);
            }
            vast::render(entry, ad, version)
        }
        _ => {
            findings.push(finding(
                path.to_owned(),
                Rule::Missing,
                "needs either media or adm, not both; expected media to play or a ready VAST document".to_owned(),
            ));
            return None;
        }
    };
    Some(LinearDraft { dur, protocol, w: ad.w.unwrap_or_default(), h: ad.h.unwrap_or_default(), linearity, vast })
}

fn of_ready(ad: &LinearEntry, adm: &str, path: &str, findings: &mut Vec<Finding>) -> Option<VastDraft> {
    if ad.mimes.is_empty() {
        findings.push(finding(
            format!("{path}.mimes"),
            Rule::Missing,
            "missing beside adm; expected the MIME types that the document plays".to_owned(),
        ));
        return None;
    }
    ready_vast::check(ad, adm, path, findings);
    let file = |mime: &String| MediaFileDraft {
        mime: mime.clone(),
        bitrate: 0,
        delivery: 0,
        url: String::new(),
        element: String::new(),
    };
    let files = ad.mimes.iter().map(file).collect();
    let (tail, end) = (String::new(), String::new());
    Some(VastDraft { head: literal(adm), files, tail, companions: CompanionsDraft::default(), end })
}

fn native(entry: &CreativeEntry, ad: &NativeEntry, path: &str, findings: &mut Vec<Finding>) -> NativeDraft {
    for (name, url) in [("jstracker", &ad.jstracker), ("privacy", &ad.privacy)] {
        check_url(url.as_deref(), &format!("{path}.{name}"), findings);
    }
    check_url(ad.link.as_deref(), &format!("{path}.link"), findings);
    for (i, url) in ad.imptrackers.iter().enumerate() {
        check_url(Some(url), &format!("{path}.imptrackers[{i}]"), findings);
    }
    for (i, img) in ad.img.iter().enumerate() {
        check_url(img.url.as_deref(), &format!("{path}.img[{i}].url"), findings);
        positive(img.w.unwrap_or(1), &format!("{path}.img[{i}].w"), findings);
        positive(img.h.unwrap_or(1), &format!("{path}.img[{i}].h"), findings);
    }
    NativeDraft {
        title: phrase("title", "text", ad.title.as_deref().unwrap_or_default()),
        img: ad.img.iter().map(img).collect(),
        data: ad.data.iter().map(data).collect(),
        video: ad.video.as_ref().and_then(|ad| video(entry, ad, &format!("{path}.video"), findings)).map(within),
        link: inner(|members| {
            members.object("link", |link| link.string("url", ad.link.as_deref().unwrap_or_default()));
        }),
        trackers: trackers(ad),
        images: ad.imptrackers.iter().map(|url| tracker(EventTracker::IMAGE, url)).collect::<Vec<_>>().join(","),
        script: ad.jstracker.as_deref().map(|url| tracker(EventTracker::SCRIPT, url)).unwrap_or_default(),
        privacy: inner(|members| members.text("privacy", ad.privacy.as_deref().unwrap_or_default())),
    }
}

/// Members of the native response, escaped for the string that it is in.
fn inner(write: impl FnOnce(&mut Object<'_>)) -> String {
    let mut members = String::new();
    write(&mut Object::more(&mut members));
    literal(&members)
}

/// An asset of one text.
fn phrase(kind: &str, key: &str, text: &str) -> PhraseDraft {
    let fragment = inner(|members| members.object(kind, |asset| asset.string(key, text)));
    PhraseDraft { len: i64::try_from(text.chars().count()).unwrap_or(i64::MAX), fragment }
}

fn data(entry: &DataEntry) -> (i64, PhraseDraft) {
    let text = entry.value.as_deref().unwrap_or_default();
    (entry.kind.unwrap_or_default(), phrase("data", "value", text))
}

fn img(entry: &ImgEntry) -> ImgDraft {
    let (w, h) = (entry.w.unwrap_or_default(), entry.h.unwrap_or_default());
    let fragment = inner(|members| {
        members.object("img", |img| {
            img.string("url", entry.url.as_deref().unwrap_or_default());
            img.number("w", w);
            img.number("h", h);
        });
    });
    ImgDraft { kind: entry.kind.unwrap_or_default(), w, h, fragment }
}

/// A video whose document stands in a native ad.
fn within(mut ad: LinearDraft) -> LinearDraft {
    let VastDraft { head, files, tail, companions, end } = &mut ad.vast;
    let around = [head, tail, &mut companions.head, &mut companions.tail, end];
    let beside = companions.ads.iter_mut().map(|companion| &mut companion.element);
    let parts = files.iter_mut().map(|file| &mut file.element).chain(around).chain(beside);
    parts.for_each(|part| *part = literal(part));
    ad
}

/// What there is before version 1.2, and where no event tracker is asked for.
fn trackers(ad: &NativeEntry) -> String {
    inner(|members| {
        members.texts("imptrackers", &ad.imptrackers);
        if let Some(url) = ad.jstracker.as_deref().filter(|url| !url.is_empty()) {
            members.string("jstracker", &format!("<script src=\"{url}\"></script>"));
        }
    })
}

/// One of `eventtrackers`, escaped for the string that it is in.
fn tracker(method: i64, url: &str) -> String {
    let mut object = String::new();
    let mut tracker = Object::begin(&mut object);
    tracker.number("event", EventTracker::IMPRESSION);
    tracker.number("method", method);
    tracker.string("url", url);
    tracker.end();
    literal(&object)
}

/// A number above 0.
pub(super) fn positive(value: i64, path: &str, findings: &mut Vec<Finding>) {
    if value <= 0 {
        findings.push(finding(path.to_owned(), Rule::OutOfRange, format!("{value}; expected a positive number")));
    }
}

/// Every part of the ad that a browser or player will see. Escaping changes no URL's scheme.
fn texts(media: &MediaDraft) -> Box<dyn Iterator<Item = &str> + '_> {
    match media {
        MediaDraft::Banner(ad) => Box::new([ad.adm.as_str()].into_iter()),
        MediaDraft::Video(ad) | MediaDraft::Audio(ad) => Box::new(linear_texts(ad)),
        MediaDraft::Native(ad) => Box::new(
            [&ad.link, &ad.trackers, &ad.privacy]
                .into_iter()
                .chain(ad.img.iter().map(|img| &img.fragment))
                .map(String::as_str)
                .chain(ad.video.iter().flat_map(linear_texts)),
        ),
    }
}

fn linear_texts(ad: &LinearDraft) -> impl Iterator<Item = &str> {
    let files = ad.vast.files.iter().map(|file| file.element.as_str());
    let companions = ad.vast.companions.ads.iter().map(|companion| companion.element.as_str());
    [ad.vast.head.as_str(), ad.vast.tail.as_str()].into_iter().chain(files).chain(companions)
}
