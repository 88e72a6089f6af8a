//! Notes on advertisers and ads that are valid but hardly meant: values in another unit, placeholders,
//! and MIME types of other files.

use crate::targets::values::{self, Wrong};
use base::domain::{host, strip_www};
use document::check::At;
use document::decode::Rule;
use document::{BannerEntry, CampaignEntry, CreativeEntry, Document, LinearEntry};

pub(crate) fn check(document: &Document, at: &At<'_>) {
    for (i, creative) in document.creatives.iter().enumerate() {
        of_creative(creative, &at.item("creatives", i));
    }
    for (i, campaign) in document.campaigns.iter().enumerate() {
        let CampaignEntry { adomain, bundle, cat, cattax, .. } = campaign;
        advertiser(adomain, bundle.as_deref(), (cat, *cattax), &at.item("campaigns", i));
    }
}

fn of_creative(creative: &CreativeEntry, at: &At<'_>) {
    let CreativeEntry { adomain, bundle, cat, cattax, .. } = creative;
    advertiser(adomain, bundle.as_deref(), (cat, *cattax), at);
    if let Some(ad) = &creative.banner {
        banner(ad, &at.attribute("banner"));
    }
    for (name, ad) in [("video", &creative.video), ("audio", &creative.audio)] {
        if let Some(ad) = ad {
            linear(ad, &at.attribute(name));
        }
    }
    if let Some(ad) = &creative.native {
        let at = at.attribute("native");
        link(&ad.link, &at.attribute("link"));
        if let Some(video) = &ad.video {
            linear(video, &at.attribute("video"));
        }
    }
}

fn advertiser(adomain: &[String], bundle: Option<&str>, (cat, cattax): (&[String], Option<i64>), at: &At<'_>) {
    let taxonomy = cattax.unwrap_or(1).to_string();
    let cats = cat.iter().enumerate().map(|(i, cat)| (at.item("cat", i), values::category(cat, &taxonomy)));
    let bundle = [(at.attribute("bundle"), bundle.and_then(values::bundle))];
    for (at, wrong) in cats.chain(bundle) {
        if let Some(Wrong::Never(message) | Wrong::Doubtful(message)) = wrong {
            at.report(Rule::Ambiguous, message);
        }
    }
    for (i, domain) in adomain.iter().enumerate() {
        let (at, bare) = (at.item("adomain", i), strip_www(domain));
        if bare != domain {
            let message = format!("{domain:?}, but block lists and reviews of exchanges have {bare:?}; expected this");
            at.report(Rule::Ambiguous, message);
        } else if is_example(domain) {
            at.report(Rule::Ambiguous, format!("{domain:?} is a placeholder; expected the advertiser's domain"));
        }
    }
}

/// Whether this is a domain for examples (RFC 2606 §3) under a top-level domain of real sites.
fn is_example(domain: &str) -> bool {
    ["example.com", "example.net", "example.org"].iter().any(|example| domain.eq_ignore_ascii_case(example))
}

/// A duration of so many seconds, or more, is probably in milliseconds.
const MOST_SECONDS: i64 = 3000;

fn linear(ad: &LinearEntry, at: &At<'_>) {
    // A ready document tells its duration itself.
    if ad.dur >= MOST_SECONDS && ad.adm.is_none() {
        let message = format!("{} seconds; expected seconds, not milliseconds, such as {}", ad.dur, ad.dur / 1000);
        at.attribute("dur").report(Rule::Ambiguous, message);
    }
    for (i, file) in ad.media.iter().enumerate() {
        let at = at.item("media", i);
        mime(&file.mime, &at.attribute("mime"));
        named(&file.url, &file.mime, &at.attribute("mime"));
        if let Some(rate) = file.bitrate.filter(|rate| *rate >= MOST_KILOBITS) {
            let message = format!("{rate} kilobits per second; expected kilobits, not bits, such as {}", rate / 1000);
            at.attribute("bitrate").report(Rule::Ambiguous, message);
        }
    }
    for (i, banner) in ad.companions.iter().enumerate() {
        if let Some(url) = &banner.image {
            named(url, banner.mime.as_deref().unwrap_or("image/png"), &at.item("companions", i).attribute("mime"));
        }
    }
    for (i, text) in ad.mimes.iter().enumerate() {
        mime(text, &at.item("mimes", i));
    }
    link(&ad.clickthrough, &at.attribute("clickthrough"));
}

fn mime(text: &str, at: &At<'_>) {
    if !text.is_empty() && !text.contains('/') {
        let message = format!("{text:?} is no MIME type, so no player lists it; expected one such as video/mp4");
        at.report(Rule::NoBids, message);
    }
}

/// No ad has as many kilobits per second.
const MOST_KILOBITS: i64 = 100_000;

/// The ends of files' names, and the MIME types of such files.
const ENDS: [(&str, &str); 17] = [
    ("mp4", "video/mp4 audio/mp4"),
    ("m4v", "video/mp4 video/x-m4v"),
    ("webm", "video/webm audio/webm"),
    ("mov", "video/quicktime"),
    ("flv", "video/x-flv"),
    ("3gp", "video/3gpp"),
    ("ogv", "video/ogg"),
    ("m3u8", "application/x-mpegurl application/vnd.apple.mpegurl"),
    ("mpd", "application/dash+xml"),
    ("mp3", "audio/mpeg audio/mp3"),
    ("m4a", "audio/mp4 audio/x-m4a audio/aac"),
    ("aac", "audio/aac audio/aacp"),
    ("wav", "audio/wav audio/x-wav audio/wave"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("js", "application/javascript text/javascript application/x-javascript"),
];

/// Notes a MIME type that is not that of the file, by the end of its name.
fn named(url: &str, mime: &str, at: &At<'_>) {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let end = path.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).unwrap_or_default();
    let Some((_, known)) = ENDS.iter().find(|(known, _)| *known == end) else { return };
    let own = mime.to_ascii_lowercase();
    if own.contains('/') && !known.split(' ').any(|known| own == known) {
        let expected = known.split(' ').next().unwrap_or_default();
        at.report(Rule::Ambiguous, format!("{mime:?}, but the file ends with .{end}; expected {expected}"));
    }
}

fn banner(ad: &BannerEntry, at: &At<'_>) {
    let (at, text) = (at.attribute("adm"), ad.adm.to_ascii_lowercase());
    text.split("href=").skip(1).for_each(|rest| link(rest.trim_start_matches(['"', '\'']), &at));
}

/// Notes a link to a placeholder: a host without a dot.
fn link(url: &str, at: &At<'_>) {
    let is_web = ["https://", "http://"].iter().any(|scheme| url.starts_with(scheme));
    let end = url.find(['"', '\'', '<', '>', ' ']).unwrap_or(url.len());
    let host = host(url.get(..end).unwrap_or_default());
    if is_web && !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        at.report(Rule::Ambiguous, format!("{host:?} is no host of a page; expected a link to the advertiser's page"));
    }
}
