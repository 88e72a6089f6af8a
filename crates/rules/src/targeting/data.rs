//! First-party data at the paths that a catalog names.

use core::cell::Cell;

use bumpalo::Bump;

use super::facts::Facts;
use catalog::{Catalog, DataRule};
use flat::List;
use openrtb::data::{self, Place};
use openrtb::request::Imp;

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
    /// With the paths of the catalog, if it has any.
    pub fn of(catalog: &Catalog<'a>, arena: &'a Bump) -> FirstParty<'a> {
        let paths = catalog.parts().paths();
        let known = || Known { paths, found: arena.alloc_slice_fill_default(paths.len()), arena };
        FirstParty((!paths.is_empty()).then(known))
    }
}

impl<'a> Facts<'a> {
    /// The values at the path of a rule, and how many bytes were read for them: each path is searched once in the
    /// texts of an object.
    pub fn data(&self, rule: &DataRule<'_>, imp: &Imp<'a>) -> (impl Iterator<Item = &'a str> + Clone + use<'a>, usize) {
        let (mut bytes, mut values) = (0, None);
        let texts = data::texts(rule.object(), self.request, imp);
        let number = rule.path() as usize;
        if !texts.is_empty()
            && let Some(Known { paths, found, arena }) = self.first_party.0
            && let (Some(path), Some(found)) = (paths.get(number), found.get(number))
        {
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
    for value in facts.data(rule, imp).0 {
        let is = |listed: &str| value.eq_ignore_ascii_case(listed);
        if exclude.iter().any(is) {
            return false;
        }
        is_included = is_included || include.iter().any(is);
        is_known = true;
    }
    is_included && (is_known || !rule.is_needed())
}
