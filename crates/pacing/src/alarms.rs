//! Alarms for the operator about SSPs with faulty bills.

use std::collections::BTreeMap;

use crate::account::Cell;
use crate::day::utc_day;
use crate::limits::DAY_MS;
use crate::pacer::Pacer;
use crate::terms::{Cur, Sum, cur_of};

/// The least bills that can make the prices of an SSP implausible, and the least bids that can make it silent.
const ENOUGH_BILLS: u64 = 20;
const ENOUGH_BIDS: f64 = 1_000.0;

/// How long an SSP may bill nothing, in ms: a batch a day is usual.
const SILENT_MS: i64 = 30 * 3_600_000;

/// What is wrong with the bills of an SSP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// The id of the SSP in the catalog.
    pub ssp: String,
    /// `refused`: bills are signed but their price cannot be used. `implausible`: bills are too cheap for their bids,
    /// so budgets count the bids. `silent`: its bids are never billed, so all of them stay exposed.
    pub what: &'static str,
    /// How many bills or, if silent, bids. The number of refused bills is estimated from their sum and the mean price of
    /// bids; 0 if that price is unknown, as after the pacer has moved.
    pub count: u64,
    /// What budgets count for them; 0 if silent.
    pub nanos: u64,
    /// The currency of `nanos`.
    pub cur: String,
}

impl Pacer {
    /// The alarms for the SSPs of the catalog, from the bids of today and yesterday in UTC.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast saturates")]
    pub fn alarms(&self, now_ms: i64) -> Vec<Alarm> {
        let mut sums: BTreeMap<(u64, Cur), (Sum, Option<u64>)> = BTreeMap::new();
        for (campaign, (_, ssp, cur), sum) in self.recent(now_ms.div_euclid(DAY_MS) - 1) {
            let own = self.cur_of(campaign);
            let key = (ssp, if cur == Cur::default() { own } else { cur });
            let (all, refused) = sums.entry(key).or_insert((Sum::default(), Some(0)));
            all.add(&sum);
            let held = u64::try_from(sum.held).unwrap_or_default();
            if held > 0 {
                *refused = refused.zip(self.price_of(campaign)).map(|(bills, price)| bills + held.div_ceil(price));
            }
        }
        let mut alarms = Vec::new();
        for ((ssp, cur), (sum, refused)) in sums {
            let Some(terms) = self.terms.ssps.get(&ssp) else { continue };
            let alarm = |what, count, nanos| {
                let cur = String::from_utf8_lossy(&cur).into_owned();
                Alarm { ssp: terms.id.clone(), what, count, nanos, cur }
            };
            if sum.held > 0 {
                alarms.push(alarm("refused", refused.unwrap_or_default(), sum.held.unsigned_abs()));
            }
            if sum.count >= ENOUGH_BILLS && self.terms.distrusts(ssp, &sum) {
                alarms.push(alarm("implausible", sum.count, sum.bid));
            }
        }
        for (key, ssp) in &self.ssps {
            let bids: f64 = ssp.bids.iter().sum();
            let first_ms =
                self.slots.0.iter().zip(&ssp.bids).find(|(_, bids)| **bids > 0.0).map(|(slot, _)| slot.bid_ms);
            let since_ms = if ssp.news.newest_ms > 0 { Some(ssp.news.newest_ms) } else { first_ms };
            let is_silent = since_ms.is_some_and(|since_ms| now_ms.saturating_sub(since_ms) > SILENT_MS);
            if let (true, Some(terms)) = (is_silent && bids >= ENOUGH_BIDS, self.terms.ssps.get(key)) {
                let (ssp, cur) = (terms.id.clone(), String::new());
                alarms.push(Alarm { ssp, what: "silent", count: bids as u64, nanos: 0, cur });
            }
        }
        alarms
    }

    /// The bills of shards from a UTC day on, by campaign.
    fn recent(&self, since: i64) -> impl Iterator<Item = (u64, Cell, Sum)> {
        let shards = self.shards.sums().filter(move |(name, _)| utc_day(name).is_some_and(|day| day >= since));
        shards
            .flat_map(|(_, sums)| sums.iter())
            .filter_map(|(number, sum)| self.numbers.get(number).map(|(campaign, cell)| (campaign, cell, sum)))
    }

    /// The mean bid price of a campaign's budget; `None` if it is unknown or 0.
    fn price_of(&self, campaign: u64) -> Option<u64> {
        let budget = self.payers.get(&campaign).unwrap_or(&campaign);
        self.held.get(budget).and_then(|held| held.rates.price()).filter(|price| *price > 0)
    }

    fn cur_of(&self, campaign: u64) -> Cur {
        let budget = self.payers.get(&campaign).unwrap_or(&campaign);
        let at = self.budgets.binary_search_by_key(budget, |budget| budget.key);
        at.ok().and_then(|at| self.budgets.get(at)).map_or(Cur::default(), |budget| cur_of(&budget.cur))
    }
}
