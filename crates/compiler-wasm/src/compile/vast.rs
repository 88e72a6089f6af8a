//! Writes the VAST document of a video or audio ad from its parts, once, when the catalog is built.

use core::fmt::Write as _;

use super::companion;
use super::document::{CreativeEntry, LinearEntry};
use bidder_wasm::catalog::{MediaFileDraft, VastDraft};
use bidder_wasm::write::literal;

/// The VAST version that an AdCOM creative subtype names, for the subtypes that can be written:
/// inline documents only. `None` for wrappers, DAAST and unknown numbers.
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

/// The document, with its files apart. `version` is the VAST version to write.
pub(super) fn render(creative: &CreativeEntry, ad: &LinearEntry, version: &str) -> VastDraft {
    let crid = creative.crid.as_deref().unwrap_or_default();
    let mut head = format!(r#"<VAST version="{version}"><Ad id=""#);
    escape(&mut head, crid);
    head.push_str(r#""><InLine><AdSystem>edgebid</AdSystem><AdTitle>"#);
    escape(&mut head, crid);
    head.push_str("</AdTitle>");
    // VAST 2.0 and later require an Impression, which may be empty; 4.0 requires a serving id.
    if ad.impression.is_empty() {
        head.push_str("<Impression/>");
    }
    for url in &ad.impression {
        element(&mut head, "Impression", url);
    }
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
        tail: literal(&tail),
        companions: companion::render(&creative, ad, version),
        end: literal("</Creatives></InLine></Ad></VAST>"),
    }
}

/// The start of a `Creative`, which of 4.0 and later needs the id of a registry.
fn opening(crid: &str, version: &str) -> String {
    let mut creative = String::from(r#"<Creative id=""#);
    escape(&mut creative, crid);
    creative.push_str(r#"">"#);
    if version.starts_with('4') {
        creative.push_str(r#"<UniversalAdId idRegistry="unknown">unknown</UniversalAdId>"#);
    }
    creative
}

/// An element that holds text alone.
pub(super) fn element(out: &mut String, name: &str, text: &str) {
    let _ = write!(out, "<{name}>");
    cdata(out, text);
    let _ = write!(out, "</{name}>");
}

/// Wraps text so that no markup in it counts, splitting any `]]>` it holds.
pub(super) fn cdata(out: &mut String, text: &str) {
    out.push_str("<![CDATA[");
    out.push_str(&text.replace("]]>", "]]]]><![CDATA[>"));
    out.push_str("]]>");
}

/// Text inside an attribute or element.
pub(super) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}
