//! First-party data for us in `ext.prebid.bidderconfig`: a JSON merge patch (RFC 7396) on the trees
//! of `site`, `app` and `user`, which are then read into the model anew.
//!
//! The rules are in [`bidder_wasm::request`]'s header.

use super::in_ext;
use crate::decode::{Context, Json, JsonObject, from_json};
use crate::openrtb::BidRequest;

/// What first-party data may say nothing about: who the person is, and what the person consents to.
const OF_THE_REQUEST: [&str; 5] = ["id", "buyeruid", "consent", "eids", "ext"];

/// The attributes that are objects. Lists and scalars are replaced whole, whatever they hold.
const OBJECTS: [&str; 5] = ["publisher", "content", "network", "channel", "geo"];

/// Merges what is addressed to `code`, or to everyone, over the request that was read from `body`.
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
    // A site or an app only over what the request has.
    request.site = request.site.take().and_then(|_| merged("site", &[]).read(&mut Context::default()));
    request.app = request.app.take().and_then(|_| merged("app", &[]).read(&mut Context::default()));
    request.user = merged("user", &OF_THE_REQUEST).read(&mut Context::default());
}

fn is_for(entry: &JsonObject, code: &str) -> bool {
    let bidders: Vec<String> = in_ext(Some(entry), "bidders");
    bidders.iter().any(|bidder| bidder == "*" || (!code.is_empty() && bidder.eq_ignore_ascii_case(code)))
}

fn ortb2(entry: &JsonObject) -> Option<JsonObject> {
    let config: Option<JsonObject> = in_ext(Some(entry), "config");
    in_ext(config.as_ref(), "ortb2")
}

/// Of duplicate names the last one counts, so what is appended replaces; `null` is the same as
/// absent, so an appended `null` removes.
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
