//! Merges our first-party data of `ext.prebid.bidderconfig`: a JSON merge patch (RFC 7396) on `site`, `app` and `user`.
//!
//! The rules are in the header of [`openrtb::request`].

use super::json::{Json, Members};
use super::object::Object;

/// First-party data may not change the ids and the consent of the person.
const KEPT: [&str; 4] = ["id", "buyeruid", "consent", "eids"];

/// The same within `user.ext`.
const KEPT_IN_EXT: [&str; 2] = ["consent", "eids"];

/// The attributes that are objects and are merged. All other values are replaced.
const OBJECTS: [&str; 6] = ["publisher", "content", "network", "channel", "geo", "ext"];

/// Merges the data addressed to `code` or to all bidders into a request.
pub(super) fn merge(request: &mut Object<'_>, code: &str) {
    let entries = request.inner("ext").inner("prebid").objects("bidderconfig");
    for patch in entries.iter().filter(|entry| is_for(entry, code)).map(|entry| entry.inner("config").inner("ortb2")) {
        for (name, kept) in [("site", &[][..]), ("app", &[]), ("user", &KEPT)] {
            // First-party data cannot add a site or an app.
            let own = request.members_of(name).or_else(|| (name == "user").then(Members::default));
            if let (Some(mut own), Some(mut patch)) = (own, patch.members_of(name)) {
                patch.retain(|name, _| !kept.contains(&name.as_str()));
                if name == "user"
                    && let Some(ext) = patch.remove("ext")
                    && let Some(mut ext) = ext.members()
                {
                    ext.retain(|name, _| !KEPT_IN_EXT.contains(&name.as_str()));
                    patch.insert("ext".to_owned(), ext.into());
                }
                overlay(&mut own, patch, false);
                request.members.insert(name.to_owned(), own.into());
            }
        }
    }
}

fn is_for(entry: &Object<'_>, code: &str) -> bool {
    let is_ours = |bidder: &&str| *bidder == "*" || (!code.is_empty() && bidder.eq_ignore_ascii_case(code));
    entry.texts("bidders").unwrap_or_default().iter().any(is_ours)
}

/// Applies a patch. `null` stays as a member, because it counts as absent. Of `data` in an `ext`, both texts stay.
fn overlay(own: &mut Members, patch: Members, is_ext: bool) {
    for (name, value) in patch {
        let objects = own.get(&name).and_then(Json::members).zip(value.members());
        let value = match objects.filter(|_| OBJECTS.contains(&name.as_str())) {
            Some((mut own, patch)) => {
                overlay(&mut own, patch, name == "ext");
                own.into()
            }
            None if is_ext && name == "data" => value.over(own.get(&name)),
            None => value,
        };
        own.insert(name, value);
    }
}
