//! Checks one creative of the document and makes it ready to serve.

use super::{banner, linear, native};
use crate::compile::campaigns::{advertiser, showing};
use crate::compile::document::CreativeEntry;
use crate::compile::macros::plain_http::plain_http;
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{CreativeDraft, LinearDraft, MediaDraft, Texts};
use bidder_wasm::limits::MAX_FINDINGS;
use bidder_wasm::macros::MARK;
use bidder_wasm::write::Object;

/// Compiles a creative, or adds findings with paths under `path`, e.g. `creatives[3]`.
pub(crate) fn compile(
    entry: &CreativeEntry,
    has_macros: bool,
    path: &str,
    findings: &mut Vec<Finding>,
) -> Option<CreativeDraft> {
    let before = findings.len();
    let media = media(entry, path, findings)?;
    let insecure = entry.iurl.iter().map(String::as_str).chain(texts(&media)).find_map(plain_http);
    // A serving id is a macro that no author has written.
    let has_macros = has_macros || texts(&media).any(|text| text.contains(MARK));
    let crid = entry.crid.clone().unwrap_or_default();
    let language = entry.language.as_deref().unwrap_or_default().to_ascii_lowercase();
    let caps = showing::caps(&entry.caps, &format!("{path}.caps"), findings);
    let advertiser = advertiser::of_creative(entry, path, findings).into_iter().collect();
    let (mut preview, mut traits) = (String::new(), String::new());
    let mut members = Object::more(&mut preview);
    members.text("adid", entry.adid.as_deref().unwrap_or_default());
    members.text("iurl", entry.iurl.as_deref().unwrap_or_default());
    let mut members = Object::more(&mut traits);
    members.numbers("attr", &entry.attr);
    members.numbers("apis", &entry.api);
    members.text("language", &language);
    // The decoder's findings come first, and are few.
    let is_wrong = |found: &Finding| found.path.starts_with(path) && !found.rule.is_note();
    if findings.iter().take(MAX_FINDINGS).any(is_wrong) || findings.len() > before {
        return None;
    }
    if let Some(url) = &insecure {
        let message = format!(
            "{url:?} is plain http, so the creative is never shown on impressions with secure 1; expected https://… everywhere"
        );
        findings.push(Finding::new(path.to_owned(), Rule::PlainHttp, message));
    }
    Some(CreativeDraft {
        preview,
        traits,
        crid,
        attr: entry.attr.clone(),
        api: entry.api.clone(),
        language,
        clientside: entry.clientside.unwrap_or(false),
        texts: Texts { secure: insecure.is_none(), macros: has_macros },
        advertiser,
        caps,
        media,
    })
}

fn media(entry: &CreativeEntry, path: &str, findings: &mut Vec<Finding>) -> Option<MediaDraft> {
    if let Some(ad) = &entry.banner {
        return banner::compile(ad, &format!("{path}.banner"), findings).map(MediaDraft::Banner);
    }
    if let Some(ad) = &entry.video {
        return linear::video(entry, ad, &format!("{path}.video"), findings).map(MediaDraft::Video);
    }
    if let Some(ad) = &entry.audio {
        return linear::audio(entry, ad, &format!("{path}.audio"), findings).map(MediaDraft::Audio);
    }
    entry.native.as_ref().map(|ad| MediaDraft::Native(native::compile(entry, ad, &format!("{path}.native"), findings)))
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
