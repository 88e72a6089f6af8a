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
    #[must_use]
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

    pub(super) fn crid<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<&'s str> {
        Some(catalog.parts().creatives().get(self.creatives.get(hash)?)?.crid())
    }

    /// The SSP and its place in the catalog.
    pub(super) fn ssp<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<(usize, Ssp<'s>)> {
        let place = self.ssps.get(hash)?;
        Some((place, catalog.parts().ssps().get(place)?))
    }
}

/// Places in a list by hash, sorted.
#[derive(Debug, Default)]
struct Places(Vec<(u64, u32)>);

impl Places {
    fn of<'i>(ids: impl Iterator<Item = &'i str>) -> Places {
        let mut places: Vec<(u64, u32)> = ids.map(hash_of).zip(0..).collect();
        places.sort_unstable();
        Places(places)
    }

    fn get(&self, hash: u64) -> Option<usize> {
        let at = self.0.binary_search_by_key(&hash, |(known, _)| *known).ok()?;
        self.0.get(at).map(|(_, place)| *place as usize)
    }
}
