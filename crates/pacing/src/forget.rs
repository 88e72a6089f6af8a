//! Forgets what is no longer needed of budgets, campaigns and SSPs that have left the catalog. Otherwise each one that
//! ever was in it would stay in the memory and in the saved state.
//!
//! Never forgotten: budgets of the catalog, and bids and bills that may still count.

use std::collections::BTreeSet;

use crate::limits::{DAY_MS, HORIZON_MS};
use crate::pacer::Pacer;

impl Pacer {
    /// Forgets budgets that left the catalog more than [`HORIZON_MS`] ago and have no bids since, SSPs that left it and
    /// have neither bids nor bills, campaigns without bills, and orders that left it long ago. Call it when slots were
    /// joined.
    pub(crate) fn forget(&mut self, now_ms: i64) {
        let Pacer { budgets, held, accounts, orders, others, terms, ssps, .. } = self;
        let others = others.iter().filter(|(_, left_ms)| **left_ms == i64::MAX).map(|(budget, _)| *budget);
        orders.forget(budgets, others, now_ms);
        let payees: BTreeSet<u64> =
            budgets.iter().flat_map(|budget| orders.payees(budget)).map(|(one, _)| one).collect();
        ssps.retain(|ssp, known| {
            terms.ssps.contains_key(ssp) || known.booked.known > 0 || known.bids.iter().any(|bids| *bids > 0.0)
        });
        let since = now_ms.saturating_sub(HORIZON_MS).div_euclid(DAY_MS);
        held.retain(|budget, held| {
            let is_planned = budgets.binary_search_by_key(budget, |budget| budget.key).is_ok();
            held.rows.retain(|ssp, row| row.bid() > 0 || is_planned && ssps.contains_key(ssp));
            is_planned || !held.rows.is_empty() || held.curve.day >= since
        });
        accounts.retain(|campaign, account| payees.contains(campaign) || !account.cells.is_empty());
    }
}
