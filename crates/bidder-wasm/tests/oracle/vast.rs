//! What edgebid writes into a VAST document besides files and companions: trackers, skipping, measurement, SIMID.

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::json::{has, int, list, text, texts};
use super::linear::playable;

/// The first difference between the document of a bid and the ad, which is not a ready document.
pub fn fault(adm: &str, ours: &Value, offer: &Value) -> Option<String> {
    let document = match Document::parse(adm) {
        Ok(document) => document,
        Err(error) => return Some(format!("not XML: {error}: {adm}")),
    };
    let (found, expected) = (told(&document), expected(ours, offer));
    (found != expected).then(|| format!("the VAST document tells {found}, expected {expected}: {adm}"))
}

/// What a player reads in the document.
fn told(document: &Document<'_>) -> Value {
    let texts_of = |path: &str| -> Vec<&str> { at(document.root(), path).iter().map(text_of).collect() };
    let linear = "VAST InLine Linear";
    let tracking = at(document.root(), &format!("{linear} TrackingEvents Tracking"));
    let tracking = tracking.iter().map(|node| {
        json!({"event": node.attribute("event"), "offset": node.attribute("offset").map(seconds), "url": text_of(node)})
    });
    let verification = at(document.root(), "VAST InLine AdVerifications Verification");
    let verification = verification.iter().map(|node| {
        let one = |path: &str| at(*node, path).first().map(text_of).map(str::to_owned);
        json!({
            "vendor": node.attribute("vendor"),
            "url": one("JavaScriptResource"),
            "params": one("VerificationParameters"),
            "not_executed": one("TrackingEvents Tracking"),
        })
    });
    let skip = at(document.root(), linear).first().and_then(|node| node.attribute("skipoffset")).map(seconds);
    let apis = at(document.root(), "VAST InLine MediaFile");
    json!({
        "tracking": tracking.collect::<Vec<_>>(),
        "error": texts_of("VAST InLine Error"),
        "clicktracking": texts_of(&format!("{linear} VideoClicks ClickTracking")),
        "clickthrough": texts_of(&format!("{linear} VideoClicks ClickThrough")),
        "skipoffset": skip,
        "verification": verification.collect::<Vec<_>>(),
        "interactive": texts_of("VAST InLine MediaFiles InteractiveCreativeFile"),
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
fn at<'d, 'i>(from: Node<'d, 'i>, path: &str) -> Vec<Node<'d, 'i>> {
    path.split(' ').fold(vec![from], |nodes, name| {
        let below = nodes.iter().flat_map(|node| node.descendants().skip(1));
        below.filter(|node| node.has_tag_name(name)).collect()
    })
}

fn text_of<'d>(node: &Node<'d, '_>) -> &'d str {
    node.text().unwrap_or_default()
}

/// The seconds of `HH:MM:SS`.
fn seconds(time: &str) -> i64 {
    time.split(':').fold(0, |all, part| all * 60 + part.parse::<i64>().unwrap())
}
