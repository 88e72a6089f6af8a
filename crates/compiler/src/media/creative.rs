//! Checks one creative of the document and makes it ready to serve.

use super::{linear, native, stored};
use crate::campaigns::{advertiser, showing};
use crate::macros::plain_http::plain_http;
use base::json::{Object, literal};
use base::limits::MAX_FINDINGS;
use catalog::macros::MARK;
use catalog::{BannerDraft, CreativeDraft, LinearDraft, MediaDraft, Shape, Texts};
use document::check::At;
use document::decode::{Finding, Rule};
use document::{BannerEntry, CreativeEntry};

/// Compiles the creative at this position. `None` if it has an error.
pub(crate) fn compile(entry: &CreativeEntry, has_macros: bool, at: &At<'_>) -> Option<CreativeDraft> {
    let before = at.findings().len();
    let media = media(entry, at)?;
    let insecure = core::iter::once(entry.iurl.as_str()).chain(texts(&media)).find_map(plain_http);
    // A serving id is a macro that no author has written.
    let has_macros = has_macros || texts(&media).any(|text| text.contains(MARK));
    let language = entry.language.as_deref().unwrap_or_default().to_ascii_lowercase();
    let caps = showing::caps(&entry.caps, at);
    let advertiser = advertiser::of_creative(entry, at).into_iter().collect();
    let (mut preview, mut traits) = (String::new(), String::new());
    let mut members = Object::more(&mut preview);
    members.text("adid", &entry.adid);
    members.text("iurl", &entry.iurl);
    let mut members = Object::more(&mut traits);
    members.numbers("attr", &entry.attr);
    members.numbers("apis", &entry.api);
    members.text("language", &language);
    // The decoder's findings come first, and are few.
    let is_wrong = |found: &Finding| found.path.starts_with(at.path()) && !found.rule.is_note();
    let findings = at.findings();
    if findings.iter().take(MAX_FINDINGS).any(is_wrong) || findings.len() > before {
        return None;
    }
    drop(findings);
    if let Some(url) = &insecure {
        let message = format!(
            "{url:?} is plain http, so the creative is never shown on impressions with secure 1; expected https://… everywhere"
        );
        at.report(Rule::PlainHttp, message);
    }
    Some(CreativeDraft {
        preview,
        traits,
        crid: entry.crid.clone(),
        attr: entry.attr.clone(),
        api: entry.api.clone(),
        language,
        texts: Texts { secure: insecure.is_none(), macros: has_macros },
        advertiser,
        caps,
        media,
        ..stored::creative(entry)
    })
}

fn media(entry: &CreativeEntry, at: &At<'_>) -> Option<MediaDraft> {
    if let Some(ad) = &entry.banner {
        return banner(ad, &at.attribute("banner")).map(MediaDraft::Banner);
    }
    if let Some(ad) = &entry.video {
        return linear::video(entry, ad, &at.attribute("video")).map(MediaDraft::Video);
    }
    if let Some(ad) = &entry.audio {
        return linear::audio(entry, ad, &at.attribute("audio")).map(MediaDraft::Audio);
    }
    entry.native.as_ref().map(|ad| MediaDraft::Native(native::compile(entry, ad, &at.attribute("native"))))
}

fn banner(ad: &BannerEntry, at: &At<'_>) -> Option<BannerDraft> {
    let shape = match (ad.w, ad.h, ad.wratio, ad.hratio) {
        (Some(w), Some(h), None, None) => Shape::Fixed { w, h },
        (None, None, Some(wratio), Some(hratio)) => Shape::Ratio { wratio, hratio, wmin: ad.wmin.unwrap_or(1) },
        _ => {
            at.report(Rule::Missing, "has no size, or two; expected either w and h, or wratio and hratio");
            return None;
        }
    };
    let mime = ad.mime.clone().unwrap_or_else(|| "text/html".to_owned());
    if is_url(&ad.adm) {
        at.attribute("adm")
            .error("only a URL, which a browser shows as text; expected markup, such as <img src=\"…\">");
    }
    Some(BannerDraft { shape, btype: ad.btype, mime, adm: literal(&ad.adm), ..stored::banner(ad) })
}

fn is_url(adm: &str) -> bool {
    let text = adm.trim();
    let is_web = ["https://", "http://", "//"].iter().any(|start| text.starts_with(start));
    is_web && !text.contains(|c: char| c == '<' || c.is_whitespace())
}

/// Every part of the ad that a browser or player loads. The parts are escaped, but escaping keeps the scheme of a URL.
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
    [&ad.vast.head, &ad.vast.tail, &ad.vast.end].map(String::as_str).into_iter().chain(files).chain(companions)
}
