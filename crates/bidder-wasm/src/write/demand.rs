//! Counts what campaigns with a budget could have bid on and what they bid, for the pacer.
//!
//! The Worker takes the counts every few seconds. They are statistics: if an isolate ends, its last counts are lost.

use pacing::counts::{Count, write_row, write_times};

use super::{Envelope, multiplier};
use crate::bid::Bid;
use crate::catalog::Catalog;
use crate::context::Context;
use crate::limits::{MAX_DEMAND, MAX_IMPS};
use crate::money::Rounding;
use crate::notices::{ONE, hash_of};

/// The counts since they were last taken.
#[derive(Debug, Default)]
pub struct Demand {
    /// When they were last taken, else the time of the first decision, in milliseconds since the epoch; 0: neither.
    since_ms: i64,
    /// When the oldest shares of these decisions were made; 0: there were none.
    made_ms: i64,
    rows: Vec<Row>,
    /// For each SSP that has a row: for each budget, 1 plus the place of its row; 0: it has none.
    places: Vec<Vec<u32>>,
    /// The SSP of the current decision; `None` if it is not counted.
    ssp: Option<usize>,
    /// The first of the numbers that stand for the impressions of the current decision.
    first_imp: u32,
}

/// What the campaigns of one budget did at one SSP.
#[derive(Debug)]
struct Row {
    budget: u32,
    ssp: u32,
    /// The number of the impression that was counted last.
    imp: u32,
    matched: u32,
    bids: u32,
    guaranteed: u32,
    nanos: u64,
}

impl Demand {
    /// Begins a decision for the SSP with this number. If `is_counted` is false, its matches and bids are not counted.
    pub(crate) fn begin(&mut self, ssp: usize, is_counted: bool, catalog: &Catalog<'_>, context: &Context<'_>) {
        self.ssp = Some(ssp).filter(|_| is_counted && !catalog.budgets.is_empty());
        if self.ssp.is_none() {
            return;
        }
        if self.since_ms == 0 {
            self.since_ms = context.now_ms;
        }
        let made_ms = context.pacing.map_or(0, |pacing| pacing.made_ms);
        if self.made_ms == 0 || made_ms != 0 && made_ms < self.made_ms {
            self.made_ms = made_ms;
        }
        // A row that was just made has seen no impression: its number is 0.
        self.first_imp = self.first_imp.wrapping_add(u32::try_from(MAX_IMPS).unwrap_or(u32::MAX)).max(1);
    }

    /// Counts an impression on which a campaign with this budget matches, once for all campaigns of an order: see
    /// [`Recorder::matched`](crate::recorder::Recorder::matched).
    pub(crate) fn matched(&mut self, budget: u32, imp: usize) {
        let Some(imp) = u32::try_from(imp).ok().map(|imp| self.first_imp.wrapping_add(imp)) else { return };
        let Some(row) = self.row(budget) else { return };
        if row.imp != imp {
            row.imp = imp;
            row.matched = row.matched.saturating_add(1);
        }
    }

    /// Counts the bids of the current decision.
    pub(crate) fn add(&mut self, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
        for bid in bids {
            let Some(row) = bid.budget.and_then(|budget| self.row(budget)) else { continue };
            // The micros of a thousand impressions are the nanos of one.
            let nanos = envelope.catalog.rates.convert(bid.price.bid, envelope.cur, bid.campaign.cur(), Rounding::Up);
            let impressions = u64::from(multiplier(bid.imp, envelope));
            let nanos = nanos.map_or(0, |nanos| nanos.0.unsigned_abs());
            let nanos = nanos.saturating_mul(impressions).div_ceil(u64::from(ONE));
            row.bids = row.bids.saturating_add(1);
            row.guaranteed = row.guaranteed.saturating_add(u32::from(bid.deal.is_some_and(|deal| deal.guar)));
            row.nanos = row.nanos.saturating_add(nanos);
        }
    }

    /// The row of a budget at the SSP of the decision. Allocates only for a new one. `None` if nothing is counted, or
    /// if there are too many rows.
    fn row(&mut self, budget: u32) -> Option<&mut Row> {
        let ssp = self.ssp?;
        let place = self.places.get(ssp).and_then(|places| places.get(budget as usize)).copied().unwrap_or_default();
        let place = if place > 0 { place } else { self.new_row(budget, ssp)? };
        self.rows.get_mut(place as usize - 1)
    }

    /// Adds a row, and returns 1 plus its place.
    #[inline(never)]
    fn new_row(&mut self, budget: u32, ssp: usize) -> Option<u32> {
        if self.rows.len() >= MAX_DEMAND {
            return None;
        }
        if self.places.len() <= ssp {
            self.places.resize_with(ssp + 1, Vec::new);
        }
        let places = self.places.get_mut(ssp)?;
        if places.len() <= budget as usize {
            places.resize(budget as usize + 1, 0);
        }
        let (ssp, place) = (u32::try_from(ssp).ok()?, u32::try_from(self.rows.len()).ok()? + 1);
        self.rows.push(Row { budget, ssp, imp: 0, matched: 0, bids: 0, guaranteed: 0, nanos: 0 });
        *places.get_mut(budget as usize)? = place;
        Some(place)
    }

    /// Appends the text of [`Counts`](pacing::counts::Counts), and starts again at 0 at `now_ms`, or with the next
    /// decision if that is 0. Appends nothing if nothing was counted.
    pub fn take(&mut self, now_ms: i64, catalog: &Catalog<'_>, out: &mut String) {
        let parts = catalog.parts();
        if !self.rows.is_empty() {
            write_times(out, self.since_ms, self.made_ms);
        }
        for Row { budget, ssp, matched, bids, guaranteed, nanos, .. } in self.rows.drain(..) {
            let (budget, ssp) = (budget as usize, ssp as usize);
            if let Some(place) = self.places.get_mut(ssp).and_then(|places| places.get_mut(budget)) {
                *place = 0;
            }
            let Some(key) = parts.budgets().get(budget).map(|budget| budget.key()) else { continue };
            let [matched, bids, guaranteed] = [matched, bids, guaranteed].map(u64::from);
            let count = Count { matched, bids, guaranteed, nanos };
            write_row(out, (key, hash_of(parts.ssp(ssp).id())), &count);
        }
        (self.since_ms, self.made_ms) = (now_ms, 0);
    }
}
