//! What the pacer has learned of one budget, also while the catalog does not have it.

use std::collections::BTreeMap;

use crate::curve::{Ahead, Curve};
use crate::exposure::Row;
use crate::rates::Rates;

/// One budget.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    pub(crate) rates: Rates,
    pub(crate) curve: Curve,
    /// The plan of this quarter of an hour.
    pub(crate) ahead: Ahead,
    /// By SSP.
    pub(crate) rows: BTreeMap<u64, Row>,
}

impl Held {
    /// Turns all money into another currency.
    pub(crate) fn convert(&mut self, to: impl Fn(u64) -> u64) {
        let Rates { nanos, bidding, dearest, .. } = &mut self.rates;
        let rows = self
            .rows
            .values_mut()
            .flat_map(|row| row.nanos.iter_mut().chain(&mut row.paid).chain([&mut row.billed, &mut row.passed]));
        rows.chain([nanos, bidding, dearest]).for_each(|nanos| *nanos = to(*nanos));
    }
}
