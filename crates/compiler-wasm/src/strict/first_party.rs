//! Merges our first-party data of `ext.prebid.bidderconfig`: a JSON merge patch (RFC 7396) on the trees of `site`,
//! `app` and `user`, which are then decoded again.
//!
//! The rules are in the header of [`bidder_wasm::request`].

use super::in_ext;
use crate::decode::{Context, Json, JsonObject, from_json};
use crate::openrtb::BidRequest;

/// First-party data may not change the ids and the consent of the person.
const KEPT: [&str; 5] = ["id", "buyeruid", "consent", "eids", "ext"];

/// The attributes that are objects and are merged. All other values are replaced.
const OBJECTS: [&str; 5] = ["publisher", "content", "network", "channel", "geo"];

/// Merges the data addressed to `code` or to all bidders into the request that was read from `body`.
pub(super) fn merge(request: &mut BidRequest, body: &[u8], code: &str) {
    let prebid: Option<JsonObject> = in_ext(request.ext.as_ref(), "prebid");
    let entries: Vec<JsonObject> = in_ext(prebid.as_ref(), "bidderconfig");
    let ours = entries.iter().filter(|entry| is_for(entry, code)).filter_map(ortb2);
    let patches: Vec<JsonObject> = ours.collect();
    if patches.is_empty() {
        return;
    }
    let tree = from_json::<JsonObject>(body).ok().and_then(|decoded| decoded.value).unwrap_or_default();
    let merged = |name: &str, kept: &[&str]| {
        let mut object: JsonObject = in_ext::<Option<JsonObject>>(Some(&tree), name).unwrap_or_default();
        for mut patch in patches.iter().filter_map(|patch| in_ext::<Option<JsonObject>>(Some(patch), name)) {
            patch.0.retain(|(name, _)| !kept.contains(&name.as_str()));
            overlay(&mut object, &patch);
        }
        Json::Object(object)
    };
    // First-party data cannot add a site or an app.
    request.site = request.site.take().and_then(|_| merged("site", &[]).read(&mut Context::default()));
    request.app = request.app.take().and_then(|_| merged("app", &[]).read(&mut Context::default()));
    request.user = merged("user", &KEPT).read(&mut Context::default());
}

fn is_for(entry: &JsonObject, code: &str) -> bool {
    let bidders: Vec<String> = in_ext(Some(entry), "bidders");
    bidders.iter().any(|bidder| bidder == "*" || (!code.is_empty() && bidder.eq_ignore_ascii_case(code)))
}

fn ortb2(entry: &JsonObject) -> Option<JsonObject> {
    let config: Option<JsonObject> = in_ext(Some(entry), "config");
    in_ext(config.as_ref(), "ortb2")
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
