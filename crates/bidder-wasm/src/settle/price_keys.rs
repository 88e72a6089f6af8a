//! The keys of encoded prices, by SSP. They are secrets of the Worker and never in a catalog.

use super::codec::Keys;
use crate::catalog::{Catalog, Codec};

/// The keys of each SSP that encodes its prices.
#[derive(Debug, Default)]
pub struct PriceKeys(Vec<(String, Keys)>);

impl PriceKeys {
    /// Reads one line per SSP: its id, its encryption key and its integrity key, with tabs between them. Ignores SSPs
    /// that `catalog` does not have. Returns an error for each SSP of `catalog` whose keys cannot be used, or that
    /// encodes its prices and has no line. The errors show no key.
    #[must_use]
    pub fn new<'l>(lines: impl Iterator<Item = &'l str>, catalog: &Catalog<'_>) -> (PriceKeys, Vec<String>) {
        let (mut keys, mut errors) = (Vec::new(), Vec::new());
        let lines: Vec<_> = lines.filter_map(|line| line.split_once('\t')).collect();
        for ssp in catalog.parts().ssps().iter() {
            let (id, codec) = (ssp.id(), ssp.price_codec());
            let Some((_, rest)) = lines.iter().find(|(of, _)| *of == id) else {
                if codec != Codec::Plain {
                    errors.push(without_keys(id, codec));
                }
                continue;
            };
            let (encryption, integrity) = rest.split_once('\t').unwrap_or((rest, ""));
            match Keys::parse(codec, encryption, integrity) {
                Ok(parsed) => keys.push((id.to_owned(), parsed)),
                Err(error) => errors.push(format!("the price keys of {id}: {error}")),
            }
        }
        (PriceKeys(keys), errors)
    }

    /// The keys of an SSP.
    pub(super) fn of(&self, ssp: &str) -> Option<&Keys> {
        self.0.iter().find(|(id, _)| id == ssp).map(|(_, keys)| keys)
    }
}

fn without_keys(id: &str, codec: Codec) -> String {
    format!(
        "{id}: price_codec {}, and PRICE_KEYS has no keys for it: its bills get a 503 and are not booked until you add \
         its keys under the id {id}",
        codec.as_str()
    )
}
