//! What measures a video or audio ad: the URLs that a player calls (VAST `Tracking`, `Error` and `ClickTracking`), and the
//! scripts of Open Measurement (`AdVerifications`).

use super::xml::{cdata, element, escape};
use crate::compile::check::{self, out_of_range};
use crate::compile::document::{LinearEntry, TrackingEntry, VerificationEntry};
use crate::decode::{Finding, Rule};
use core::fmt::Write as _;

/// The events of `Tracking` in the schemas of VAST, each with the first and the last version that has it.
const EVENTS: [(&str, &str, &str); 32] = [
    ("creativeView", "2.0", "4.3"),
    ("start", "2.0", "4.3"),
    ("firstQuartile", "2.0", "4.3"),
    ("midpoint", "2.0", "4.3"),
    ("thirdQuartile", "2.0", "4.3"),
    ("complete", "2.0", "4.3"),
    ("mute", "2.0", "4.3"),
    ("unmute", "2.0", "4.3"),
    ("pause", "2.0", "4.3"),
    ("resume", "2.0", "4.3"),
    ("rewind", "2.0", "4.3"),
    ("acceptInvitation", "2.0", "4.3"),
    ("close", "2.0", "4.3"),
    ("fullscreen", "2.0", "3.0"),
    ("expand", "2.0", "3.0"),
    ("collapse", "2.0", "3.0"),
    ("exitFullscreen", "3.0", "3.0"),
    ("skip", "3.0", "4.3"),
    (PROGRESS, "3.0", "4.3"),
    ("acceptInvitationLinear", "3.0", "4.0"),
    ("closeLinear", "3.0", "3.0"),
    ("closeLinear", "4.1", "4.3"),
    ("playerExpand", "4.0", "4.3"),
    ("playerCollapse", "4.0", "4.3"),
    ("adExpand", "4.0", "4.3"),
    ("adCollapse", "4.0", "4.3"),
    ("minimize", "4.0", "4.3"),
    ("overlayViewDuration", "4.0", "4.3"),
    ("otherAdInteraction", "4.0", "4.3"),
    ("timeSpentViewing", "4.0", "4.0"),
    ("loaded", "4.1", "4.3"),
    ("interactiveStart", "4.2", "4.3"),
];

/// The event of a second of the ad, which `offset` tells.
const PROGRESS: &str = "progress";

pub(crate) fn check(ad: &LinearEntry, version: &str, path: &str, findings: &mut Vec<Finding>) {
    for (i, entry) in ad.tracking.iter().enumerate() {
        check_event(entry, ad, version, &format!("{path}.tracking[{i}]"), findings);
    }
    if version < "4.0" && ad.error.len() > 1 {
        let message = format!("{} URLs; expected one, because VAST {version} has one Error", ad.error.len());
        out_of_range(&format!("{path}.error"), message, findings);
    }
}

fn check_event(entry: &TrackingEntry, ad: &LinearEntry, version: &str, path: &str, findings: &mut Vec<Finding>) {
    let Some(event) = entry.event.as_deref() else { return };
    let known = || EVENTS.iter().filter(|(_, first, last)| (*first..=*last).contains(&version)).map(|(name, ..)| *name);
    if !known().any(|name| name == event) {
        let expected = format!("one of {}", known().collect::<Vec<_>>().join(", "));
        let suggestion = check::suggestion(event, known(), &expected, findings);
        let message = format!("VAST {version} has no event {event:?}; {suggestion}");
        findings.push(Finding::new(format!("{path}.event"), Rule::Unknown, message));
        return;
    }
    let path = format!("{path}.offset");
    let dur = ad.dur.unwrap_or_default();
    match entry.offset {
        None if event == PROGRESS => {
            let message = format!("missing; expected the second of the event {PROGRESS}, from 0 to {dur}");
            findings.push(Finding::new(path, Rule::Missing, message));
        }
        Some(_) if event != PROGRESS => {
            let message = format!("given with {event:?}; expected an offset only with {PROGRESS:?}");
            out_of_range(&path, message, findings);
        }
        Some(offset) if !(0..=dur).contains(&offset) => {
            out_of_range(&path, format!("{offset}; expected 0 to {dur}, the seconds of the ad"), findings);
        }
        _ => {}
    }
}

/// `TrackingEvents`, or nothing.
pub(crate) fn events(ad: &LinearEntry) -> String {
    let mut events = String::new();
    if ad.tracking.is_empty() {
        return events;
    }
    events.push_str("<TrackingEvents>");
    for entry in &ad.tracking {
        let _ = write!(events, r#"<Tracking event="{}""#, entry.event.as_deref().unwrap_or_default());
        if let Some(offset) = entry.offset {
            let _ = write!(events, r#" offset="{}""#, time(offset));
        }
        events.push('>');
        cdata(&mut events, entry.url.as_deref().unwrap_or_default());
        events.push_str("</Tracking>");
    }
    events.push_str("</TrackingEvents>");
    events
}

/// `VideoClicks`, or nothing. The schemas of VAST 4 have the trackers first, those before have them last.
pub(crate) fn clicks(ad: &LinearEntry, version: &str) -> String {
    let mut parts = [String::new(), String::new()];
    let [through, tracking] = &mut parts;
    ad.clickthrough.iter().for_each(|url| element(through, "ClickThrough", url));
    ad.clicktracking.iter().for_each(|url| element(tracking, "ClickTracking", url));
    if version >= "4.0" {
        parts.reverse();
    }
    let clicks = parts.concat();
    if clicks.is_empty() { clicks } else { format!("<VideoClicks>{clicks}</VideoClicks>") }
}

/// Seconds as `HH:MM:SS`.
pub(crate) fn time(seconds: i64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The element, or nothing. VAST before 4.1 has it in an extension (OM SDK, "VAST 4.0 and earlier"), because the
/// `AdVerifications` of VAST 4.0 have no parameters.
pub(crate) fn verification(ad: &LinearEntry, version: &str) -> String {
    if ad.verification.is_empty() {
        return String::new();
    }
    let scripts: String = ad.verification.iter().map(script).collect();
    let scripts = format!("<AdVerifications>{scripts}</AdVerifications>");
    if version > "4.0" {
        return scripts;
    }
    format!(r#"<Extensions><Extension type="AdVerifications">{scripts}</Extension></Extensions>"#)
}

fn script(entry: &VerificationEntry) -> String {
    let mut script = String::from(r#"<Verification vendor=""#);
    escape(&mut script, entry.vendor.as_deref().unwrap_or_default());
    // OMID scripts run in a bare JavaScript engine too, as players in apps have it.
    script.push_str(r#""><JavaScriptResource apiFramework="omid" browserOptional="true">"#);
    cdata(&mut script, entry.url.as_deref().unwrap_or_default());
    script.push_str("</JavaScriptResource>");
    if let Some(url) = &entry.not_executed {
        script.push_str(r#"<TrackingEvents><Tracking event="verificationNotExecuted">"#);
        cdata(&mut script, url);
        script.push_str("</Tracking></TrackingEvents>");
    }
    if let Some(params) = &entry.params {
        element(&mut script, "VerificationParameters", params);
    }
    script.push_str("</Verification>");
    script
}
