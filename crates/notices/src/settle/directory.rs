//! Finds the campaign, the creative and the SSP that a token names.

use base::hash::hash_of;
use base::ranked::{self, rank_of, ranked};
use catalog::{Campaign, Catalog, Creative, Ssp};

/// Finds the campaigns, creatives and SSPs of one catalog by [`hash_of`] their ids, as tokens name them.
#[derive(Debug, Default)]
pub struct Directory {
    campaigns: Vec<u64>,
    creatives: Vec<u64>,
    ssps: Vec<u64>,
}

impl Directory {
    /// Takes a little more time than in proportion to the catalog.
    pub fn of(catalog: &Catalog<'_>) -> Directory {
        let parts = catalog.parts();
        Directory {
            campaigns: by_hash(parts.campaigns().iter().map(|campaign| campaign.cid())),
            creatives: by_hash(parts.creatives().iter().map(|creative| creative.crid())),
            ssps: by_hash(parts.ssps().iter().map(|ssp| ssp.id())),
        }
    }

    pub(super) fn campaign<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Campaign<'s>> {
        find(&self.campaigns, hash, |position| catalog.parts().campaigns().get(position), |one| one.cid())
    }

    pub(super) fn creative<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Creative<'s>> {
        find(&self.creatives, hash, |position| catalog.parts().creatives().get(position), |one| one.crid())
    }

    pub(super) fn ssp<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Ssp<'s>> {
        find(&self.ssps, hash, |position| catalog.parts().ssps().get(position), |one| one.id())
    }
}

/// The positions of ids in their list, sorted by hash.
fn by_hash<'i>(ids: impl Iterator<Item = &'i str>) -> Vec<u64> {
    let mut words: Vec<u64> = (0..).zip(ids).map(|(position, id)| ranked(rank_of(hash_of(id)), position)).collect();
    ranked::sort(&mut words);
    words
}

/// The entry whose id has this hash. `get` gives the entry at a position.
fn find<'s, T>(words: &[u64], hash: u64, get: impl Fn(usize) -> Option<T>, id: impl Fn(&T) -> &'s str) -> Option<T> {
    ranked::of_rank(words, rank_of(hash)).filter_map(get).find(|entry| hash_of(id(entry)) == hash)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_the_places_of_all_ids_and_of_no_other(ids in proptest::collection::btree_set("[a-c]{0,6}", 0..60)) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let words = by_hash(ids.iter().copied());
            for id in &ids {
                prop_assert_eq!(find(&words, hash_of(id), |position| ids.get(position).copied(), |id| id), Some(*id));
            }
            prop_assert_eq!(find(&words, hash_of("another"), |position| ids.get(position).copied(), |id| id), None);
        }
    }
}
