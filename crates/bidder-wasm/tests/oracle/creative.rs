//! Whether a creative can be shown on an impression.

use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::Value;

use super::json::{at, flag, has, int, ints, list, text, texts};
use super::who::{allows, same};
use super::{linear, native};

pub const MEDIA: [&str; 4] = ["banner", "video", "audio", "native"];

/// Which of the four the creative is.
pub fn medium(creative: &Value) -> &'static str {
    MEDIA.into_iter().find(|medium| has(creative, medium)).unwrap()
}

/// The first rule that keeps the creative off the impression.
pub fn first_failure(campaign: &Value, creative: &Value, imp: &Value, request: &Value) -> Option<Why> {
    let medium = medium(creative);
    if !has(imp, medium) {
        return Some(Why::MediaType);
    }
    let (ours, offer) = (at(creative, medium), at(imp, medium));
    if medium == "banner" && !size(ours, offer) {
        return Some(Why::Size);
    }
    if let Some(why) = placement(at(campaign, "target"), medium, offer) {
        return Some(why);
    }
    let of_medium = match medium {
        "banner" => banner(ours, offer),
        "native" => native::unanswerable(ours, offer).then_some(Why::Asset),
        _ => linear::first_failure(creative, ours, offer),
    };
    let attributes = ints(creative, "attr");
    let rules = [
        (Why::Api, ints(creative, "api").iter().all(|api| ints(offer, "api").contains(api))),
        (Why::Battr, !attributes.iter().any(|attribute| ints(offer, "battr").contains(attribute))),
        (Why::Secure, !flag(imp, "secure") || secure(campaign, creative)),
        (Why::Ssai, at(creative, "clientside") != true || int(imp, "ssai") != Some(3)),
        (Why::Wlang, language(text(creative, "language"), request)),
    ];
    of_medium.or_else(|| rules.into_iter().find(|(_, met)| !met).map(|(why, _)| why))
}

/// Where the ad would be, as the object tells that it fills; native tells nothing.
fn placement(target: &Value, medium: &str, offer: &Value) -> Option<Why> {
    let numbers = |media: &[&str], of: &dyn Fn() -> Vec<i64>| -> Vec<String> {
        if media.contains(&medium) { of().iter().map(i64::to_string).collect() } else { vec![] }
    };
    let told = |key: &str| int(offer, key).into_iter().collect::<Vec<i64>>();
    // In a pod, 0 is what is not told.
    let in_pod = |key: &str| vec![int(offer, key).unwrap_or(0)];
    // 2 stands for the first and the last slot.
    let slots = || in_pod("slotinpod").into_iter().flat_map(|slot| if slot == 2 { vec![-1, 1, 2] } else { vec![slot] });
    let (seen, played) = (&["banner", "video"][..], &["video", "audio"][..]);
    let is = |key: &str, values: Vec<String>| allows(at(target, key), &values, same);
    let topframe = if medium == "banner" { int(offer, "topframe") } else { None };
    let wanted = at(target, "topframe").as_bool();
    let rules = [
        (Why::Pos, is("pos", numbers(seen, &|| told("pos")))),
        (Why::Plcmt, is("plcmt", numbers(&["video"], &|| told("plcmt")))),
        (Why::Startdelay, is("startdelay", numbers(played, &|| told("startdelay")))),
        (Why::Playbackmethod, is("playbackmethod", numbers(&["video"], &|| ints(offer, "playbackmethod")))),
        (Why::Podseq, is("podseq", numbers(played, &|| in_pod("podseq")))),
        (Why::Slotinpod, is("slotinpod", numbers(played, &|| slots().collect()))),
        (Why::Topframe, wanted.is_none_or(|wanted| topframe == Some(i64::from(wanted)))),
    ];
    rules.into_iter().find(|(_, met)| !met).map(|(why, _)| why)
}

fn banner(ours: &Value, offer: &Value) -> Option<Why> {
    let (mimes, directions) = (texts(offer, "mimes"), ints(offer, "expdir"));
    let mime = if has(ours, "mime") { text(ours, "mime") } else { "text/html" };
    let rules = [
        (Why::Btype, int(ours, "btype").is_none_or(|btype| !ints(offer, "btype").contains(&btype))),
        (Why::Mimes, mimes.is_empty() || mimes.contains(&mime)),
        (Why::Expdir, ints(ours, "expdir").iter().all(|way| directions.contains(way))),
    ];
    rules.into_iter().find(|(_, met)| !met).map(|(why, _)| why)
}

/// A size of the list; where there is none, the banner's own; where that is not told either, any. Of half a size, the other
/// half is free.
fn size(ours: &Value, offer: &Value) -> bool {
    let formats = list(offer, "format");
    let whole = [offer.clone()];
    let formats = match formats {
        // A ratio has to be asked for.
        [] if !has(offer, "w") && !has(offer, "h") => return !has(ours, "wratio"),
        [] => &whole,
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
            let is_same = |side: &str| !has(format, side) || number(ours, side) == number(format, side);
            (has(format, "w") || has(format, "h")) && is_same("w") && is_same("h")
        }
    })
}

/// No URL of the bid is plain HTTP. The names of namespaces are none.
fn secure(campaign: &Value, creative: &Value) -> bool {
    let notices = ["nurl", "burl"].map(|key| text(campaign, key));
    let loads = creative.to_string().replace("xmlns=\\\"http:", "");
    !loads.contains("http:") && !notices.iter().any(|url| url.starts_with("http:"))
}

/// A creative without words will do everywhere; one that does not tell its language is no match.
fn language(ours: &str, request: &Value) -> bool {
    let (plain, tags) = (texts(request, "wlang"), texts(request, "wlangb"));
    let of_tag = |tag: &&str| tag.split('-').next().is_some_and(|language| language.eq_ignore_ascii_case(ours));
    ours == "xx"
        || (plain.is_empty() || plain.iter().any(|one| one.eq_ignore_ascii_case(ours)))
            && (tags.is_empty() || tags.iter().any(of_tag))
}
