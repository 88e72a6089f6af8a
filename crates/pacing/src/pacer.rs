//! The pacer: the state of all budgets, and what happens at each tick.
//!
//! ```text
//! plan, report*, booked* -> tick -> Shares
//! ```
//!
//! Call [`Pacer::plan`] before the first [`Pacer::booked`], because the days of a campaign are those of its zone.

use std::collections::{BTreeMap, BTreeSet};

use crate::account::Account;
use crate::budget::Budget;
use crate::counts::Counts;
use crate::curve::Ahead;
use crate::exposure::Ssp;
use crate::held::Held;
use crate::law::{Judged, Now, judge};
use crate::limits::{DELAY_S, LAG_MS, LEAST_LOOP_MS, MOST_LOOP_MS, WIN_S};
use crate::money::{number, seconds, times};
use crate::places::{Asked, Places};
use crate::shares::Shares;
use crate::slots::{Slot, Slots};

/// Bills of one campaign and SSP, for bids of one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Booked {
    /// The hash of the campaign.
    pub campaign: u64,
    /// The hash of the SSP.
    pub ssp: u64,
    /// When the bids were made, in seconds since the epoch.
    pub issued_s: i64,
    /// How many bills.
    pub count: u64,
    /// Their sum in nanos of the campaign's currency.
    pub nanos: u64,
}

/// All budgets and campaigns.
#[derive(Debug, Clone, Default)]
pub struct Pacer {
    pub(crate) budgets: Vec<Budget>,
    /// By the key of the budget.
    pub(crate) held: BTreeMap<u64, Held>,
    /// By the hash of the campaign.
    accounts: BTreeMap<u64, Account>,
    /// The campaigns by [`Account::number`].
    names: Vec<u64>,
    /// The key of the budget that pays a campaign.
    payers: BTreeMap<u64, u64>,
    pub(crate) ssps: BTreeMap<u64, Ssp>,
    pub(crate) slots: Slots,
    places: Places,
    /// The last tick, and the last one with counts, in ms; 0: none.
    pub(crate) last_ms: i64,
    pub(crate) counted_ms: i64,
    /// From making shares to seeing their bids, in ms.
    pub(crate) loop_ms: i64,
    /// The mean age of counts when they are reported, in ms.
    pub(crate) lag_ms: i64,
    /// Requests of all campaigns per second.
    pub(crate) matched: f64,
    /// Since the last tick.
    reported: Option<Counts>,
    fresh: Vec<Booked>,
}

impl Pacer {
    /// Replaces all budgets. Of two budgets with one key, the first counts. What a campaign has spent and what is learned
    /// of a budget is kept, also if it leaves and comes back.
    ///
    /// Returns true if bills were counted to the days of another zone than a campaign has now: then all places have to
    /// be booked as a whole again.
    pub fn plan(&mut self, mut budgets: Vec<Budget>) -> bool {
        // Stable, so that the first of two stays.
        budgets.sort_by_key(|budget| budget.key);
        budgets.dedup_by_key(|budget| budget.key);
        self.payers.clear();
        self.held.values_mut().for_each(|held| held.ahead = Ahead::default());
        let mut is_moved = false;
        for budget in &budgets {
            self.hold(budget.key);
            for campaign in budget.campaigns() {
                // Two versions of a catalog may have the campaign in two budgets. Its days can have only one zone.
                if self.payers.insert(campaign, budget.key).is_none() {
                    is_moved |= self.account(campaign).set_zone(&budget.zone);
                }
            }
        }
        self.budgets = budgets;
        is_moved
    }

    /// Adds the counts of one relay.
    pub fn report(&mut self, counts: &Counts) {
        self.reported.get_or_insert_default().merge(counts);
    }

    /// Books bills of one place of the ledger, such as `2026-11-22/07`. Call it at each answer of a place, also if it
    /// has no new bills: a place that is not heard from hides bills.
    ///
    /// If `is_whole`, these are all bills of the place: they replace what is known of it, and nothing is learned of
    /// delays. A place that handed its totals over is booked whole without rows. Otherwise these are the bills since
    /// the last call.
    pub fn booked(&mut self, place: &str, is_whole: bool, rows: impl Iterator<Item = Booked>) {
        let mut sums = std::mem::take(&mut self.places.answered(place, !is_whole).sums);
        if is_whole {
            self.take(std::mem::take(&mut sums));
        }
        let is_teaching = self.places.is_teaching(place);
        for row in rows {
            let account = self.account(row.campaign);
            let day = account.day(row.issued_s.saturating_mul(1000));
            account.add(day, row.nanos);
            let sum = sums.entry((account.number, day)).or_default();
            *sum = sum.saturating_add(row.nanos);
            if is_teaching {
                self.fresh.push(row);
            }
        }
        self.places.answered(place, !is_whole).sums = sums;
    }

    /// Books a place of the ledger that does not answer as the mean of those of its day that answered since the last tick,
    /// in place of what is known of it. Call it again with each reading, until the place is booked as a whole.
    pub fn missing(&mut self, place: &str) {
        let mean = self.places.mean(place);
        let known = std::mem::take(&mut self.places.answered(place, false).sums);
        self.take(known);
        for ((number, day), nanos) in &mean {
            let campaign = self.names.get(*number as usize);
            if let Some(account) = campaign.and_then(|campaign| self.accounts.get_mut(campaign)) {
                account.add(*day, *nanos);
            }
        }
        self.places.answered(place, false).sums = mean;
    }

    /// Forgets a place that takes no more bills: from now on, [`Pacer::past`] tells its bills, or no budget needs them.
    pub fn closed(&mut self, place: &str) {
        let sums = self.places.close(place);
        self.take(sums);
    }

    /// Sets what a campaign spent from a local day on, before the days that the places cover, in nanos of a currency
    /// (zeros: that of its budget): see [`asked`](crate::budget::asked).
    pub fn past(&mut self, campaign: u64, since: i64, nanos: u64, cur: [u8; 3]) {
        self.account(campaign).set_past(since, nanos, cur);
    }

    /// Learns from what was reported and booked since the last tick, and makes new shares. A time that is not after the
    /// last tick learns nothing.
    pub fn tick(&mut self, now_ms: i64) -> Shares {
        if now_ms > self.last_ms {
            let reported = self.reported.take();
            self.measure(now_ms, reported.as_ref());
            self.count(now_ms, reported.unwrap_or_default());
            self.age(now_ms);
            self.look_ahead(now_ms);
            self.last_ms = now_ms;
        }
        let judged: Vec<(u64, u32)> =
            self.judged(now_ms).map(|(budget, _, judged)| (budget.key, judged.share)).collect();
        for (budget, share) in &judged {
            self.hold(*budget).rates.share(now_ms, *share);
        }
        Shares { made_ms: now_ms, rows: judged }
    }

    /// The law's answer for each budget.
    pub(crate) fn judged(&self, now_ms: i64) -> impl Iterator<Item = (&Budget, &Held, Judged)> {
        let silent_ms = if self.counted_ms == 0 { 0 } else { now_ms.saturating_sub(self.counted_ms).max(0) };
        let now = Now {
            ms: now_ms,
            loop_s: seconds(self.loop_ms.clamp(LEAST_LOOP_MS, MOST_LOOP_MS)),
            unseen_s: seconds(self.lag_ms.clamp(LAG_MS.0, LAG_MS.1).saturating_add(silent_ms)),
            slots: &self.slots.0,
            ssps: &self.ssps,
        };
        self.budgets.iter().filter_map(move |budget| {
            let held = self.held.get(&budget.key)?;
            let (term, day) = (budget.term(now_ms), budget.zone.day(now_ms));
            let accounts = budget.campaigns().filter_map(|campaign| self.accounts.get(&campaign));
            let spent = accounts.fold((0_u64, 0_u64), |(today, all), account| {
                (today.saturating_add(account.on(day)), all.saturating_add(account.since(term.since)))
            });
            Some((budget, held, judge(budget, &term, held, spent, &now)))
        })
    }

    /// What is learned of a budget.
    pub(crate) fn hold(&mut self, budget: u64) -> &mut Held {
        self.held.entry(budget).or_default()
    }

    /// What a campaign has spent.
    fn account(&mut self, campaign: u64) -> &mut Account {
        self.accounts.entry(campaign).or_insert_with(|| {
            let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
            self.names.push(campaign);
            Account::new(number)
        })
    }

    /// Takes sums of a place back from the accounts.
    fn take(&mut self, sums: BTreeMap<(u32, i64), u64>) {
        for ((number, day), nanos) in sums {
            let campaign = self.names.get(number as usize);
            if let Some(account) = campaign.and_then(|campaign| self.accounts.get_mut(campaign)) {
                account.take(day, nanos);
            }
        }
    }

    /// Makes the plans of a new quarter of an hour.
    fn look_ahead(&mut self, now_ms: i64) {
        for budget in &self.budgets {
            if let Some(held) = self.held.get_mut(&budget.key).filter(|held| held.ahead.plan(now_ms).is_none()) {
                held.ahead = held.curve.ahead(budget, now_ms);
            }
        }
    }

    /// Lets bids grow older, and learns from the new bills.
    fn age(&mut self, now_ms: i64) {
        let dt = if self.last_ms == 0 { 0.0 } else { seconds(now_ms - self.last_ms) };
        let between_ms = if self.last_ms == 0 { now_ms } else { i64::midpoint(self.last_ms, now_ms) };
        self.places.ask(now_ms);
        let (delay_weight, win_weight) = (1.0 - (dt / DELAY_S).min(1.0), 1.0 - (dt / WIN_S).min(1.0));
        for bill in std::mem::take(&mut self.fresh) {
            let at = self.slots.nearest(bill.issued_s.saturating_mul(1000));
            let budget = self.payers.get(&bill.campaign).unwrap_or(&bill.campaign);
            let Some(held) = self.held.get_mut(budget) else { continue };
            let bid = times(held.rates.price().unwrap_or_default(), number(bill.count));
            // The bids of campaigns without a budget are not counted, so their bills must not be compared with bids.
            let Some(row) = held.rows.get_mut(&bill.ssp) else { continue };
            let age_s = seconds(between_ms.saturating_sub(bill.issued_s.saturating_mul(1000)).max(0));
            row.bill(age_s, bill.nanos);
            row.pay(at, bid);
            self.ssps.entry(bill.ssp).or_default().bill(age_s, bill.count);
        }
        let newest = self.slots.0.len().saturating_sub(1);
        let days: BTreeSet<i64> = self.slots.0.iter().map(|slot| utc_day_of(slot.bid_ms)).collect();
        let by_day: BTreeMap<i64, Vec<Asked>> = days.into_iter().map(|day| (day, self.places.asked(day))).collect();
        let of_slot = |slot: &Slot| by_day.get(&utc_day_of(slot.bid_ms)).cloned().unwrap_or_default();
        let asked: Vec<Vec<Asked>> = self.slots.0.iter().map(of_slot).collect();
        for ssp in self.ssps.values_mut() {
            ssp.bids.resize(newest + 1, 0.0);
            ssp.age(&self.slots.0, &asked, newest, delay_weight);
        }
        for held in self.held.values_mut() {
            for (ssp, row) in &mut held.rows {
                row.nanos.resize(newest + 1, 0);
                if let Some(ssp) = self.ssps.get(ssp) {
                    row.expect(ssp, win_weight);
                }
            }
        }
    }
}

fn utc_day_of(ms: i64) -> i64 {
    ms.div_euclid(crate::limits::DAY_MS)
}
