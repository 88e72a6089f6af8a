//! Settles notices: reads the URL that an exchange called, and returns the cost of the impression or the reason why it
//! costs nothing. The Worker's ledger books it.

pub mod codec;
mod verdict;

use crate::catalog::{Campaign, Catalog, Codec, Creative, Ssp};
use crate::notices::hash_of;
use crate::ranked::{self, rank_of, ranked};
use codec::Keys;
pub use verdict::{Cost, Differs, Effect, NoticeReader, Verdict, Why};

/// The keys of encoded prices, by SSP. They are secrets of the Worker and never in a catalog.
#[derive(Debug, Default)]
pub struct PriceKeys(Vec<(u64, Keys)>);

impl PriceKeys {
    /// Reads one line per SSP: its id, its encryption key and its integrity key, with tabs between them. The keys of an
    /// SSP that left `catalog`, or no longer encodes its prices, read the notices that are still on their way. Returns
    /// an error for each SSP of `catalog` whose keys cannot be used, or that encodes its prices and has no line. The
    /// errors show no key.
    pub fn new<'l>(lines: impl Iterator<Item = &'l str>, catalog: &Catalog<'_>) -> (PriceKeys, Vec<String>) {
        let (mut keys, mut errors) = (Vec::new(), Vec::new());
        let lines: Vec<_> = lines.filter_map(|line| line.split_once('\t')).collect();
        for ssp in catalog.parts().ssps().iter() {
            let (id, codec) = (ssp.id(), ssp.price_codec());
            if codec != Codec::Plain && !lines.iter().any(|(of, _)| *of == id) {
                errors.push(without_keys(id, codec));
            }
        }
        for (id, rest) in lines {
            let (encryption, integrity) = rest.split_once('\t').unwrap_or((rest, ""));
            let ssp = catalog.parts().ssps().iter().find(|ssp| ssp.id() == id);
            let codec = ssp.map_or(Codec::Plain, |ssp| ssp.price_codec());
            // Two keys are of one scheme, and one key is of the other.
            let scheme = if integrity.is_empty() { Codec::Magnite } else { Codec::Google };
            match Keys::parse(if codec == Codec::Plain { scheme } else { codec }, encryption, integrity) {
                Ok(parsed) => keys.push((hash_of(id), parsed)),
                Err(error) if ssp.is_some() => errors.push(format!("the price keys of {id}: {error}")),
                Err(_) => {}
            }
        }
        (PriceKeys(keys), errors)
    }

    /// The keys of the SSP with this hash.
    fn of(&self, ssp: u64) -> Option<&Keys> {
        self.0.iter().find(|(hash, _)| *hash == ssp).map(|(_, keys)| keys)
    }
}

fn without_keys(id: &str, codec: Codec) -> String {
    format!(
        "{id}: price_codec {}, and PRICE_KEYS has no keys for it: its bills get a 503 and are not booked until you add \
         its keys under the id {id}",
        codec.as_str()
    )
}

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

    fn campaign<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Campaign<'s>> {
        find(&self.campaigns, hash, |place| catalog.parts().campaigns().get(place), |one| one.cid())
    }

    fn creative<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Creative<'s>> {
        find(&self.creatives, hash, |place| catalog.parts().creatives().get(place), |one| one.crid())
    }

    fn ssp<'s>(&self, hash: u64, catalog: &Catalog<'s>) -> Option<Ssp<'s>> {
        find(&self.ssps, hash, |place| catalog.parts().ssps().get(place), |one| one.id())
    }
}

/// The places of ids in their list, sorted by hash.
fn by_hash<'i>(ids: impl Iterator<Item = &'i str>) -> Vec<u64> {
    let mut words: Vec<u64> = (0..).zip(ids).map(|(place, id)| ranked(rank_of(hash_of(id)), place)).collect();
    ranked::sort(&mut words);
    words
}

/// The entry whose id has this hash. `get` gives the entry at a place.
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
                prop_assert_eq!(find(&words, hash_of(id), |place| ids.get(place).copied(), |id| id), Some(*id));
            }
            prop_assert_eq!(find(&words, hash_of("another"), |place| ids.get(place).copied(), |id| id), None);
        }
    }
}
