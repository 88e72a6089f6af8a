//! Merges our first-party data of `ext.prebid.bidderconfig`: a JSON merge patch (RFC 7396) on the trees of `site`,
//! `app` and `user`.
//!
//! The rules are in the header of [`bidder_wasm::request`].

use bumpalo::Bump;
use compiler_wasm::decode::{Context, Json, JsonObject};

use super::object::Object;

/// First-party data may not change the ids and the consent of the person.
const KEPT: [&str; 5] = ["id", "buyeruid", "consent", "eids", "ext"];

/// The attributes that are objects and are merged. All other values are replaced.
const OBJECTS: [&str; 5] = ["publisher", "content", "network", "channel", "geo"];

/// Merges the data addressed to `code` or to all bidders into the tree of a request.
pub(super) fn merge(request: &mut JsonObject, code: &str, arena: &Bump) {
    let root = Object { json: request.clone(), arena };
    let entries: Vec<JsonObject> = root.inner("ext").inner("prebid").json.read("bidderconfig", &mut Context::default());
    let ours = entries.into_iter().map(|json| Object { json, arena }).filter(|entry| is_for(entry, code));
    let patches: Vec<Object<'_>> = ours.map(|entry| entry.inner("config").inner("ortb2")).collect();
    if patches.is_empty() {
        return;
    }
    for (name, kept) in [("site", &[][..]), ("app", &[]), ("user", &KEPT)] {
        // First-party data cannot add a site or an app.
        if name != "user" && root.object(name).is_none() {
            continue;
        }
        let mut merged = root.inner(name).json;
        for mut patch in patches.iter().map(|patch| patch.inner(name).json) {
            patch.0.retain(|(name, _)| !kept.contains(&name.as_str()));
            overlay(&mut merged, &patch);
        }
        request.0.push((name.to_owned(), Json::Object(merged)));
    }
}

fn is_for(entry: &Object<'_>, code: &str) -> bool {
    let is_ours = |bidder: &&str| *bidder == "*" || (!code.is_empty() && bidder.eq_ignore_ascii_case(code));
    entry.texts("bidders").iter().any(is_ours)
}
/// Applies a patch by appending members: the last of several members with the same name counts. An appended `null`
/// removes a member, because `null` counts as absent.
fn overlay(object: &mut JsonObject, patch: &JsonObject) {
    for (index, (name, value)) in patch.0.iter().enumerate() {
        let later = patch.0.iter().skip(index + 1);
        if later.into_iter().any(|(other, _)| other == name) {
            continue;
        }
        let value = match (object.get(name), value) {
            (Some(Json::Object(own)), Json::Object(patch)) if OBJECTS.contains(&name.as_str()) => {
                let mut own = own.clone();
                overlay(&mut own, patch);
                Json::Object(own)
            }
            _ => value.clone(),
        };
        object.0.push((name.clone(), value));
    }
}
