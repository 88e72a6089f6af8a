//! Checks a video or audio ad and makes it ready to serve. `vast.rs` writes the VAST document if the author gives none.

use super::{companion, interactive, ready_vast, tracking, vast};
use crate::compile::check::out_of_range;
use crate::compile::document::{CreativeEntry, LinearEntry};
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{CompanionsDraft, LinearDraft, MediaFileDraft, VastDraft};
use bidder_wasm::write::literal;

pub(crate) fn video(
    entry: &CreativeEntry,
    ad: &LinearEntry,
    path: &str,
    findings: &mut Vec<Finding>,
) -> Option<LinearDraft> {
    for (name, value) in [("w", ad.w), ("h", ad.h)] {
        let size = value.unwrap_or_default();
        if size < 1 {
            out_of_range(&format!("{path}.{name}"), format!("{size}; expected the size of the video"), findings);
        }
    }
    compile(entry, ad, path, findings)
}

pub(crate) fn audio(
    entry: &CreativeEntry,
    ad: &LinearEntry,
    path: &str,
    findings: &mut Vec<Finding>,
) -> Option<LinearDraft> {
    interactive::check_audio(ad, path, findings);
    compile(entry, ad, path, findings)
}

/// Compiles an audio ad, or a video ad without its size.
fn compile(entry: &CreativeEntry, ad: &LinearEntry, path: &str, findings: &mut Vec<Finding>) -> Option<LinearDraft> {
    let (dur, protocol) = (ad.dur?, ad.protocol?);
    let linearity = ad.linearity.unwrap_or(1);
    companion::check(ad, path, findings);
    let vast = match (&ad.adm, ad.media.is_empty()) {
        (Some(adm), true) => ready(ad, adm, path, findings)?,
        (None, false) => {
            let Some(version) = vast::version(protocol) else {
                let message = format!(
                    "{protocol} cannot be written from media; expected 2, 3, 7, 11, 13 or 15 (VAST 2.0 to 4.3), or a ready document in adm"
                );
                out_of_range(&format!("{path}.protocol"), message, findings);
                return None;
            };
            tracking::check(ad, version, path, findings);
            interactive::check(entry, ad, version, path, findings);
            vast::render(entry, ad, version)
        }
        _ => {
            let message = "has both media and adm, or neither; expected files in media or a ready VAST document in adm";
            findings.push(Finding::new(path.to_owned(), Rule::Missing, message.to_owned()));
            return None;
        }
    };
    Some(LinearDraft { dur, protocol, w: ad.w.unwrap_or_default(), h: ad.h.unwrap_or_default(), linearity, vast })
}

fn ready(ad: &LinearEntry, adm: &str, path: &str, findings: &mut Vec<Finding>) -> Option<VastDraft> {
    if ad.mimes.is_empty() {
        let message = "missing, but adm needs it; expected the MIME types that the document in adm plays".to_owned();
        findings.push(Finding::new(format!("{path}.mimes"), Rule::Missing, message));
        return None;
    }
    for (name, is_given) in [
        ("tracking", !ad.tracking.is_empty()),
        ("error", !ad.error.is_empty()),
        ("clicktracking", !ad.clicktracking.is_empty()),
        ("skipoffset", ad.skipoffset.is_some()),
        ("verification", !ad.verification.is_empty()),
        ("interactive", ad.interactive.is_some()),
    ] {
        if is_given {
            let message = "given together with adm; expected it inside the document in adm".to_owned();
            out_of_range(&format!("{path}.{name}"), message, findings);
        }
    }
    let before_impression = ready_vast::check(ad, adm, path, findings).and_then(|at| adm.get(..at)).unwrap_or_default();
    let file = |mime: &String| MediaFileDraft {
        mime: mime.clone(),
        bitrate: 0,
        delivery: 0,
        w: 0,
        h: 0,
        url: String::new(),
        element: String::new(),
    };
    let files = ad.mimes.iter().map(file).collect();
    let (tail, end) = (String::new(), String::new());
    let impression_at = u32::try_from(literal(before_impression).len()).unwrap_or_default();
    Some(VastDraft { head: literal(adm), impression_at, files, tail, companions: CompanionsDraft::default(), end })
}
