//! Checks the companions of a video or audio ad and writes them as VAST `CompanionAds`.

use super::xml;
use crate::compile::check::out_of_range;
use crate::compile::document::{CompanionEntry, LinearEntry};
use crate::decode::Finding;
use bidder_wasm::catalog::{CompanionDraft, CompanionsDraft};
use bidder_wasm::write::literal;

pub(crate) fn check(ad: &LinearEntry, path: &str, findings: &mut Vec<Finding>) {
    if ad.companion_required == Some(true) && ad.companions.is_empty() {
        let message = "true, but there are no companions; expected at least one".to_owned();
        out_of_range(&format!("{path}.companion_required"), message, findings);
    }
    if ad.adm.is_some() && !ad.companions.is_empty() {
        let message = "given together with adm; expected the companions inside the document in adm".to_owned();
        out_of_range(&format!("{path}.companions"), message, findings);
    }
}

/// Writes the companions as a separate VAST `Creative` element. `opening` is its start tag, `closing` its end.
pub(crate) fn render(opening: &str, closing: &str, ad: &LinearEntry, version: &str) -> CompanionsDraft {
    if ad.companions.is_empty() {
        return CompanionsDraft::default();
    }
    let required = ad.companion_required.unwrap_or(false);
    // VAST 2.0 cannot require a companion.
    let insist = if required && version != "2.0" { r#" required="any""# } else { "" };
    CompanionsDraft {
        required,
        head: literal(&format!("{opening}<CompanionAds{insist}>")),
        ads: ad.companions.iter().map(write).collect(),
        tail: literal(&format!("</CompanionAds>{closing}")),
    }
}

/// AdCOM "Companion Types".
const STATIC: i64 = 1;
const HTML: i64 = 2;
const IFRAME: i64 = 3;
/// AdCOM banner type "iframe".
const IFRAME_BANNER: i64 = 4;

fn write(entry: &CompanionEntry) -> CompanionDraft {
    let (w, h) = (entry.w.unwrap_or_default(), entry.h.unwrap_or_default());
    let mut element = format!(r#"<Companion width="{w}" height="{h}">"#);
    let (kind, mime) = match (&entry.image, &entry.html) {
        (Some(url), _) => {
            let mime = entry.mime.as_deref().unwrap_or("image/png");
            element.push_str(r#"<StaticResource creativeType=""#);
            xml::escape(&mut element, mime);
            element.push_str(r#"">"#);
            xml::cdata(&mut element, url);
            element.push_str("</StaticResource>");
            (STATIC, mime)
        }
        (None, Some(markup)) => {
            xml::element(&mut element, "HTMLResource", markup);
            (HTML, "text/html")
        }
        (None, None) => {
            xml::element(&mut element, "IFrameResource", entry.iframe.as_deref().unwrap_or_default());
            (IFRAME, "text/html")
        }
    };
    if let Some(url) = &entry.clickthrough {
        xml::element(&mut element, "CompanionClickThrough", url);
    }
    element.push_str("</Companion>");
    let btype = entry.btype.unwrap_or(if kind == IFRAME { IFRAME_BANNER } else { 0 });
    let (attr, api) = (entry.attr.clone(), entry.api.clone());
    CompanionDraft { w, h, kind, btype, attr, api, mime: mime.to_owned(), element: literal(&element) }
}
