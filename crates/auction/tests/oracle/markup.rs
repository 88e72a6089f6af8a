//! Parts of a bid that depend on the impression: the slot, the version of a native answer, and what edgebid writes into a
//! VAST document: companions, trackers, skipping, measurement, SIMID.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::compare::Check;
use super::creative::medium;
use super::json::{at, has, int, ints, list, text, texts};
use super::linear::{companions, playable};

pub fn check(bid: &Value, campaign: &Value, creative: &Value, imp: &Value) -> Check {
    let medium = medium(creative);
    let (ours, offer, adm) = (at(creative, medium), at(imp, medium), text(bid, "adm"));
    prop_assert_eq!(int(bid, "slotinpod"), slot(campaign, offer), "slotinpod");
    match medium {
        "video" | "audio" => {
            prop_assert_eq!(adm.matches("<Companion ").count(), companions(ours, offer), "companions: {}", adm);
            if has(ours, "adm") { Ok(()) } else { check_vast(adm, ours, offer) }
        }
        "native" => check_native(adm, ours, offer),
        _ => Ok(()),
    }
}

/// Every generated request asks for both ways to track an impression and for a privacy link.
fn check_native(adm: &str, ours: &Value, offer: &Value) -> Check {
    let version = text(offer, "ver");
    let answer: Value = serde_json::from_str(adm).unwrap();
    let is_wrapped = has(&answer, "native");
    let answer = if is_wrapped { at(&answer, "native") } else { &answer };
    prop_assert_eq!((text(answer, "ver"), is_wrapped), (version, version == "1.0"), "{}", adm);
    let trackers = |of: &Value| ["imptrackers", "jstracker"].map(|key| has(of, key));
    let methods =
        [1, 2].map(|method| list(answer, "eventtrackers").iter().any(|one| int(one, "method") == Some(method)));
    let expected = if version == "1.2" { [trackers(ours), [false; 2]] } else { [[false; 2], trackers(ours)] };
    prop_assert_eq!([methods, trackers(answer)], expected, "trackers of {}", adm);
    prop_assert!(version == "1.2" || !has(answer, "eventtrackers"), "event trackers before 1.2: {}", adm);
    prop_assert_eq!(has(answer, "privacy"), version == "1.2" && has(ours, "privacy"), "privacy of {}", adm);
    Ok(())
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

/// Compares the document of a bid with the ad, which is not a ready document.
fn check_vast(adm: &str, ours: &Value, offer: &Value) -> Check {
    let document = Document::parse(adm).map_err(|error| TestCaseError::fail(format!("not XML: {error}: {adm}")))?;
    prop_assert_eq!(told(&document), expected(ours, offer), "{}", adm);
    Ok(())
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
