//! A campaign of a compiled catalog.

use catalog::{Bounds, BoundsDraft, Campaign, Catalog};
use flat::{Flat, Source};

/// A campaign and what is needed to describe it.
pub(super) struct Described<'a> {
    pub(super) catalog: &'a Catalog<'a>,
    pub(super) campaign: Campaign<'a>,
    /// Its position in the catalog.
    pub(super) position: usize,
}

impl<'a> Described<'a> {
    /// When the campaign runs, and its targeting that the index does not hold; without limits if it has none.
    pub(super) fn bounds(&self) -> Bounds<'a> {
        self.campaign.bounds().get(0).unwrap_or_else(|| BoundsDraft::view(Source::default(), 0))
    }
}
