//! Checks a native ad and makes it ready to serve: JSON for each asset, escaped for the string `bid.adm`.

use super::linear;
use crate::macros;
use base::json::{Object, literal};
use catalog::{ImgDraft, LinearDraft, NativeDraft, PhraseDraft, VastDraft};
use document::check::At;
use document::{CreativeEntry, ImgEntry, NativeEntry};
use openrtb::request::EventTracker;

pub(crate) fn compile(entry: &CreativeEntry, ad: &NativeEntry, at: &At<'_>) -> NativeDraft {
    let video = ad.video.as_ref().and_then(|ad| linear::video(entry, ad, &at.attribute("video")));
    let script = Some(&ad.jstracker).filter(|url| !url.is_empty());
    NativeDraft {
        title: phrase("title", "text", &ad.title),
        img: ad.img.iter().map(img).collect(),
        data: ad.data.iter().map(|entry| (entry.kind, phrase("data", "value", &entry.value))).collect(),
        video: video.map(escaped),
        link: inner(|members| members.object("link", |link| link.string("url", &ad.link))),
        trackers: trackers(ad),
        images: ad.imptrackers.iter().map(|url| tracker(EventTracker::IMAGE, url)).collect::<Vec<_>>().join(","),
        script: script.map(|url| tracker(EventTracker::SCRIPT, url)).unwrap_or_default(),
        privacy: inner(|members| members.text("privacy", &ad.privacy)),
    }
}

/// Members of the native response, escaped for the string `bid.adm`.
fn inner(write: impl FnOnce(&mut Object<'_>)) -> String {
    let mut members = String::new();
    write(&mut Object::more(&mut members));
    literal(&members)
}

/// An asset with one text.
fn phrase(kind: &str, key: &str, text: &str) -> PhraseDraft {
    let fragment = inner(|members| members.object(kind, |asset| asset.string(key, text)));
    PhraseDraft { len: i64::try_from(macros::characters(text)).unwrap_or(i64::MAX), fragment }
}

fn img(entry: &ImgEntry) -> ImgDraft {
    let ImgEntry { kind, ref url, w, h } = *entry;
    let fragment = inner(|members| {
        members.object("img", |img| {
            img.string("url", url);
            img.number("w", w);
            img.number("h", h);
        });
    });
    ImgDraft { kind, w, h, fragment }
}

/// Escapes the VAST document once more: it is a string in the JSON of the native ad.
fn escaped(mut ad: LinearDraft) -> LinearDraft {
    let VastDraft { head, impression_at, files, tail, companions, end } = &mut ad.vast;
    // The player of a native ad calls the ad's trackers, so its document gets no Impression.
    *impression_at = 0;
    let around = [head, tail, &mut companions.head, &mut companions.tail, end];
    let beside = companions.ads.iter_mut().map(|companion| &mut companion.element);
    let parts = files.iter_mut().map(|file| &mut file.element).chain(around).chain(beside);
    parts.for_each(|part| *part = literal(part));
    ad
}

/// The trackers for versions before 1.2, and for requests without `eventtrackers`.
fn trackers(ad: &NativeEntry) -> String {
    inner(|members| {
        members.texts("imptrackers", &ad.imptrackers);
        if !ad.jstracker.is_empty() {
            members.string("jstracker", &format!("<script src=\"{}\"></script>", ad.jstracker));
        }
    })
}

/// An entry of `eventtrackers`, escaped for the string `bid.adm`.
fn tracker(method: i64, url: &str) -> String {
    let mut object = String::new();
    let mut tracker = Object::begin(&mut object);
    tracker.number("event", EventTracker::IMPRESSION);
    tracker.number("method", method);
    tracker.string("url", url);
    tracker.end();
    literal(&object)
}
