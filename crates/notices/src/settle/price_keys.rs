//! The keys of encoded prices.

use super::codec::Keys;
use base::hash::hash_of;
use catalog::{Catalog, Codec};

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
    pub(super) fn of(&self, ssp: u64) -> Option<&Keys> {
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
