//! Ads that do more than play: `skipoffset`, VPAID and SIMID. The creative must tell exchanges about each of them, in
//! `attr` or `api`.

use super::xml::Element;
use document::check::At;
use document::decode::Rule;
use document::{CreativeEntry, LinearEntry};

/// AdCOM creative attribute "can be skipped" (OpenRTB 2.6 §3.2.7 `skip`).
const SKIPPABLE: i64 = 16;
/// AdCOM API frameworks.
const VPAID: [i64; 2] = [1, 2];
const SIMID: [i64; 1] = [8];

pub(crate) fn check(creative: &CreativeEntry, ad: &LinearEntry, version: &str, at: &At<'_>) {
    if let Some(seconds) = ad.skipoffset {
        let (at, dur) = (at.attribute("skipoffset"), ad.dur);
        if version < "3.0" {
            at.error(format!("given, but VAST {version} has none; expected it from VAST 3.0 on"));
        } else if !(0..dur).contains(&seconds) {
            at.error(format!("{seconds}; expected at least 0 and less than dur, {dur} seconds"));
        }
        must_list(&[SKIPPABLE], &creative.attr, "attr of the creative", &at);
    }
    if !ad.interactive.is_empty() {
        let at = at.attribute("interactive");
        if version < "4.1" {
            at.error(format!("given, but VAST {version} has no SIMID; expected it from VAST 4.1 on"));
        }
        must_list(&SIMID, &creative.api, "api of the creative", &at);
    }
    for (i, file) in ad.media.iter().enumerate() {
        let at = at.item("media", i).attribute("api");
        match file.api.as_deref() {
            Some("VPAID") => must_list(&VPAID, &creative.api, "api of the creative", &at),
            Some(other) => at.report(Rule::Unknown, format!("{other:?} is unknown; expected \"VPAID\", or no api")),
            None if is_script(&file.mime) => {
                at.report(Rule::Missing, "missing, but the file is a script; expected \"VPAID\"");
            }
            None => {}
        }
    }
}

fn is_script(mime: &str) -> bool {
    let mime = mime.to_ascii_lowercase();
    ["application/javascript", "application/x-javascript", "text/javascript"].contains(&mime.as_str())
}

/// One of `codes` must be in `listed`, the list that `list` names.
fn must_list(codes: &[i64], listed: &[i64], list: &str, at: &At<'_>) {
    if !codes.iter().any(|code| listed.contains(code)) {
        let codes = codes.iter().map(i64::to_string).collect::<Vec<_>>().join(" or ");
        at.report(Rule::Missing, format!("given, but {list} does not list {codes}; expected {codes} in it"));
    }
}

/// The SIMID file, or nothing. It stands behind the media files.
pub(crate) fn simid(ad: &LinearEntry) -> String {
    if ad.interactive.is_empty() {
        return String::new();
    }
    let file = Element::new("InteractiveCreativeFile").attribute("type", "text/html");
    file.attribute("apiFramework", "SIMID").text(&ad.interactive)
}
