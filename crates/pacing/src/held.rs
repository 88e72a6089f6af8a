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
