//! The `adm` of a native bid: a Native Ads response as a JSON string (Native Ads 1.2 §5).

use super::json::{Object, escape};
use crate::catalog::Native;
use crate::request::{self, Asset, EventTracker, NativeVersion};
use crate::rules::native::{Answer, answer, player};

/// Appends the JSON string literal that holds the native response.
pub(super) fn adm(out: &mut String, offer: &request::Native<'_>, ad: &Native) {
    let mut inner = String::new();
    if offer.ver == NativeVersion::V1_0 {
        let mut wrapper = Object::begin(&mut inner);
        wrapper.raw("native", |out| response(out, offer, ad));
        wrapper.end();
    } else {
        response(&mut inner, offer, ad);
    }
    out.push('"');
    escape(out, &inner);
    out.push('"');
}

fn response(out: &mut String, offer: &request::Native<'_>, ad: &Native) {
    let mut native = Object::begin(out);
    native.string("ver", offer.ver.as_str());
    let answers = offer.assets.iter().filter_map(|asset| Some((asset, answer(asset, ad)?)));
    native.raw("assets", |out| {
        let mut first = true;
        out.push('[');
        for (asked, answer) in answers {
            super::comma(out, &mut first);
            asset(out, asked, answer);
        }
        out.push(']');
    });
    native.raw("link", |out| {
        let mut link = Object::begin(out);
        link.string("url", &ad.link);
        link.end();
    });
    trackers(&mut native, offer, ad);
    if offer.privacy && offer.ver == NativeVersion::V1_2 {
        native.text("privacy", &ad.privacy);
    }
    native.end();
}

/// AdCOM event type "impression", and the ways to track it.
const IMPRESSION: i64 = 1;
const IMAGE: i64 = 1;
const SCRIPT: i64 = 2;

/// Version 1.2 asks for event trackers and tells which ones work (§5.8); before, and where nothing
/// is told, `imptrackers` and `jstracker` are what there is.
fn trackers(native: &mut Object<'_>, offer: &request::Native<'_>, ad: &Native) {
    if offer.eventtrackers.is_empty() || offer.ver < NativeVersion::V1_2 {
        native.texts("imptrackers", &ad.imptrackers);
        if !ad.jstracker.is_empty() {
            native.raw("jstracker", |out| {
                out.push('"');
                escape(out, "<script src=\"");
                escape(out, &ad.jstracker);
                escape(out, "\"></script>");
                out.push('"');
            });
        }
        return;
    }
    let asked = |method| offer.eventtrackers.contains(&EventTracker { event: IMPRESSION, method });
    let images = ad.imptrackers.iter().filter(|_| asked(IMAGE)).map(|url| (IMAGE, url));
    let script = Some(&ad.jstracker).filter(|url| !url.is_empty() && asked(SCRIPT)).map(|url| (SCRIPT, url));
    let trackers: Vec<(i64, &String)> = images.chain(script).collect();
    native.list("eventtrackers", &trackers, |out, (method, url)| {
        let mut tracker = Object::begin(out);
        tracker.number("event", IMPRESSION);
        tracker.number("method", *method);
        tracker.string("url", url);
        tracker.end();
    });
}

fn asset(out: &mut String, asked: &Asset<'_>, answer: Answer<'_>) {
    let mut asset = Object::begin(out);
    asset.number("id", asked.id);
    match answer {
        Answer::Title(text) => asset.raw("title", |out| {
            let mut title = Object::begin(out);
            title.string("text", text);
            title.end();
        }),
        Answer::Img(picture) => asset.raw("img", |out| {
            let mut img = Object::begin(out);
            img.string("url", &picture.url);
            img.number("w", picture.w);
            img.number("h", picture.h);
            img.end();
        }),
        Answer::Data(text) => asset.raw("data", |out| {
            let mut data = Object::begin(out);
            data.string("value", text);
            data.end();
        }),
        Answer::Video(ad) => asset.raw("video", |out| {
            let mut video = Object::begin(out);
            video.raw("vasttag", |out| {
                out.push('"');
                super::vast(ad, player(asked).as_ref(), |text| escape(out, text));
                out.push('"');
            });
            video.end();
        }),
    }
    asset.end();
}
