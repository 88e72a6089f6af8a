//! Writes the VAST document of a video or audio ad from its `media`.

use core::fmt::Write as _;

use super::companion;
use super::document::{CreativeEntry, LinearEntry};
use super::xml::{cdata, element, escape};
use bidder_wasm::catalog::{MediaFileDraft, VastDraft};
use bidder_wasm::write::literal;

/// The VAST version of an AdCOM creative subtype. `None` for subtypes that cannot be written: wrappers, DAAST and
/// unknown numbers.
pub(super) fn version(protocol: i64) -> Option<&'static str> {
    Some(match protocol {
        2 => "2.0",
        3 => "3.0",
        7 => "4.0",
        11 => "4.1",
        13 => "4.2",
        15 => "4.3",
        _ => return None,
    })
}

/// The document in parts: each request gets only the files and companions that its player takes.
pub(super) fn render(creative: &CreativeEntry, ad: &LinearEntry, version: &str) -> VastDraft {
    let crid = creative.crid.as_deref().unwrap_or_default();
    let mut head = format!(r#"<VAST version="{version}"><Ad id=""#);
    escape(&mut head, crid);
    head.push_str(r#""><InLine><AdSystem>edgebid</AdSystem><AdTitle>"#);
    escape(&mut head, crid);
    head.push_str("</AdTitle>");
    let impression_at = u32::try_from(literal(&head).len()).unwrap_or_default();
    // VAST requires an Impression, which may be empty.
    if ad.impression.is_empty() {
        head.push_str("<Impression/>");
    }
    for url in &ad.impression {
        element(&mut head, "Impression", url);
    }
    // VAST 4.1 and later require a serving id.
    if version.starts_with('4') && version != "4.0" {
        head.push_str("<AdServingId>");
        escape(&mut head, crid);
        head.push_str("</AdServingId>");
    }
    head.push_str("<Creatives>");
    let creative = opening(crid, version);
    head.push_str(&creative);
    let seconds = ad.dur.unwrap_or_default();
    let _ = write!(
        head,
        "<Linear><Duration>{:02}:{:02}:{:02}</Duration><MediaFiles>",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );

    let files = ad.media.iter().map(|file| {
        let mime = file.mime.clone().unwrap_or_default();
        let delivery = file.delivery.unwrap_or(2);
        let way = if delivery == 1 { "streaming" } else { "progressive" };
        let mut element = format!(r#"<MediaFile delivery="{way}" type=""#);
        escape(&mut element, &mime);
        let (w, h) = (file.w.or(ad.w).unwrap_or_default(), file.h.or(ad.h).unwrap_or_default());
        let _ = write!(element, r#"" width="{w}" height="{h}""#);
        if let Some(bitrate) = file.bitrate {
            let _ = write!(element, r#" bitrate="{bitrate}""#);
        }
        element.push('>');
        let url = file.url.clone().unwrap_or_default();
        cdata(&mut element, &url);
        element.push_str("</MediaFile>");
        MediaFileDraft { mime, bitrate: file.bitrate.unwrap_or_default(), delivery, url, element: literal(&element) }
    });

    let mut tail = String::from("</MediaFiles>");
    if let Some(url) = &ad.clickthrough {
        tail.push_str("<VideoClicks>");
        element(&mut tail, "ClickThrough", url);
        tail.push_str("</VideoClicks>");
    }
    tail.push_str("</Linear></Creative>");
    VastDraft {
        files: files.collect(),
        head: literal(&head),
        impression_at,
        tail: literal(&tail),
        companions: companion::render(&creative, ad, version),
        end: literal("</Creatives></InLine></Ad></VAST>"),
    }
}

/// The start of a `Creative`. VAST 4.0 and later require a `UniversalAdId`.
fn opening(crid: &str, version: &str) -> String {
    let mut creative = String::from(r#"<Creative id=""#);
    escape(&mut creative, crid);
    creative.push_str(r#"">"#);
    if version.starts_with('4') {
        creative.push_str(r#"<UniversalAdId idRegistry="unknown">unknown</UniversalAdId>"#);
    }
    creative
}
