//! The pacer: the state of all budgets, and what happens at each tick.
//!
//! ```text
//! plan, report*, booked* -> tick -> Shares
//! ```
//!
//! Call [`Pacer::plan`] before the first [`Pacer::booked`], because bills are counted by the days of the campaign's
//! time zone.

use std::collections::{BTreeMap, BTreeSet};

use crate::account::{Account, Numbers, View};
use crate::budget::{Budget, Term, asked};
use crate::counts::Counts;
use crate::curve::Ahead;
use crate::day::Zone;
use crate::exposure::Ssp;
use crate::held::Held;
use crate::law::{Allocation, Now, allocate, forecast};
use crate::limits::{DAY_MS, DELAY_S, HORIZON_MS, LAG_MS, LEAST_LOOP_MS, MOST_LOOP_MS, QUARTER_MS, TICK_MS, WIN_S};
use crate::money::{number, seconds, times};
use crate::orders::{Orders, days};
use crate::packed::Packed;
use crate::part::Part;
use crate::shards::{Asked, Shards};
use crate::shares::Shares;
use crate::slots::{Slot, Slots};
use crate::terms::{Cur, Sum, Terms, cur_of};
use crate::why::Why;

/// Bills of one campaign and SSP, for bids of one time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Booked {
    /// The hash of the campaign.
    pub campaign: u64,
    /// The hash of the SSP.
    pub ssp: u64,
    /// When the bids were made, in seconds since the epoch.
    pub issued_s: i64,
    /// The number of new bills.
    pub count: u64,
    /// Their sum, or the rise of their sum, in nanos of `cur`.
    pub nanos: u64,
    /// By how much the prices of earlier bills have fallen.
    pub fall: u64,
    /// The sum of the prices of their bids.
    pub bid: u64,
    /// The change in the bid prices of signed bills whose price cannot be used. Negative if such a bill is booked after
    /// all.
    pub held: i64,
    /// The currency; zeros: that of the campaign's budget.
    pub cur: Cur,
}

/// New bills, as the exposure learns from them.
#[derive(Debug, Clone, Copy)]
struct Fresh {
    campaign: u64,
    ssp: u64,
    issued_s: i64,
    /// `None`: as many as `nanos` pay for.
    count: Option<u64>,
    /// What the budget counts for them.
    nanos: u64,
}

/// The state of one budget for the operator. Money in nanos of its currency.
#[derive(Debug, Clone, Copy)]
pub struct Status<'p> {
    /// The budget.
    pub budget: &'p Budget,
    /// The local day, as days since the first of January 1970.
    pub day: i64,
    /// What it may spend on this day, and in this flight or in all; 0: no limit.
    pub daily: u64,
    /// See `daily`.
    pub total: u64,
    /// What the plan wanted to be spent of `daily` until now; 0 without `daily`, and for a budget that is not spent evenly.
    pub planned: u64,
    /// Requests per second that it could bid on, rounded.
    pub requests: u64,
    /// The expected spend of the local day.
    pub forecast: u64,
    /// What is spent, what is left, and the share.
    pub allocation: Allocation,
}

/// All budgets and campaigns.
#[derive(Debug, Clone, Default)]
pub struct Pacer {
    /// Which budgets it has.
    pub part: Part,
    pub(crate) budgets: Vec<Budget>,
    /// The budgets of other pacers, and when each left the catalog, in ms; `i64::MAX`: it has not.
    pub(crate) others: BTreeMap<u64, i64>,
    /// By the key of the budget.
    pub(crate) held: BTreeMap<u64, Held>,
    /// By the hash of the campaign.
    pub(crate) accounts: BTreeMap<u64, Account>,
    pub(crate) numbers: Numbers,
    /// The key of the budget that pays a campaign.
    pub(crate) payers: BTreeMap<u64, u64>,
    pub(crate) orders: Orders,
    pub(crate) terms: Terms,
    pub(crate) ssps: BTreeMap<u64, Ssp>,
    pub(crate) slots: Slots,
    pub(crate) shards: Shards,
    /// The last tick, and the last one with counts, in ms; 0: none.
    pub(crate) last_ms: i64,
    pub(crate) counted_ms: i64,
    /// When the oldest bid was made that is billed and not counted, of those after the last counts, in ms; 0: none.
    pub(crate) uncounted_ms: i64,
    /// Whether bids are assumed, because no counts come.
    pub(crate) is_silent: bool,
    /// From making shares to seeing their bids, in ms.
    pub(crate) loop_ms: i64,
    /// The mean age of counts when they are reported, in ms.
    pub(crate) lag_ms: i64,
    /// Requests of all campaigns per second.
    pub(crate) matched: f64,
    /// Calls of isolates per second; 0: relays do not count them.
    pub(crate) calls: f64,
    /// Since the last tick.
    reported: Option<Counts>,
    fresh: Vec<Fresh>,
}

impl Pacer {
    /// The id of the SSP with this hash; `None` if the catalog does not have it.
    #[must_use]
    pub fn ssp(&self, hash: u64) -> Option<&str> {
        self.terms.ssps.get(&hash).map(|terms| terms.id.as_str())
    }

    /// Replaces all budgets. If two budgets have the same key, as in a split of two catalogs, the first counts, and an
    /// order has the campaigns of both. The spend of campaigns, and what was learned about budgets, is kept, also if they
    /// disappear and return within a week. An order keeps what its campaigns have spent, also if they leave it. Of the
    /// budgets of other pacers, only keys and members count: campaigns may come from them. `now_ms`: the time now. A campaign
    /// joins an order with the last tick, and leaves it now, because nobody knows the time between them.
    ///
    /// Returns true if the zones of a campaign's budgets have changed since its bills were counted: then all shards
    /// must be booked as a whole again.
    pub fn plan(&mut self, mut budgets: Vec<Budget>, terms: Terms, now_ms: i64) -> bool {
        self.terms = terms;
        // Stable, so that the first of two stays.
        budgets.sort_by_key(|budget| budget.key);
        budgets.dedup_by(|next, first| {
            if next.key != first.key {
                return false;
            }
            let known: BTreeSet<u64> = first.members.iter().map(|(member, _)| *member).collect();
            first.members.extend(std::mem::take(&mut next.members).into_iter().filter(|(one, _)| !known.contains(one)));
            true
        });
        self.orders.see(&self.budgets, self.last_ms);
        let has_own = |campaign| self.held.contains_key(&campaign) || self.others.contains_key(&campaign);
        self.orders.plan(&budgets, &(self.last_ms..now_ms.max(self.last_ms)), has_own);
        let part = self.part;
        self.others.retain(|key, left_ms| {
            *left_ms = self.last_ms.min(*left_ms);
            !part.has(*key) && self.last_ms - *left_ms < HORIZON_MS
        });
        self.others.extend(budgets.iter().filter(|budget| !part.has(budget.key)).map(|budget| (budget.key, i64::MAX)));
        budgets.retain(|budget| part.has(budget.key));
        self.held.retain(|key, _| part.has(*key));
        self.payers.clear();
        self.held.values_mut().for_each(|held| held.ahead = Ahead::default());
        let mut zones: BTreeMap<u64, Vec<Zone>> = BTreeMap::new();
        for budget in &budgets {
            let cur = cur_of(&budget.cur);
            let held = self.held.entry(budget.key).or_default();
            let from = std::mem::replace(&mut held.cur, cur);
            if from != Cur::default() {
                held.convert(|nanos| self.terms.convert(nanos, from, cur));
            }
            for campaign in budget.campaigns() {
                self.payers.entry(campaign).or_insert(budget.key);
            }
            for (campaign, _) in self.orders.payees(budget) {
                let zones = zones.entry(campaign).or_default();
                if !zones.contains(&budget.zone) {
                    zones.push(budget.zone.clone());
                }
            }
        }
        let mut is_moved = false;
        // A campaign that moves now makes cuts within two quarters of an hour.
        let late_ms = self.last_ms - 2 * QUARTER_MS;
        for (campaign, zones) in zones {
            let cuts = self.orders.cuts(campaign);
            is_moved |= self.account(campaign).divide(zones, cuts, late_ms);
        }
        self.budgets = budgets;
        is_moved
    }

    /// The campaigns for which [`Pacer::past`] must be called with these budgets, see [`asked`], and those that have left
    /// an order, each with the first local day that counts and the first day after it.
    #[must_use]
    pub fn asked(&self, budgets: &[Budget], now_ms: i64) -> BTreeSet<(u64, i64)> {
        let own: Vec<Budget> = budgets.iter().filter(|budget| self.part.has(budget.key)).cloned().collect();
        let mut all = asked(&own, now_ms);
        for budget in own.iter().filter(|budget| budget.has_total()) {
            for (campaign, spans) in self.orders.payees(budget) {
                let days = days(spans, &budget.zone, budget.term(now_ms).since);
                let days = days.iter().flat_map(|days| [days.start, days.end]).filter(|day| *day != i64::MAX);
                all.extend(days.map(|day| (campaign, day)));
            }
        }
        all
    }

    /// The campaigns that spend one of its budgets or have spent it. The bills of others do not count with these budgets.
    #[must_use]
    pub fn campaigns(&self, budgets: &[Budget]) -> BTreeSet<u64> {
        let own = budgets.iter().filter(|budget| self.part.has(budget.key));
        own.flat_map(|one| one.campaigns().chain(self.orders.payees(one).map(|(campaign, _)| campaign))).collect()
    }

    /// The times within a UTC day at which a local day of any campaign begins or its order changes, in seconds since the
    /// epoch. Bills of one campaign, SSP and currency between two of them count for the same day and budget, so they may be
    /// booked as one. The first time is the begin of the UTC day.
    #[must_use]
    pub fn midnights(&self, utc_day: i64) -> BTreeSet<i64> {
        let day = utc_day.saturating_mul(DAY_MS)..(utc_day + 1).saturating_mul(DAY_MS);
        let starts = self.accounts.values().flat_map(|account| account.stretches(day.clone()));
        starts.chain([day.start]).map(|ms| ms.div_euclid(1000)).collect()
    }

    /// Adds the counts of one relay. Those of other pacers' budgets do not count.
    pub fn report(&mut self, counts: &Counts) {
        let keys = counts.rows.keys().map(|(budget, _)| *budget);
        let budgets: BTreeSet<u64> = keys.filter(|budget| self.part.has(*budget)).collect();
        for budget in budgets {
            self.hold(budget).calls.add(counts.calls);
        }
        self.reported.get_or_insert_default().merge(counts, self.part);
    }

    /// Books bills of one shard of the ledger, such as `2026-11-22/07`. Call it at each answer of a shard, also without
    /// new bills: a shard that does not answer hides bills.
    ///
    /// If `is_whole`, these are all bills of the shard: they replace its known bills, and nothing is learned about
    /// delays. A shard that has handed over its totals is booked as a whole, without rows. Otherwise, these are the
    /// bills since the last call.
    pub fn booked(&mut self, shard: &str, is_whole: bool, rows: impl Iterator<Item = Booked>) {
        let mut sums = std::mem::take(&mut self.shards.answered(shard, !is_whole).sums);
        if is_whole {
            self.take(&std::mem::take(&mut sums));
        }
        let is_teaching = self.shards.is_teaching(shard);
        let mut news = BTreeMap::new();
        for row in rows {
            let Booked { campaign, ssp, issued_s, count, nanos, fall, bid, held, cur } = row;
            let more = Sum { count, nanos, bid, held };
            let issued_ms = issued_s.saturating_mul(1000);
            let own = self.held.get(&self.payer(campaign, issued_ms)).map_or(Cur::default(), |held| held.cur);
            let account = self.accounts.entry(campaign).or_default();
            let cell = (account.stretch(issued_ms), ssp, cur);
            let less = Sum { nanos: fall, ..Sum::default() };
            let (all, number) = account.add(campaign, cell, (&more, &less), &mut self.numbers);
            let booking = &mut self.ssps.entry(ssp).or_default().booked;
            booking.known = booking.known.saturating_add(more.size());
            let sum = news.entry(number).or_insert_with(|| sums.get(number));
            sum.add(&more);
            sum.take(&less);
            // A price that has fallen is no new bill.
            if is_teaching && more != Sum::default() {
                let booked = self.terms.weight(ssp, &more, self.terms.distrusts(ssp, &all));
                let nanos = self.terms.convert(booked.saturating_add_signed(held), cur, own);
                let count = if held > 0 { None } else { Some(if held < 0 { 0 } else { count }) };
                booking.learned = booking.learned.saturating_add(more.size());
                self.fresh.push(Fresh { campaign, ssp, issued_s, count, nanos });
            }
        }
        sums.put(news);
        self.shards.answered(shard, !is_whole).sums = sums;
    }

    /// For a shard of the ledger that does not answer, replaces its known bills by the mean of the other shards of its
    /// day. Call it again with each reading, until the shard is booked as a whole.
    pub fn missing(&mut self, shard: &str) {
        let mean = self.shards.mean(shard);
        let known = std::mem::take(&mut self.shards.answered(shard, false).sums);
        self.take(&known);
        for (number, sum) in &mean {
            let Some((campaign, cell)) = self.numbers.get(*number) else { continue };
            if let Some(account) = self.accounts.get_mut(&campaign) {
                account.add(campaign, cell, (sum, &Sum::default()), &mut self.numbers);
            }
        }
        self.shards.answered(shard, false).sums = mean.into_iter().collect();
    }

    /// Forgets a shard that takes no more bills: from now on, its bills come with [`Pacer::past`], or no budget needs
    /// them.
    pub fn closed(&mut self, shard: &str) {
        let sums = self.shards.close(shard);
        self.take(&sums);
    }

    /// Replaces the spend of all campaigns on days before those that shards cover: bills, each with the first local day
    /// that counts, see [`asked`](crate::budget::asked). The days of one sum must be plausible, or all of them must
    /// not. A campaign without spend has a bill of 0.
    pub fn past(&mut self, bills: impl Iterator<Item = (i64, Booked)>) {
        self.accounts.values_mut().for_each(Account::forget_past);
        for (since, Booked { campaign, ssp, count, nanos, bid, held, cur, .. }) in bills {
            self.account(campaign).add_past(since, ssp, cur, Sum { count, nanos, bid, held });
        }
    }

    /// Learns from the counts and bills since the last tick, and makes new shares. If the time is not after the last
    /// tick, nothing is learned; if the clock was set back, all times are set back too.
    pub fn tick(&mut self, now_ms: i64) -> Shares {
        if now_ms < self.last_ms - MOST_LOOP_MS {
            self.shift(now_ms - TICK_MS - self.last_ms);
        }
        if now_ms > self.last_ms {
            let reported = self.reported.take();
            self.measure(now_ms, reported.as_ref());
            self.count(now_ms, reported.unwrap_or_default());
            self.age(now_ms);
            self.look_ahead(now_ms);
            self.last_ms = now_ms;
        }
        let mut shares = Shares { made_ms: now_ms, ..Shares::default() };
        for (budget, _, new) in self.allocations(now_ms) {
            shares.rows.push((budget.key, new.share));
            shares.most.extend(new.most.filter(|_| new.share > 0).map(|most| (budget.key, most)));
        }
        for (budget, share) in &shares.rows {
            self.hold(*budget).rates.share(now_ms, *share);
        }
        shares
    }

    /// The status of each budget, in the order of their keys.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast saturates")]
    pub fn statuses(&self, now_ms: i64) -> impl Iterator<Item = Status<'_>> {
        self.allocations(now_ms).map(move |(budget, held, allocation)| {
            let Term { daily, total, .. } = budget.term(now_ms);
            let (day, requests) = (budget.zone.day(now_ms), held.rates.requests().round() as u64);
            let forecast = forecast(budget, held, &allocation, now_ms);
            let planned = if budget.is_asap { 0 } else { times(daily, held.curve.over(budget, now_ms)) };
            Status { budget, day, daily, total, planned, requests, forecast, allocation }
        })
    }

    /// The law's answer for each budget.
    fn allocations(&self, now_ms: i64) -> impl Iterator<Item = (&Budget, &Held, Allocation)> {
        let silent_ms =
            if self.counted_ms == 0 { 0 } else { now_ms.saturating_sub(self.counted_ms).clamp(0, MOST_LOOP_MS) };
        let loop_ms = if self.is_silent { MOST_LOOP_MS } else { self.loop_ms };
        let now = Now {
            ms: now_ms,
            loop_s: seconds(loop_ms.clamp(LEAST_LOOP_MS, MOST_LOOP_MS)),
            unseen_s: seconds(self.lag_ms.clamp(LAG_MS.0, LAG_MS.1).saturating_add(silent_ms)),
            slots: &self.slots.0,
            ssps: &self.ssps,
        };
        self.budgets.iter().filter_map(move |budget| {
            let held = self.held.get(&budget.key)?;
            let (term, day) = (budget.term(now_ms), budget.zone.day(now_ms));
            let (zone, cur, terms) = (&budget.zone, cur_of(&budget.cur), &self.terms);
            let view = |(campaign, spans)| Some((self.accounts.get(&campaign)?, View { spans, zone, cur, terms }));
            let payees: Vec<(&Account, View<'_>)> = self.orders.payees(budget).filter_map(view).collect();
            let spent = payees.iter().fold((0_u64, 0_u64), |(today, all), (account, view)| {
                let (on, since) = (account.on(day, view), account.since(term.since, view));
                (today.saturating_add(on), all.saturating_add(since))
            });
            // The bills of today and yesterday come from their shards.
            let is_known = term.total == 0
                || term.since >= day - 1
                || payees.iter().all(|(account, view)| account.knows(term.since, day - 1, view));
            let since = (term.total != 0).then_some(term.since);
            let unknown = if !is_known {
                Some(Why::PastUnknown)
            } else if payees.iter().any(|(account, view)| account.lacks_rate(since.unwrap_or(day), since, view)) {
                Some(Why::RateMissing)
            } else {
                None
            };
            Some((budget, held, allocate(budget, &term, held, spent, unknown, &now)))
        })
    }

    /// What was learned about a budget.
    pub(crate) fn hold(&mut self, budget: u64) -> &mut Held {
        self.held.entry(budget).or_default()
    }

    /// The key of the budget that counted a bid of a campaign.
    fn payer(&self, campaign: u64, issued_ms: i64) -> u64 {
        let now = self.payers.get(&campaign).copied();
        self.orders.payer(campaign, issued_ms, now).or(now).unwrap_or(campaign)
    }

    /// The account of a campaign.
    fn account(&mut self, campaign: u64) -> &mut Account {
        self.accounts.entry(campaign).or_default()
    }

    /// Removes sums of a shard from the accounts.
    fn take(&mut self, sums: &Packed) {
        for (number, sum) in sums.iter() {
            let Some((campaign, cell)) = self.numbers.get(number) else { continue };
            if let Some(Ssp { booked, .. }) = self.ssps.get_mut(&cell.1) {
                booked.known = booked.known.saturating_sub(sum.size());
            }
            if let Some(account) = self.accounts.get_mut(&campaign) {
                account.take(&cell, &sum, &mut self.numbers);
            }
        }
    }

    /// Moves all times, because the clock was wrong.
    fn shift(&mut self, by_ms: i64) {
        self.last_ms += by_ms;
        self.counted_ms = (self.counted_ms + by_ms).max(0);
        self.uncounted_ms = 0;
        self.slots.shift(by_ms);
        self.shards.shift(by_ms);
        self.ssps.values_mut().for_each(|ssp| ssp.news.shift(by_ms));
        self.held.values_mut().for_each(|held| held.rates.shift(by_ms));
    }

    /// Makes the plans of a new quarter of an hour.
    fn look_ahead(&mut self, now_ms: i64) {
        for budget in &self.budgets {
            if let Some(held) = self.held.get_mut(&budget.key).filter(|held| held.ahead.plan(now_ms).is_none()) {
                held.ahead = held.curve.ahead(budget, now_ms);
            }
        }
    }

    /// Makes bids older, and learns from the new bills.
    fn age(&mut self, now_ms: i64) {
        let dt = if self.last_ms == 0 { 0.0 } else { seconds(now_ms - self.last_ms) };
        self.shards.ask(now_ms);
        let (delay_weight, win_weight) = (1.0 - (dt / DELAY_S).min(1.0), 1.0 - (dt / WIN_S).min(1.0));
        for Fresh { campaign, ssp, issued_s, count, nanos } in std::mem::take(&mut self.fresh) {
            let issued_ms = issued_s.saturating_mul(1000);
            let at = self.slots.at(issued_ms + self.lag_ms);
            let slot = self.slots.0.get(at);
            let budget = self.payer(campaign, issued_ms);
            let news = self.ssps.entry(ssp).or_default();
            if issued_ms > self.counted_ms && (self.uncounted_ms == 0 || issued_ms < self.uncounted_ms) {
                self.uncounted_ms = issued_ms;
            }
            let is_timely = news.news.hear(issued_ms, now_ms, count.map_or(1.0, number));
            // The bids of campaigns without a budget are not counted, so their bills must not be compared with bids.
            let Some(held) = self.held.get_mut(&budget) else { continue };
            let price = held.rates.price().unwrap_or_default();
            let Some(row) = held.rows.get_mut(&ssp) else { continue };
            news.bill(
                at,
                slot,
                count.unwrap_or_else(|| nanos.checked_div(price).unwrap_or_default().max(1)),
                is_timely,
            );
            row.bill(news, at, slot, nanos, is_timely);
        }
        let newest = self.slots.0.len().saturating_sub(1);
        let days: BTreeSet<i64> = self.slots.0.iter().map(|slot| utc_day_of(slot.bid_ms)).collect();
        let by_day: BTreeMap<i64, Vec<Asked>> = days.into_iter().map(|day| (day, self.shards.asked(day))).collect();
        let of_slot = |slot: &Slot| by_day.get(&utc_day_of(slot.bid_ms)).map_or(&[][..], Vec::as_slice);
        let asked: Vec<&[Asked]> = self.slots.0.iter().map(of_slot).collect();
        for ssp in self.ssps.values_mut() {
            ssp.bids.resize(newest + 1, 0.0);
            ssp.age(&self.slots.0, &asked, now_ms, delay_weight);
        }
        for held in self.held.values_mut() {
            for (ssp, row) in &mut held.rows {
                if let Some(ssp) = self.ssps.get(ssp) {
                    row.close(ssp, &self.slots.0, win_weight);
                }
            }
        }
    }
}

fn utc_day_of(ms: i64) -> i64 {
    ms.div_euclid(DAY_MS)
}
