//! The `adm` of a native bid: a Native Ads response as a JSON string (Native Ads 1.2 §5).
//!
//! Everything in it stands in a JSON string, so each quote has a backslash in front. What comes from the catalog is escaped
//! for that already.

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

/// Version 1.2 asks for event trackers and tells which ones work (§5.8); before, and where nothing
/// is told, `imptrackers` and `jstracker` are what there is.
fn trackers(out: &mut String, offer: &request::Native<'_>, ad: &Native<'_>) {
    if offer.eventtrackers.is_empty() || offer.ver < NativeVersion::V1_2 {
        out.push_str(ad.trackers());
        return;
    }
    let asked = |method| offer.eventtrackers.contains(&EventTracker { event: EventTracker::IMPRESSION, method });
    let told = [(EventTracker::IMAGE, ad.images()), (EventTracker::SCRIPT, ad.script())];
    let mut entries = told.iter().filter(|(method, entries)| !entries.is_empty() && asked(*method));
    let Some((_, some)) = entries.next() else { return };
    out.push_str(r#",\"eventtrackers\":["#);
    out.push_str(some);
    for (_, more) in entries {
        out.push(',');
        out.push_str(more);
    }
    out.push(']');
}
