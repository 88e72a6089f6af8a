//! Checks the companions of a video or audio ad and writes them as VAST `CompanionAds`.

use super::xml::{Element, each};
use base::json::literal;
use catalog::{CompanionDraft, CompanionsDraft};
use document::check::At;
use document::{CompanionEntry, LinearEntry};

pub(crate) fn check(ad: &LinearEntry, at: &At<'_>) {
    if ad.companion_required && ad.companions.is_empty() {
        at.attribute("companion_required").error("true, but there are no companions; expected at least one");
    }
    if ad.adm.is_some() && !ad.companions.is_empty() {
        at.attribute("companions").error("given together with adm; expected the companions inside the document in adm");
    }
}

/// Writes the companions as a separate VAST `Creative` element. `opening` is its start tag, `closing` its end.
pub(crate) fn render(opening: &str, closing: &str, ad: &LinearEntry, version: &str) -> CompanionsDraft {
    if ad.companions.is_empty() {
        return CompanionsDraft::default();
    }
    // VAST 2.0 cannot require a companion.
    let insist = (ad.companion_required && version != "2.0").then_some("any");
    let ads = Element::new("CompanionAds").optional("required", insist).open();
    CompanionsDraft {
        required: ad.companion_required,
        head: literal(&format!("{opening}{ads}")),
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
    let CompanionEntry { w, h, .. } = *entry;
    let (kind, mime, resource) = match (&entry.image, &entry.html) {
        (Some(url), _) => {
            let mime = entry.mime.as_deref().unwrap_or("image/png");
            (STATIC, mime, Element::new("StaticResource").attribute("creativeType", mime).text(url))
        }
        (None, Some(markup)) => (HTML, "text/html", Element::new("HTMLResource").text(markup)),
        (None, None) => (IFRAME, "text/html", Element::new("IFrameResource").text(&entry.iframe)),
    };
    let element = Element::new("Companion").attribute("width", w).attribute("height", h);
    let element = element.with(&(resource + &each("CompanionClickThrough", [&entry.clickthrough])));
    CompanionDraft {
        w,
        h,
        kind,
        btype: entry.btype.unwrap_or(if kind == IFRAME { IFRAME_BANNER } else { 0 }),
        attr: entry.attr.clone(),
        api: entry.api.clone(),
        mime: mime.to_owned(),
        element: literal(&element),
    }
}
