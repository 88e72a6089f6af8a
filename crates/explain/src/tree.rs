//! The request as the JSON that it was sent as, to name paths in it: the decision sees values without their paths.
//!
//! A path names members and entries of lists: `imp[0].banner.w`. As for the decision, `null` is absent, the last of
//! several members with a name counts, and an object in place of a list is its one entry.

use document::decode::{Json, JsonObject, from_json};

/// The members of a request.
pub(super) struct Tree(JsonObject);

impl Tree {
    /// Reads a body that is a bid request.
    pub(super) fn read(body: &[u8]) -> Tree {
        Tree(from_json(body).ok().and_then(|decoded| decoded.value).unwrap_or_default())
    }

    /// The value at a path; `None` if the request has none.
    pub(super) fn get(&self, path: &str) -> Option<&Json> {
        let mut members = path.split('.');
        let first = member(&self.0, members.next()?)?;
        members
            .try_fold(first, |value, name| if let Json::Object(object) = value { member(object, name) } else { None })
    }

    /// The path itself, if the request has a value there; else the shortest part of the path without a value: `device`
    /// for `device.geo.country` in a request without a device.
    pub(super) fn nearest<'p>(&self, path: &'p str) -> &'p str {
        let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
        let mut parts = ends.filter_map(|end| path.get(..end));
        parts.find(|part| self.get(part).is_none()).unwrap_or(path)
    }

    /// The paths of the objects in the list at a path, each with its object.
    pub(super) fn objects(&self, path: &str) -> Vec<(String, &JsonObject)> {
        self.entries(path).map(|(position, object)| (entry(path, position), object)).collect()
    }

    /// The paths of the objects with this `id` in the list at a path.
    pub(super) fn with_id(&self, path: &str, id: &str) -> Vec<String> {
        let is_id = |own: &Json| match own {
            Json::Text(text) | Json::Decimal(text) => text == id,
            Json::Integer(number) => number.to_string() == id,
            _ => false,
        };
        let ours = self.entries(path).filter(|(_, object)| object.get("id").is_some_and(is_id));
        ours.map(|(position, _)| entry(path, position)).collect()
    }

    /// The objects in the list at a path, each with its position; an object in place of the list has none.
    fn entries(&self, path: &str) -> impl Iterator<Item = (Option<usize>, &JsonObject)> {
        let (one, items) = match self.get(path) {
            Some(Json::Object(object)) => (Some(object), &[][..]),
            Some(Json::Array(items)) => (None, items.as_slice()),
            _ => (None, &[][..]),
        };
        let objects = items.iter().enumerate().filter_map(|(position, item)| match item {
            Json::Object(object) => Some((Some(position), object)),
            _ => None,
        });
        one.map(|object| (None, object)).into_iter().chain(objects)
    }
}

fn entry(path: &str, position: Option<usize>) -> String {
    position.map_or_else(|| path.to_owned(), |position| format!("{path}[{position}]"))
}

/// A scalar as text, a list of scalars with commas; empty for an object.
pub(super) fn text(value: &Json) -> String {
    match value {
        Json::Null | Json::Object(_) => String::new(),
        Json::Bool(truth) => truth.to_string(),
        Json::Integer(number) => number.to_string(),
        Json::Decimal(text) | Json::Text(text) => text.clone(),
        Json::Array(items) => super::words::list(items.iter().map(text)),
    }
}

/// The member that one part of a path names: `banner`, `imp[0]`.
fn member<'t>(object: &'t JsonObject, part: &str) -> Option<&'t Json> {
    let Some((name, position)) = part.split_once('[') else { return object.get(part) };
    let position: usize = position.strip_suffix(']')?.parse().ok()?;
    match object.get(name)? {
        Json::Array(items) => items.get(position),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_values_as_the_decision_reads_them() {
        let tree =
            Tree::read(br#"{"imp":[1,{"id":7,"banner":{"w":1,"w":2}},{"id":"7"}],"device":null,"pmp":{"id":"d"}}"#);
        for (path, expected) in [
            ("imp[1].banner.w", Some(Json::Integer(2))),
            ("imp[0]", Some(Json::Integer(1))),
            ("imp[0].banner", None),
            ("imp[3]", None),
            ("imp[x]", None),
            ("device", None),
            ("pmp[0]", None),
            ("", None),
        ] {
            assert_eq!(tree.get(path), expected.as_ref(), "{path}");
        }
        assert_eq!(tree.with_id("imp", "7"), ["imp[1]", "imp[2]"]);
        assert_eq!(tree.with_id("pmp", "d"), ["pmp"]);
        assert_eq!(tree.nearest("device.geo.country"), "device");
        assert_eq!(tree.nearest("imp[1].banner.h"), "imp[1].banner.h");
        assert_eq!(tree.nearest("imp[1].video.mimes"), "imp[1].video");
        assert_eq!(tree.nearest("imp[1].banner.w"), "imp[1].banner.w");
    }

    #[test]
    fn a_body_that_is_no_request_has_no_paths() {
        assert_eq!(Tree::read(b"[]").get("id"), None);
        assert_eq!(Tree::read(b"{").get("id"), None);
    }
}
