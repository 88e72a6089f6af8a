//! The keys of encoded prices, by SSP. They are secrets of the Worker and never in a catalog.

use super::codec::Keys;
use crate::catalog::Catalog;

/// The keys of each SSP that encodes its prices.
#[derive(Debug, Default)]
pub struct PriceKeys(Vec<(String, Keys)>);

impl PriceKeys {
    /// Reads one line per SSP: its id, its encryption key and its integrity key, with tabs between them. Ignores SSPs
    /// that `catalog` does not have. Returns an error for each line that cannot be used; the errors show no key.
    #[must_use]
    pub fn new<'l>(lines: impl Iterator<Item = &'l str>, catalog: &Catalog<'_>) -> (PriceKeys, Vec<String>) {
        let (mut keys, mut errors) = (Vec::new(), Vec::new());
        for line in lines {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_default();
            let (id, encryption, integrity) = (next(), next(), next());
            let ssps = catalog.parts().ssps();
            let Some(ssp) = ssps.iter().find(|ssp| ssp.id() == id) else { continue };
            match Keys::parse(ssp.price_codec(), encryption, integrity) {
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
