//! A world: the campaigns and their catalogs, SSPs, requests and faults of a simulation.

use crate::campaigns::{Row, Ssp};
use crate::catalog::Catalog;
use crate::traffic::Traffic;
use crate::worlds::Kind;

/// The faults, in seconds since the epoch.
#[derive(Default)]
pub(crate) struct Faults {
    /// Begin and end of the ledger's outages.
    pub(crate) outages: Vec<(i64, i64)>,
    /// A relay, and when it is down: from, until.
    pub(crate) deaths: Vec<(usize, i64, i64)>,
    /// When the pacer is lost, and when it starts again.
    pub(crate) restarts: Vec<(i64, i64)>,
}

pub(crate) struct World<'a> {
    /// Before and after the push.
    pub(crate) catalogs: &'a [Catalog; 2],
    pub(crate) rows: &'a [Row],
    pub(crate) ssps: &'a [Ssp],
    pub(crate) traffic: &'a Traffic,
    pub(crate) faults: &'a Faults,
    pub(crate) days: i64,
    pub(crate) kind: Kind,
}

impl<'a> World<'a> {
    pub(crate) fn catalog(&self, is_pushed: bool) -> &'a Catalog {
        &self.catalogs[usize::from(is_pushed)]
    }
}
