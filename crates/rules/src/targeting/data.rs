//! First-party data at the paths that a catalog names.

use core::cell::Cell;

use bumpalo::Bump;

use super::facts::Facts;
use catalog::{Catalog, DataRule};
use flat::List;
use openrtb::data::{self, Place};
use openrtb::request::{Imp, Request};

/// The paths of a catalog, and where their values are once a campaign has asked for them.
#[derive(Debug, Clone, Copy, Default)]
pub struct FirstParty<'a>(Option<Known<'a>>);

#[derive(Debug, Clone, Copy)]
struct Known<'a> {
    paths: List<'a, String>,
    /// For each path, in which texts it was searched last, by their address, and what was found.
    found: &'a [Cell<(usize, Place)>],
    /// Holds decoded texts.
    arena: &'a Bump,
}

impl<'a> FirstParty<'a> {
    /// With the paths of the catalog, if it has any and the request has first-party data.
    pub fn of(catalog: &Catalog<'a>, request: &Request<'_>, arena: &'a Bump) -> FirstParty<'a> {
        let paths = catalog.parts().paths();
        let known = || Known { paths, found: arena.alloc_slice_fill_default(paths.len()), arena };
        let channels = [request.site, request.app, request.dooh].into_iter().flatten();
        let all = channels.map(|channel| channel.first_party).chain(request.imp.iter().map(|imp| imp.first_party));
        let mut all = all.chain([request.user.first_party]);
        FirstParty((!paths.is_empty() && all.any(|texts| !texts.is_empty())).then(known))
    }
}

impl<'a> Facts<'a> {
    /// The values at the path with this number, and how many bytes were read for them: each path is searched once in the
    /// texts of an object.
    pub fn data(&self, number: u32, imp: &Imp<'a>) -> (impl Iterator<Item = &'a str> + Clone + use<'a>, usize) {
        let (mut bytes, mut values) = (0, None);
        if let Some(Known { paths, found, arena }) = self.first_party.0
            && let (Some(path), Some(found)) = (paths.get(number as usize), found.get(number as usize))
        {
            let texts = data::texts(path, self.request, imp);
            let address = texts.as_ptr().addr();
            let (known, mut place) = found.get();
            if known != address {
                (place, bytes) = data::find(texts, path, arena);
                found.set((address, place));
            }
            bytes += place.bytes();
            values = Some(data::values(texts, place, arena));
        }
        (values.into_iter().flatten(), bytes)
    }
}

/// Whether the first-party data say what a campaign wants.
pub fn fits(facts: &Facts<'_>, imp: &Imp<'_>, rule: &DataRule<'_>) -> bool {
    let (include, exclude) = rule.values();
    let (mut is_known, mut is_included) = (false, include.is_empty());
    // The list of values may be long, so it is read once.
    for value in facts.data(rule.path(), imp).0 {
        let is = |listed: &str| value.eq_ignore_ascii_case(listed);
        if exclude.iter().any(is) {
            return false;
        }
        is_included = is_included || include.iter().any(is);
        is_known = true;
    }
    is_included && (is_known || !rule.is_needed())
}
