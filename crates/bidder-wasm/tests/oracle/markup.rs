//! Parts of a bid that depend on the impression: the slot, the version of a native answer, and what edgebid writes into a
//! VAST document: companions, trackers, skipping, measurement, SIMID.

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::creative::medium;
use super::json::{at, has, int, ints, list, text, texts};
use super::linear::{companions, playable};

/// The first fault of the bid.
pub fn fault(bid: &Value, campaign: &Value, creative: &Value, imp: &Value) -> Option<String> {
    let medium = medium(creative);
    let (ours, offer) = (at(creative, medium), at(imp, medium));
    let slot = slot(campaign, offer);
    if int(bid, "slotinpod") != slot {
        return Some(format!("slotinpod {:?}, expected {slot:?}", int(bid, "slotinpod")));
    }
    let adm = text(bid, "adm");
    match medium {
        "video" | "audio" => {
            let (shown, expected) = (adm.matches("<Companion ").count(), companions(ours, offer));
            if shown != expected {
                return Some(format!("{shown} companions, expected {expected}: {adm}"));
            }
            if has(ours, "adm") { None } else { vast_fault(adm, ours, offer) }
        }
        "native" => {
            let expected = text(offer, "ver");
            let answer: Value = serde_json::from_str(adm).unwrap();
            let wrapped = has(&answer, "native");
            let answer = if wrapped { at(&answer, "native") } else { &answer };
            // Every generated request asks for both ways to track an impression and for a privacy link.
            let found = ["imptrackers", "jstracker"].map(|key| has(answer, key));
            let ours = ["imptrackers", "jstracker"].map(|key| has(ours, key));
            let tracked = if expected == "1.2" {
                let methods = [1, 2]
                    .map(|method| list(answer, "eventtrackers").iter().any(|one| int(one, "method") == Some(method)));
                found == [false; 2] && methods == ours
            } else {
                found == ours && !has(answer, "eventtrackers")
            };
            let privacy = has(answer, "privacy") == (expected == "1.2" && has(at(creative, medium), "privacy"));
            let of_version = text(answer, "ver") == expected && wrapped == (expected == "1.0") && tracked && privacy;
            (!of_version).then(|| format!("not a native answer of version {expected}: {adm}"))
        }
        _ => None,
    }
}

/// The slot that a bid asks for: on a dynamic pod, the first one that the campaign wants and the seller guarantees.
pub fn slot(campaign: &Value, offer: &Value) -> Option<i64> {
    let guaranteed: &[i64] = match int(offer, "slotinpod") {
        Some(1) => &[1],
        Some(-1) => &[-1],
        Some(2) => &[1, -1],
        _ => &[],
    };
    let wanted = ints(campaign, "target/slotinpod/include");
    wanted.into_iter().find(|slot| guaranteed.contains(slot)).filter(|_| has(offer, "poddur"))
}

/// The first difference between the document of a bid and the ad, which is not a ready document.
fn vast_fault(adm: &str, ours: &Value, offer: &Value) -> Option<String> {
    let document = match Document::parse(adm) {
        Ok(document) => document,
        Err(error) => return Some(format!("not XML: {error}: {adm}")),
    };
    let (found, expected) = (told(&document), expected(ours, offer));
    (found != expected).then(|| format!("the VAST document tells {found}, expected {expected}: {adm}"))
}

/// What a player reads in the document.
fn told(document: &Document<'_>) -> Value {
    let contents = |path: &str| -> Vec<&str> { nodes(document.root(), path).iter().map(content).collect() };
    let linear = "VAST InLine Linear";
    let tracking = nodes(document.root(), &format!("{linear} TrackingEvents Tracking"));
    let tracking = tracking.iter().map(|node| {
        json!({"event": node.attribute("event"), "offset": node.attribute("offset").map(seconds), "url": content(node)})
    });
    let verification = nodes(document.root(), "VAST InLine AdVerifications Verification");
    let verification = verification.iter().map(|node| {
        let one = |path: &str| nodes(*node, path).first().map(content).map(str::to_owned);
        json!({
            "vendor": node.attribute("vendor"),
            "url": one("JavaScriptResource"),
            "params": one("VerificationParameters"),
            "not_executed": one("TrackingEvents Tracking"),
        })
    });
    let skip = nodes(document.root(), linear).first().and_then(|node| node.attribute("skipoffset")).map(seconds);
    let apis = nodes(document.root(), "VAST InLine MediaFile");
    json!({
        "tracking": tracking.collect::<Vec<_>>(),
        "error": contents("VAST InLine Error"),
        "clicktracking": contents(&format!("{linear} VideoClicks ClickTracking")),
        "clickthrough": contents(&format!("{linear} VideoClicks ClickThrough")),
        "skipoffset": skip,
        "verification": verification.collect::<Vec<_>>(),
        "interactive": contents("VAST InLine MediaFiles InteractiveCreativeFile"),
        "api": apis.iter().map(|file| file.attribute("apiFramework")).collect::<Vec<_>>(),
    })
}

fn expected(ours: &Value, offer: &Value) -> Value {
    let own = |of: &Value, key: &str| if has(of, key) { json!(text(of, key)) } else { Value::Null };
    let one = |key: &str| if has(ours, key) { vec![text(ours, key)] } else { vec![] };
    let tracking = list(ours, "tracking")
        .iter()
        .map(|entry| json!({"event": text(entry, "event"), "offset": int(entry, "offset"), "url": text(entry, "url")}));
    let verification = list(ours, "verification").iter().map(|entry| {
        json!({
            "vendor": text(entry, "vendor"),
            "url": text(entry, "url"),
            "params": own(entry, "params"),
            "not_executed": own(entry, "not_executed"),
        })
    });
    json!({
        "tracking": tracking.collect::<Vec<_>>(),
        "error": texts(ours, "error"),
        "clicktracking": texts(ours, "clicktracking"),
        "clickthrough": one("clickthrough"),
        "skipoffset": int(ours, "skipoffset"),
        "verification": verification.collect::<Vec<_>>(),
        "interactive": one("interactive"),
        "api": playable(ours, offer).iter().map(|file| own(file, "api")).collect::<Vec<_>>(),
    })
}

/// The elements at the end of a path whose steps are names of descendants.
fn nodes<'d, 'i>(from: Node<'d, 'i>, path: &str) -> Vec<Node<'d, 'i>> {
    path.split(' ').fold(vec![from], |above, name| {
        let below = above.iter().flat_map(|node| node.descendants().skip(1));
        below.filter(|node| node.has_tag_name(name)).collect()
    })
}

fn content<'d>(node: &Node<'d, '_>) -> &'d str {
    node.text().unwrap_or_default()
}

/// The seconds of `HH:MM:SS`.
fn seconds(time: &str) -> i64 {
    time.split(':').fold(0, |all, part| all * 60 + part.parse::<i64>().unwrap())
}
