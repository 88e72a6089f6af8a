//! The paths of what a check looked at in a request.

use super::checks;
use super::rejection::Rejection;
use super::tree::{Tree, text};
use document::decode::{Json, JsonObject};
use openrtb::request::{Deal, Imp, Request};
use reasons::no_bid::NoBidReason;
use rules::imp::is_offered;

/// A request, and the JSON that it was read from.
pub(super) struct Paths<'a> {
    pub(super) tree: &'a Tree,
    pub(super) request: &'a Request<'a>,
    /// The bidder code to which first-party data may be addressed.
    pub(super) prebid_code: &'a str,
}

/// What a check was about. A check of the whole request has none of this.
#[derive(Default)]
pub(super) struct About<'a> {
    imp: Option<&'a Imp<'a>>,
    deal: Option<&'a Deal<'a>>,
    /// The names of the media objects that the campaign's creatives would fill.
    media: Vec<&'static str>,
}

impl<'a> About<'a> {
    pub(super) fn of_imp(imp: &'a Imp<'a>) -> About<'a> {
        About { imp: Some(imp), ..About::default() }
    }

    pub(super) fn rejection(rejection: &Rejection<'a, '_>) -> About<'a> {
        let Rejection { imp, deal, .. } = *rejection;
        let all = rejection.creatives().map(|creative| creative.media());
        let offered = all.filter(|media| imp.is_some_and(|imp| is_offered(imp, media)));
        let mut media: Vec<_> = offered.map(|media| super::checks::media_name(&media)).collect();
        media.sort_unstable();
        media.dedup();
        About { imp, deal, media }
    }
}

impl Paths<'_> {
    /// The paths that the request has, of those that the check of this reason looks at. If it has none of them, the one
    /// path where a value is missing. Empty if the request does not decide.
    pub(super) fn of(&self, reason: NoBidReason, about: &About<'_>) -> Vec<String> {
        let table = checks::paths(reason);
        let given: Vec<String> =
            table.iter().flat_map(|entry| self.given(entry.trim_start_matches('?'), about)).collect();
        if !given.is_empty() {
            return given;
        }
        let decisive = table.iter().filter(|entry| !entry.starts_with('?')).flat_map(|entry| entry.split('|'));
        let missing = decisive.flat_map(|path| self.expanded(path, about)).next();
        missing.map(|path| self.tree.nearest(&path).to_owned()).into_iter().collect()
    }

    /// The paths with a value, of the first of the alternatives `a|b` that has any.
    fn given(&self, alternatives: &str, about: &About<'_>) -> Vec<String> {
        let has_value = |path: &String| self.tree.get(path).is_some();
        let all =
            alternatives.split('|').map(|path| self.expanded(path, about).into_iter().filter(has_value).collect());
        all.into_iter().find(|given: &Vec<String>| !given.is_empty()).unwrap_or_default()
    }

    /// A path of the table with its root replaced.
    fn expanded(&self, path: &str, about: &About<'_>) -> Vec<String> {
        let (root, rest) = path.split_once('.').map_or((path, ""), |(root, rest)| (root, rest));
        let paths = match root {
            // The list, not its entries.
            "imp" if rest.is_empty() => return vec![path.to_owned()],
            "imp" => self.imps(about),
            "spot" => {
                let objects = |imp: String| about.media.iter().map(move |name| format!("{imp}.{name}"));
                self.imps(about).into_iter().flat_map(objects).collect()
            }
            "deal" => {
                let of = |deal: &Deal<'_>| {
                    let lists = self.imps(about).into_iter().map(|imp| format!("{imp}.pmp.deals"));
                    lists.flat_map(|list| self.tree.with_id(&list, deal.id.value)).collect()
                };
                about.deal.map(of).unwrap_or_default()
            }
            "channel" => self.channel(),
            "person" => self.person(),
            "geo" => {
                let at = |owner: String| format!("{owner}.geo");
                let has_value = |path: &String| self.tree.get(&format!("{path}.{rest}")).is_some();
                let device = at("device".to_owned());
                let homes: Vec<String> = self.person().into_iter().map(at).collect();
                let may_be_home = rest == "country" || !self.request.device.geo.has_place();
                let is_home = may_be_home && !has_value(&device) && homes.iter().any(has_value);
                if is_home { homes } else { vec![device] }
            }
            _ => return vec![path.to_owned()],
        };
        paths.into_iter().map(|path| format!("{path}.{rest}")).collect()
    }

    fn imps(&self, about: &About<'_>) -> Vec<String> {
        about.imp.map_or_else(
            || self.tree.objects("imp").into_iter().map(|(path, _)| path).collect(),
            |imp| self.tree.with_id("imp", imp.id.value),
        )
    }

    fn channel(&self) -> Vec<String> {
        let Request { site, app, dooh, .. } = self.request;
        let all = [("site", site), ("app", app), ("dooh", dooh)].into_iter();
        let mut names: Vec<&str> = all.filter(|(_, channel)| channel.is_some()).map(|(name, _)| name).collect();
        if names.is_empty() {
            names.push("site");
        }
        names.into_iter().flat_map(|name| [name.to_owned()].into_iter().chain(self.first_party(name))).collect()
    }

    fn person(&self) -> Vec<String> {
        ["user".to_owned()].into_iter().chain(self.first_party("user")).collect()
    }

    /// The paths of the first-party data for us that are merged over this object.
    fn first_party(&self, name: &str) -> impl Iterator<Item = String> {
        let is_ours =
            |bidder: &String| bidder == "*" || !bidder.is_empty() && bidder.eq_ignore_ascii_case(self.prebid_code);
        let bidders = |entry: &JsonObject| match entry.get("bidders") {
            Some(Json::Array(all)) => all.iter().map(text).collect(),
            one => one.map(text).into_iter().collect::<Vec<_>>(),
        };
        let entries = self.tree.objects("ext.prebid.bidderconfig").into_iter();
        let ours = entries.filter(move |(_, entry)| bidders(entry).iter().any(is_ours));
        let paths = ours.map(move |(path, _)| format!("{path}.config.ortb2.{name}"));
        paths.filter(|path| self.tree.get(path).is_some())
    }
}

#[cfg(test)]
mod tests;
