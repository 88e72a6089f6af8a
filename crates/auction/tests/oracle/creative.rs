//! The rules that compare a creative with an impression.

use reasons::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::json::{at, codes, has, int, ints, list, signal, text, texts};
use super::targeting::{allows, allows_code, same};
use super::{linear, native};

pub const MEDIA: [&str; 4] = ["banner", "video", "audio", "native"];

pub fn medium(creative: &Value) -> &'static str {
    MEDIA.into_iter().find(|medium| has(creative, medium)).unwrap()
}

/// The first check that the creative fails on the impression.
pub fn first_failure(campaign: &Value, creative: &Value, imp: &Value, request: &Value) -> Option<Reason> {
    let medium = medium(creative);
    if !has(imp, medium) {
        return Some(Reason::MediaType);
    }
    let unreadable = super::odd::of_offer(medium, at(imp, medium));
    unreadable.into_iter().chain(readable_failure(campaign, creative, imp, request)).min()
}

/// The first check that fails, of those of what can be read.
fn readable_failure(campaign: &Value, creative: &Value, imp: &Value, request: &Value) -> Option<Reason> {
    let medium = medium(creative);
    let (ours, offer) = (at(creative, medium), at(imp, medium));
    if medium == "banner" && !size(ours, offer) {
        return Some(Reason::Size);
    }
    if let Some(reason) = placement(at(campaign, "target"), medium, offer) {
        return Some(reason);
    }
    let of_medium = match medium {
        "banner" => banner(ours, offer),
        "native" => native::lacks_asset(ours, offer).then_some(Reason::Asset),
        _ => linear::first_failure(creative, ours, offer),
    };
    let attributes = ints(creative, "attr");
    let rules = [
        (Reason::Api, ints(creative, "api").iter().all(|api| ints(offer, "api").contains(api))),
        (Reason::Battr, !attributes.iter().any(|attribute| ints(offer, "battr").contains(attribute))),
        (Reason::Secure, signal(imp, "secure") != Some(true) || secure(campaign, creative)),
        (Reason::Ssai, at(creative, "clientside") != true || int(imp, "ssai") != Some(3)),
        (Reason::Wlang, language(text(creative, "language"), request)),
    ];
    of_medium.or_else(|| rules.into_iter().find(|(_, met)| !met).map(|(reason, _)| reason))
}

/// Targeting of the media object that the ad would fill. A native object has no such attributes.
pub fn placement(target: &Value, medium: &str, offer: &Value) -> Option<Reason> {
    let numbers =
        |media: &[&str], of: &dyn Fn() -> Vec<i64>| -> Vec<i64> { if media.contains(&medium) { of() } else { vec![] } };
    let said = |key: &str| int(offer, key).into_iter().collect::<Vec<i64>>();
    // The pod attributes have the default 0.
    let in_pod = |key: &str| vec![int(offer, key).unwrap_or(0)];
    // Slot 2 is the first or the last one.
    let slots = || in_pod("slotinpod").into_iter().flat_map(|slot| if slot == 2 { vec![-1, 1, 2] } else { vec![slot] });
    let (visual, linear) = (&["banner", "video"][..], &["video", "audio"][..]);
    let is = |key: &str, values: Vec<i64>| allows_code(at(target, key), &values);
    // 0 is the start, and no code.
    let starts: Vec<String> = numbers(linear, &|| said("startdelay")).iter().map(i64::to_string).collect();
    // To exclude an unknown second of the content excludes each second.
    let is_mid_roll = starts.iter().any(|second| second.parse::<i64>().unwrap() > 0);
    let no_mid_rolls = list(target, "startdelay/exclude").iter().any(|second| second == -1);
    let topframe = if medium == "banner" { int(offer, "topframe") } else { None };
    let wanted = at(target, "topframe").as_bool();
    let rules = [
        (Reason::Pos, is("pos", numbers(visual, &|| said("pos")))),
        (Reason::Plcmt, is("plcmt", numbers(&["video"], &|| said("plcmt")))),
        (Reason::Startdelay, allows(at(target, "startdelay"), &starts, same) && !(is_mid_roll && no_mid_rolls)),
        (Reason::Playbackmethod, is("playbackmethod", numbers(&["video"], &|| ints(offer, "playbackmethod")))),
        (Reason::Podseq, is("podseq", numbers(linear, &|| in_pod("podseq")))),
        (Reason::Slotinpod, is("slotinpod", numbers(linear, &|| slots().collect()))),
        (Reason::Topframe, wanted.is_none_or(|wanted| topframe == Some(i64::from(wanted)))),
    ];
    rules.into_iter().find(|(_, met)| !met).map(|(reason, _)| reason)
}

fn banner(ours: &Value, offer: &Value) -> Option<Reason> {
    let (mimes, directions) = (texts(offer, "mimes"), ints(offer, "expdir"));
    let mime = if has(ours, "mime") { text(ours, "mime") } else { "text/html" };
    let rules = [
        (Reason::Btype, int(ours, "btype").is_none_or(|btype| !ints(offer, "btype").contains(&btype))),
        (Reason::Mimes, mimes.is_empty() || mimes.contains(&mime)),
        (Reason::Expdir, ints(ours, "expdir").iter().all(|way| directions.contains(way))),
    ];
    rules.into_iter().find(|(_, met)| !met).map(|(reason, _)| reason)
}

/// Whether the ad has a size in `format`. Without `format` the banner's own `w` and `h` count; without these any size
/// fits. If only the width or the height is given, the other side may be anything.
fn size(ours: &Value, offer: &Value) -> bool {
    let formats = list(offer, "format");
    let own = [offer.clone()];
    let formats = match formats {
        // An ad with a ratio needs a request for one.
        [] if int(offer, "w").or(int(offer, "h")).is_none() => return !has(ours, "wratio"),
        [] => &own,
        formats => formats,
    };
    formats.iter().any(|format| {
        let number = |of: &Value, key: &str| int(of, key).unwrap_or(0);
        if has(ours, "wratio") {
            has(format, "wratio")
                && number(ours, "wratio") * number(format, "hratio")
                    == number(ours, "hratio") * number(format, "wratio")
                && int(format, "wmin").is_none_or(|least| int(ours, "wmin").unwrap_or(1) <= least)
        } else {
            let is_same = |side: &str| int(format, side).is_none_or(|length| number(ours, side) == length);
            int(format, "w").or(int(format, "h")).is_some() && is_same("w") && is_same("h")
        }
    })
}

/// Whether no URL of the bid is plain HTTP. XML namespaces are names, not URLs.
fn secure(campaign: &Value, creative: &Value) -> bool {
    let notices = ["nurl", "burl"].map(|key| text(campaign, key));
    let without_namespaces = creative.to_string().replace("xmlns=\\\"http:", "");
    !without_namespaces.contains("http:") && !notices.iter().any(|url| url.starts_with("http:"))
}

/// A creative without words (`xx`) fits every language; a creative of unknown language fits none.
fn language(ours: &str, request: &Value) -> bool {
    let (languages, tags) = (codes(request, "wlang"), codes(request, "wlangb"));
    let of_tag = |tag: &&str| tag.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case(ours));
    ours == "xx"
        || (languages.is_empty() || languages.iter().any(|one| one.eq_ignore_ascii_case(ours)))
            && (tags.is_empty() || tags.iter().any(of_tag))
}
