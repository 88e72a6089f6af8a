//! Writes the `adm` of a native bid: a Native Ads response inside a JSON string (Native Ads 1.2 §5).
//!
//! Because the response is inside a string, each quote has a backslash. Text from the catalog already has these
//! escapes.

use crate::catalog::Native;
use crate::digits::Digits;
use crate::request::{self, EventTracker, NativeVersion};
use crate::rules::native::{Answer, answer, player};

/// Appends the JSON string literal that holds the native response.
pub(super) fn adm(out: &mut String, offer: &request::Native<'_>, ad: &Native<'_>) {
    let (before, behind) =
        if offer.ver == NativeVersion::V1_0 { (r#""{\"native\":"#, r#"}""#) } else { (r#"""#, r#"""#) };
    out.push_str(before);
    out.push_str(r#"{\"ver\":\""#);
    out.push_str(offer.ver.as_str());
    out.push_str(r#"\",\"assets\":["#);
    let mut first = true;
    for asset in offer.assets {
        let Some(answer) = answer(asset, ad) else { continue };
        super::comma(out, &mut first);
        out.push_str(r#"{\"id\":"#);
        Digits::of(asset.id).push_to(out);
        match answer {
            Answer::Fragment(fragment) => out.push_str(fragment),
            Answer::Video(video) => {
                out.push_str(r#",\"video\":{\"vasttag\":\""#);
                super::vast(&video, player(asset).as_ref(), |literal| out.push_str(literal));
                out.push_str(r#"\"}"#);
            }
        }
        out.push('}');
    }
    out.push(']');
    out.push_str(ad.link());
    trackers(out, offer, ad);
    if offer.privacy && offer.ver == NativeVersion::V1_2 {
        out.push_str(ad.privacy());
    }
    out.push('}');
    out.push_str(behind);
}

/// Appends the trackers. A request of version 1.2 may list the event trackers that it supports (§5.8); without a list,
/// and before 1.2, the answer has `imptrackers` and `jstracker`.
fn trackers(out: &mut String, offer: &request::Native<'_>, ad: &Native<'_>) {
    if offer.eventtrackers.is_empty() || offer.ver < NativeVersion::V1_2 {
        out.push_str(ad.trackers());
        return;
    }
    let asked = |method| offer.eventtrackers.contains(&EventTracker { event: EventTracker::IMPRESSION, method });
    let all = [(EventTracker::IMAGE, ad.images()), (EventTracker::SCRIPT, ad.script())];
    let mut entries = all.iter().filter(|(method, entries)| !entries.is_empty() && asked(*method));
    let Some((_, some)) = entries.next() else { return };
    out.push_str(r#",\"eventtrackers\":["#);
    out.push_str(some);
    for (_, more) in entries {
        out.push(',');
        out.push_str(more);
    }
    out.push(']');
}
