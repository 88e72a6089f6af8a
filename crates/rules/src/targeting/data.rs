//! First-party data at the paths that a catalog names.

use core::cell::Cell;

use bumpalo::Bump;

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
    /// With the paths of the catalog, if it has any.
    pub fn of(catalog: &Catalog<'a>, arena: &'a Bump) -> FirstParty<'a> {
        let paths = catalog.parts().paths();
        let known = || Known { paths, found: arena.alloc_slice_fill_default(paths.len()), arena };
        FirstParty((!paths.is_empty()).then(known))
    }

    /// The values at the path of a rule, and how many bytes were read for them: each path is searched once in the
    /// texts of an object.
    pub fn values(
        &self,
        rule: &DataRule<'_>,
        request: &Request<'a>,
        imp: &Imp<'a>,
    ) -> (impl Iterator<Item = &'a str> + Clone + use<'a>, usize) {
        let (mut bytes, mut values) = (0, None);
        let texts = data::texts(rule.object(), request, imp);
        let number = rule.path() as usize;
        if !texts.is_empty()
            && let Some(Known { paths, found, arena }) = self.0
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
