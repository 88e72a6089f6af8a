//! Finds the names behind the hashes of a token in a catalog.

use crate::catalog::{Catalog, Ssp};
use crate::notices::hash_of;

/// The campaigns, creatives and SSPs of one catalog by [`hash_of`] their ids.
#[derive(Debug, Default)]
pub struct Directory {
    campaigns: Places,
    creatives: Places,
    ssps: Places,
}

impl Directory {
    /// Takes time in proportion to the catalog.
    pub fn of(catalog: &Catalog<'_>) -> Directory {
        let parts = catalog.parts();
        Directory {
            campaigns: Places::of(parts.campaigns().iter().map(|campaign| campaign.cid())),
            creatives: Places::of(parts.creatives().iter().map(|creative| creative.crid())),
            ssps: Places::of(parts.ssps().iter().map(|ssp| ssp.id())),
        }
    }

    pub(super) fn cid<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<&'s str> {
        Some(catalog.parts().campaigns().get(self.campaigns.get(hash)?)?.cid())
    }

    pub(super) fn zone<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<&'s str> {
        Some(catalog.parts().campaigns().get(self.campaigns.get(hash)?)?.zone())
    }

    pub(super) fn crid<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<&'s str> {
        Some(catalog.parts().creatives().get(self.creatives.get(hash)?)?.crid())
    }

    pub(super) fn ssp<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Ssp<'s>> {
        catalog.parts().ssps().get(self.ssps.get(hash)?)
    }
}

/// Places in a list by hash: a table of at least twice as many slots as the list has entries, so that few share a slot.
#[derive(Debug, Default)]
struct Places(Vec<Option<(u64, u32)>>);

impl Places {
    fn of<'i>(ids: impl Iterator<Item = &'i str> + Clone) -> Places {
        let mut slots = vec![None; (2 * ids.clone().count() + 1).next_power_of_two()];
        for (hash, place) in ids.map(hash_of).zip(0..) {
            if let Some(slot) = slots_from(hash, slots.len()).find(|at| slots.get(*at).is_some_and(Option::is_none))
                && let Some(slot) = slots.get_mut(slot)
            {
                *slot = Some((hash, place));
            }
        }
        Places(slots)
    }

    fn get(&self, hash: u64) -> Option<usize> {
        let found =
            slots_from(hash, self.0.len()).map_while(|at| *self.0.get(at)?).find(|(known, _)| *known == hash)?;
        Some(found.1 as usize)
    }
}

/// The slots of a hash, in the order in which they are tried.
fn slots_from(hash: u64, len: usize) -> impl Iterator<Item = usize> {
    let first = usize::try_from(hash >> 32).unwrap_or_default();
    (0..len).map(move |step| (first + step) & (len - 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_places_of_all_ids_and_of_no_other(ids in proptest::collection::btree_set("[a-c]{0,6}", 0..60)) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let places = Places::of(ids.iter().copied());
            for (place, id) in ids.iter().enumerate() {
                prop_assert_eq!(places.get(hash_of(id)), Some(place));
            }
            prop_assert_eq!(places.get(hash_of("another")), None);
        }
    }
}
