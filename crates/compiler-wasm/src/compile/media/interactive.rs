//! Ads that do more than play: `skipoffset`, VPAID and SIMID. The creative must tell exchanges about each of them, in
//! `attr` or `api`.

use super::xml::cdata;
use crate::compile::check::out_of_range;
use crate::compile::document::{CreativeEntry, LinearEntry};
use crate::decode::{Finding, Rule};

/// AdCOM creative attribute "can be skipped" (OpenRTB 2.6 §3.2.7 `skip`).
const SKIPPABLE: i64 = 16;
/// AdCOM API frameworks.
const VPAID: [i64; 2] = [1, 2];
const SIMID: [i64; 1] = [8];

pub(crate) fn check(
    creative: &CreativeEntry,
    ad: &LinearEntry,
    version: &str,
    path: &str,
    findings: &mut Vec<Finding>,
) {
    if let Some(seconds) = ad.skipoffset {
        let (path, dur) = (format!("{path}.skipoffset"), ad.dur.unwrap_or_default());
        if version < "3.0" {
            let message = format!("given, but VAST {version} has none; expected it from VAST 3.0 on");
            out_of_range(&path, message, findings);
        } else if !(0..dur).contains(&seconds) {
            out_of_range(&path, format!("{seconds}; expected at least 0 and less than dur, {dur} seconds"), findings);
        }
        must_list(&[SKIPPABLE], &creative.attr, "attr of the creative", &path, findings);
    }
    if ad.interactive.is_some() {
        let path = format!("{path}.interactive");
        if version < "4.1" {
            let message = format!("given, but VAST {version} has no SIMID; expected it from VAST 4.1 on");
            out_of_range(&path, message, findings);
        }
        must_list(&SIMID, &creative.api, "api of the creative", &path, findings);
    }
    for (i, file) in ad.media.iter().enumerate() {
        let path = format!("{path}.media[{i}].api");
        match file.api.as_deref() {
            Some("VPAID") => must_list(&VPAID, &creative.api, "api of the creative", &path, findings),
            Some(other) => {
                let message = format!("{other:?} is unknown; expected \"VPAID\", or no api");
                findings.push(Finding::new(path, Rule::Unknown, message));
            }
            None if is_script(file.mime.as_deref().unwrap_or_default()) => {
                let message = "missing, but the file is a script; expected \"VPAID\"".to_owned();
                findings.push(Finding::new(path, Rule::Missing, message));
            }
            None => {}
        }
    }
}

/// Refuses what only a video may have.
pub(crate) fn check_audio(ad: &LinearEntry, path: &str, findings: &mut Vec<Finding>) {
    for (name, is_given) in [("skipoffset", ad.skipoffset.is_some()), ("interactive", ad.interactive.is_some())] {
        if is_given {
            out_of_range(&format!("{path}.{name}"), "given for audio; expected it for video only".to_owned(), findings);
        }
    }
}

fn is_script(mime: &str) -> bool {
    let mime = mime.to_ascii_lowercase();
    ["application/javascript", "application/x-javascript", "text/javascript"].contains(&mime.as_str())
}

/// One of `codes` must be in `listed`, the list that `list` names.
fn must_list(codes: &[i64], listed: &[i64], list: &str, path: &str, findings: &mut Vec<Finding>) {
    if codes.iter().any(|code| listed.contains(code)) {
        return;
    }
    let codes = codes.iter().map(i64::to_string).collect::<Vec<_>>().join(" or ");
    let message = format!("given, but {list} does not list {codes}; expected {codes} in it");
    findings.push(Finding::new(path.to_owned(), Rule::Missing, message));
}

/// The SIMID file, or nothing. It stands behind the media files.
pub(crate) fn simid(ad: &LinearEntry) -> String {
    let mut file = String::new();
    if let Some(url) = &ad.interactive {
        file.push_str(r#"<InteractiveCreativeFile type="text/html" apiFramework="SIMID">"#);
        cdata(&mut file, url);
        file.push_str("</InteractiveCreativeFile>");
    }
    file
}
