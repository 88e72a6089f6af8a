//! What the pacer has learned about one budget.

use std::collections::BTreeMap;

use crate::curve::{Ahead, Curve};
use crate::exposure::Row;
use crate::rates::{Calls, Rates};
use crate::terms::Cur;

/// What the pacer has learned about one budget, also while the catalog does not have it: see `forget`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// The currency of its money; zeros if it is not known.
    pub(crate) cur: Cur,
    pub(crate) rates: Rates,
    pub(crate) curve: Curve,
    /// The plan of this quarter of an hour.
    pub(crate) ahead: Ahead,
    /// By SSP.
    pub(crate) rows: BTreeMap<u64, Row>,
    pub(crate) calls: Calls,
}

impl Held {
    /// Turns all money into another currency.
    pub(crate) fn convert(&mut self, to: impl Fn(u64) -> u64) {
        let Rates { nanos, bidding, dearest, .. } = &mut self.rates;
        for nanos in [nanos, bidding, dearest] {
            *nanos = to(*nanos);
        }
        for row in self.rows.values_mut() {
            row.nanos.convert(&to);
            row.paid.convert(&to);
            (row.billed, row.passed) = (to(row.billed), to(row.passed));
        }
    }
}
