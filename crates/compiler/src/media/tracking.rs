//! What measures a video or audio ad: the URLs that a player calls (VAST `Tracking`, `Error` and `ClickTracking`), and the
//! scripts of Open Measurement (`AdVerifications`).

use super::xml::{Element, around, each};
use document::check::At;
use document::decode::Rule;
use document::{LinearEntry, TrackingEntry, VerificationEntry};

/// The events of `Tracking` in the schemas of VAST: the first and the last version that has them, and their names.
const EVENTS: [(&str, &str, &str); 10] = [
    ("2.0", "4.3", "creativeView start firstQuartile midpoint thirdQuartile complete mute unmute pause resume rewind"),
    ("2.0", "4.3", "acceptInvitation close"),
    ("2.0", "3.0", "fullscreen expand collapse"),
    ("3.0", "3.0", "exitFullscreen closeLinear"),
    ("3.0", "4.3", "skip progress"),
    ("3.0", "4.0", "acceptInvitationLinear"),
    ("4.0", "4.3", "playerExpand playerCollapse adExpand adCollapse minimize overlayViewDuration otherAdInteraction"),
    ("4.0", "4.0", "timeSpentViewing"),
    ("4.1", "4.3", "closeLinear loaded"),
    ("4.2", "4.3", "interactiveStart"),
];

/// The event of a second of the ad, which `offset` tells.
const PROGRESS: &str = "progress";

pub(crate) fn check(ad: &LinearEntry, version: &str, at: &At<'_>) {
    for (i, entry) in ad.tracking.iter().enumerate() {
        check_event(entry, ad.dur, version, &at.item("tracking", i));
    }
    if version < "4.0" && ad.error.len() > 1 {
        let message = format!("{} URLs; expected one, because VAST {version} has one Error", ad.error.len());
        at.attribute("error").error(message);
    }
}

fn check_event(entry: &TrackingEntry, dur: i64, version: &str, at: &At<'_>) {
    let Some(event) = entry.event.as_deref() else { return };
    let of_version = EVENTS.iter().filter(|(first, last, _)| (*first..=*last).contains(&version));
    let known = || of_version.clone().flat_map(|(.., names)| names.split(' '));
    if !known().any(|name| name == event) {
        let expected = format!("one of {}", known().collect::<Vec<_>>().join(", "));
        let suggestion = at.suggestion(event, known(), &expected);
        let message = format!("VAST {version} has no event {event:?}; {suggestion}");
        return at.attribute("event").report(Rule::Unknown, message);
    }
    let at = at.attribute("offset");
    match entry.offset {
        None if event == PROGRESS => {
            let message = format!("missing; expected the second of the event {PROGRESS}, from 0 to {dur}");
            at.report(Rule::Missing, message);
        }
        Some(_) if event != PROGRESS => {
            at.error(format!("given with {event:?}; expected an offset only with {PROGRESS:?}"));
        }
        Some(offset) if !(0..=dur).contains(&offset) => {
            at.error(format!("{offset}; expected 0 to {dur}, the seconds of the ad"));
        }
        _ => {}
    }
}

/// `TrackingEvents`, or nothing.
pub(crate) fn events(ad: &LinearEntry) -> String {
    let event = |entry: &TrackingEntry| {
        let element = Element::new("Tracking").attribute("event", entry.event.as_deref().unwrap_or_default());
        element.optional("offset", entry.offset.map(time)).text(&entry.url)
    };
    around("TrackingEvents", &ad.tracking.iter().map(event).collect::<String>())
}

/// `VideoClicks`, or nothing. The schemas of VAST 4 have the trackers first, those before have them last.
pub(crate) fn clicks(ad: &LinearEntry, version: &str) -> String {
    let (through, tracking) = (each("ClickThrough", [&ad.clickthrough]), each("ClickTracking", &ad.clicktracking));
    around("VideoClicks", &if version >= "4.0" { tracking + &through } else { through + &tracking })
}

/// Seconds as `HH:MM:SS`.
pub(crate) fn time(seconds: i64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The element, or nothing. VAST before 4.1 has it in an extension (OM SDK, "VAST 4.0 and earlier"), because the
/// `AdVerifications` of VAST 4.0 have no parameters.
pub(crate) fn verification(ad: &LinearEntry, version: &str) -> String {
    let scripts = around("AdVerifications", &ad.verification.iter().map(script).collect::<String>());
    if version > "4.0" || scripts.is_empty() {
        return scripts;
    }
    Element::new("Extensions").with(&Element::new("Extension").attribute("type", "AdVerifications").with(&scripts))
}

fn script(entry: &VerificationEntry) -> String {
    // OMID scripts run in a bare JavaScript engine too, as players in apps have it.
    let resource =
        Element::new("JavaScriptResource").attribute("apiFramework", "omid").attribute("browserOptional", "true");
    let not_executed = Some(&entry.not_executed).filter(|url| !url.is_empty());
    let not_executed =
        not_executed.map(|url| Element::new("Tracking").attribute("event", "verificationNotExecuted").text(url));
    let parts = [
        resource.text(&entry.url),
        around("TrackingEvents", &not_executed.unwrap_or_default()),
        entry.params.as_ref().map(|text| Element::new("VerificationParameters").text(text)).unwrap_or_default(),
    ];
    Element::new("Verification").attribute("vendor", &entry.vendor).with(&parts.concat())
}
