//! Checks a video or audio ad and makes it ready to serve. `vast.rs` writes the VAST document if the author gives none.

use super::{companion, interactive, ready_vast, stored, tracking, vast};
use base::json::literal;
use catalog::{LinearDraft, MediaFileDraft, VastDraft};
use document::check::At;
use document::decode::Rule;
use document::{CreativeEntry, LinearEntry};

pub(crate) fn video(entry: &CreativeEntry, ad: &LinearEntry, at: &At<'_>) -> Option<LinearDraft> {
    for (name, size) in [("w", ad.w), ("h", ad.h)] {
        if size < 1 {
            at.attribute(name).error(format!("{size}; expected the size of the video"));
        }
    }
    compile(entry, ad, at)
}

pub(crate) fn audio(entry: &CreativeEntry, ad: &LinearEntry, at: &At<'_>) -> Option<LinearDraft> {
    let of_video = [("skipoffset", ad.skipoffset.is_some()), ("interactive", !ad.interactive.is_empty())];
    at.refuse(&of_video, "given for audio; expected it for video only");
    compile(entry, ad, at)
}

/// Compiles an audio ad, or a video ad without its size.
fn compile(entry: &CreativeEntry, ad: &LinearEntry, at: &At<'_>) -> Option<LinearDraft> {
    let protocol = ad.protocol?;
    companion::check(ad, at);
    let vast = match (&ad.adm, ad.media.is_empty()) {
        (Some(adm), true) => ready(ad, adm, at)?,
        (None, false) => {
            let Some(version) = ready_vast::version(protocol) else {
                let message = format!(
                    "{protocol} cannot be written from media; expected 2, 3, 7, 11, 13 or 15 (VAST 2.0 to 4.3), or a ready document in adm"
                );
                at.attribute("protocol").error(message);
                return None;
            };
            tracking::check(ad, version, at);
            interactive::check(entry, ad, version, at);
            vast::render(entry, ad, version)
        }
        _ => {
            let message = "has both media and adm, or neither; expected files in media or a ready VAST document in adm";
            at.report(Rule::Missing, message);
            return None;
        }
    };
    let linearity = ad.linearity.unwrap_or(1);
    Some(LinearDraft { dur: ad.dur, w: ad.w, h: ad.h, linearity, vast, ..stored::linear(ad) })
}

fn ready(ad: &LinearEntry, adm: &str, at: &At<'_>) -> Option<VastDraft> {
    if ad.mimes.is_empty() {
        let message = "missing, but adm needs it; expected the MIME types that the document in adm plays";
        at.attribute("mimes").report(Rule::Missing, message);
        return None;
    }
    let of_media = [
        ("tracking", !ad.tracking.is_empty()),
        ("error", !ad.error.is_empty()),
        ("clicktracking", !ad.clicktracking.is_empty()),
        ("skipoffset", ad.skipoffset.is_some()),
        ("verification", !ad.verification.is_empty()),
        ("interactive", !ad.interactive.is_empty()),
    ];
    at.refuse(&of_media, "given together with adm; expected it inside the document in adm");
    let before_impression = ready_vast::check(ad, adm, at).and_then(|position| adm.get(..position)).unwrap_or_default();
    let file = |mime: &String| MediaFileDraft { mime: mime.clone(), ..MediaFileDraft::default() };
    let impression_at = u32::try_from(literal(before_impression).len()).unwrap_or_default();
    let files = ad.mimes.iter().map(file).collect();
    Some(VastDraft { head: literal(adm), impression_at, files, ..VastDraft::default() })
}
