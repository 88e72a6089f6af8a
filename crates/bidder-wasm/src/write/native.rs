//! The `adm` of a native bid: a Native Ads response as a JSON string (Native Ads 1.2 §5).

use super::json::{Object, escape};
use crate::catalog::Native;
use crate::request;
use crate::rules::native::{Answer, answer};

/// Appends the JSON string literal that holds the native response.
pub(super) fn adm(out: &mut String, offer: &request::Native<'_>, ad: &Native) {
    let mut inner = String::new();
    if offer.wrapped {
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
    native.string("ver", if offer.wrapped { "1.0" } else { "1.2" });
    let answers = offer.assets.iter().filter_map(|asset| Some((asset.id, answer(asset, ad)?)));
    native.raw("assets", |out| {
        let mut first = true;
        out.push('[');
        for (id, answer) in answers {
            super::comma(out, &mut first);
            asset(out, id, answer);
        }
        out.push(']');
    });
    native.raw("link", |out| {
        let mut link = Object::begin(out);
        link.string("url", &ad.link);
        link.end();
    });
    native.texts("imptrackers", &ad.imptrackers);
    native.end();
}

fn asset(out: &mut String, id: i64, answer: Answer<'_>) {
    let mut asset = Object::begin(out);
    asset.number("id", id);
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
    }
    asset.end();
}
