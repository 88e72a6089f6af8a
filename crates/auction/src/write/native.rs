//! Writes the `adm` of a native bid: a Native Ads response inside a JSON string (Native Ads 1.2 §5).
//!
//! Because the response is inside a string, each quote has a backslash. Text from the catalog already has these
//! escapes.

use super::vast::vast;
use base::json::{comma, number_to};
use catalog::Native;
use notices::{Link, Notice};
use openrtb::request::{self, EventTracker, NativeVersion};
use rules::native::{Answer, answers, player};

/// Appends the JSON string literal that holds the native response. With a `link`, a tracker calls our notice.
pub(super) fn adm(out: &mut String, offer: &request::Native<'_>, ad: &Native<'_>, link: Option<&Link<'_>>) {
    let (before, behind) =
        if offer.ver == NativeVersion::V1_0 { (r#""{\"native\":"#, r#"}""#) } else { (r#"""#, r#"""#) };
    out.push_str(before);
    out.push_str(r#"{\"ver\":\""#);
    out.push_str(offer.ver.as_str());
    out.push_str(r#"\",\"assets\":["#);
    let mut first = true;
    for (asset, answer) in answers(offer.assets, ad) {
        let Some(answer) = answer else { continue };
        comma(out, &mut first);
        out.push_str(r#"{\"id\":"#);
        number_to(out, asset.id.unwrap_or_default());
        match answer {
            Answer::Fragment(fragment) => out.push_str(fragment),
            Answer::Video(video) => {
                out.push_str(r#",\"video\":{\"vasttag\":\""#);
                vast(out, &video, player(asset).as_ref(), None);
                out.push_str(r#"\"}"#);
            }
        }
        out.push('}');
    }
    out.push(']');
    out.push_str(ad.link());
    trackers(out, offer, ad, link);
    if offer.privacy && offer.ver == NativeVersion::V1_2 {
        out.push_str(ad.privacy());
    }
    out.push('}');
    out.push_str(behind);
}

/// Appends the trackers. A request of version 1.2 may list the event trackers that it supports (§5.8); without a list,
/// and before 1.2, the answer has `imptrackers` and `jstracker`. If the list has no images, our notice is still in
/// `imptrackers`, because billing needs it.
fn trackers(out: &mut String, offer: &request::Native<'_>, ad: &Native<'_>, link: Option<&Link<'_>>) {
    if offer.eventtrackers.is_empty() || offer.ver < NativeVersion::V1_2 {
        let Some(link) = link else { return out.push_str(ad.trackers()) };
        out.push_str(IMPTRACKERS);
        quoted(out, link);
        if let Some(others) = ad.trackers().strip_prefix(IMPTRACKERS) {
            out.push(',');
            out.push_str(others);
        } else {
            out.push(']');
            out.push_str(ad.trackers());
        }
        return;
    }
    let asked = |method| offer.eventtrackers.contains(&EventTracker { event: EventTracker::IMPRESSION, method });
    let all = [(EventTracker::IMAGE, ad.images()), (EventTracker::SCRIPT, ad.script())];
    let entries = all.iter().filter(|(method, entries)| !entries.is_empty() && asked(*method));
    let mut entries = entries.map(|(_, text)| *text).peekable();
    let (as_image, as_other) = if asked(EventTracker::IMAGE) { (link, None) } else { (None, link) };
    if let Some(link) = as_other {
        out.push_str(IMPTRACKERS);
        quoted(out, link);
        out.push(']');
    }
    if as_image.is_none() && entries.peek().is_none() {
        return;
    }
    out.push_str(r#",\"eventtrackers\":["#);
    let mut first = true;
    if let Some(link) = as_image {
        comma(out, &mut first);
        out.push_str(r#"{\"event\":1,\"method\":1,\"url\":"#);
        quoted(out, link);
        out.push('}');
    }
    for entry in entries {
        comma(out, &mut first);
        out.push_str(entry);
    }
    out.push(']');
}

/// The beginning of [`Native::trackers`] if the ad has trackers that are images.
const IMPTRACKERS: &str = r#",\"imptrackers\":["#;

/// Appends the URL of our impression notice as a string.
fn quoted(out: &mut String, link: &Link<'_>) {
    out.push_str(r#"\""#);
    link.url(out, Notice::Imp);
    out.push_str(r#"\""#);
}
