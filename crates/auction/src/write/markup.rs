//! Writes the ad itself, and the attributes that describe it.

use super::native;
use super::vast::{around, vast};

use base::json::Object;
use catalog::{Linear, Media, Shape};
use notices::Link;
use openrtb::request::{self, Imp};

/// Appends `adm` and the attributes that describe it: `mtype`, `w`, `h`, `wratio`, `hratio`, `dur`, `protocol`. With a
/// `link`, the markup calls our notice when the ad is shown.
pub(super) fn markup(object: &mut Object<'_>, imp: &Imp<'_>, media: &Media<'_>, link: Option<&Link<'_>>) {
    match media {
        Media::Banner(ad) => {
            object.quoted("adm", |out| {
                out.push_str(ad.adm());
                around(out, link, r#"<img src=\""#, r#"\" width=\"1\" height=\"1\" alt=\"\" style=\"display:none\">"#);
            });
            object.number("mtype", media.mtype().into());
            match ad.shape() {
                Shape::Fixed { w, h } => {
                    if imp.banner.as_ref().is_some_and(rules::banner::makes_size_claim) {
                        object.number("w", w);
                        object.number("h", h);
                    }
                }
                Shape::Ratio { wratio, hratio, .. } => {
                    object.number("wratio", wratio);
                    object.number("hratio", hratio);
                }
            }
        }
        Media::Video(ad) => linear(object, imp.video, ad, media.mtype().into(), link),
        Media::Audio(ad) => linear(object, imp.audio, ad, media.mtype().into(), link),
        Media::Native(ad) => {
            let Some(offer) = &imp.native else { return };
            object.raw("adm", |out| native::adm(out, offer, ad, link));
            object.number("mtype", media.mtype().into());
        }
    }
}

fn linear(
    object: &mut Object<'_>,
    offer: Option<&request::Linear<'_>>,
    ad: &Linear<'_>,
    mtype: i64,
    link: Option<&Link<'_>>,
) {
    object.quoted("adm", |out| vast(out, ad, offer, link));
    object.number("mtype", mtype);
    if ad.w() > 0 && ad.h() > 0 {
        object.number("w", ad.w());
        object.number("h", ad.h());
    }
    object.number("dur", ad.dur());
    object.number("protocol", ad.protocol());
}
