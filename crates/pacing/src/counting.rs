//! Turns counts into exposure and rates.

use std::collections::BTreeMap;

use crate::counts::{Count, Counts};
use crate::exposure::Row;
use crate::limits::{FAST_S, LAG_MS, LEAST_LOOP_MS, LOST_PART, LOST_RATE, MOST_LOOP_MS, REST_S, SILENT_MS, TICK_MS};
use crate::money::{number, ratio, seconds, times};
use crate::pacer::Pacer;
use crate::slots::{Slot, add_at};

/// How many slots make up the last rate of bids.
const RECENT: usize = 4;

impl Pacer {
    /// Learns how old shares and counts are.
    pub(crate) fn measure(&mut self, now_ms: i64, reported: Option<&Counts>) {
        let Some(counts) = reported else { return };
        let weight = |whole_ms: i64| (now_ms - self.last_ms).clamp(0, whole_ms);
        if counts.made_ms > 0 {
            let seen = now_ms.saturating_sub(counts.made_ms).clamp(LEAST_LOOP_MS, MOST_LOOP_MS);
            self.loop_ms = seen.max(self.loop_ms - (self.loop_ms - seen) * weight(60_000) / 60_000);
        }
        if counts.since_ms > 0 {
            let lag_ms = (now_ms.saturating_sub(counts.since_ms) / 2).clamp(LAG_MS.0, LAG_MS.1);
            let held = if self.lag_ms == 0 { lag_ms } else { self.lag_ms };
            self.lag_ms = held + (lag_ms - held) * weight(60_000) / 60_000;
        }
    }

    /// Puts counts into a new slot, and into the rates.
    pub(crate) fn count(&mut self, now_ms: i64, counts: Counts) {
        let from_ms = if self.last_ms == 0 { now_ms - TICK_MS } else { self.last_ms };
        self.slots.0.push(Slot { from_ms, to_ms: now_ms, bid_ms: now_ms - self.lag_ms, is_assumed: false });
        let before = self.slots.0.clone();
        let news: Vec<i64> = self.ssps.values().map(|ssp| ssp.news.until_ms).collect();
        let positions = self.slots.join(now_ms, &news);
        if let Some(positions) = &positions {
            self.ssps.values_mut().for_each(|ssp| ssp.join(&before, positions, &self.slots.0));
        }
        let newest = self.slots.0.len().saturating_sub(1);
        self.ssps.values_mut().for_each(|ssp| ssp.bids.resize(newest + 1, 0.0));
        if let Some(positions) = &positions {
            for row in self.held.values_mut().flat_map(|held| held.rows.values_mut()) {
                row.nanos.join(positions);
                row.paid.join(positions);
            }
        }
        if positions.is_some() {
            self.forget(now_ms);
        }
        if counts.rows.is_empty() {
            self.assume_silent(now_ms, newest);
            for budget in &self.budgets {
                if let Some(held) = self.held.get_mut(&budget.key) {
                    held.curve.count(budget, now_ms, 0);
                    // A day with missing counts cannot be the plan of the next day.
                    held.curve.is_whole &= !self.is_silent;
                }
            }
            return;
        }
        self.is_silent = false;
        self.uncounted_ms = 0;

        let last_ms = if self.counted_ms == 0 { from_ms } else { self.counted_ms };
        // After a pause, time counts from the first request, not from the last tick.
        let since_ms = counts.since_ms.clamp(last_ms, (now_ms - TICK_MS).max(last_ms));
        let rest_s = if since_ms - last_ms > 2 * TICK_MS { seconds(since_ms - last_ms) } else { 0.0 };
        let dt = seconds(now_ms - last_ms).max(0.001) - rest_s;
        self.counted_ms = now_ms;
        self.assume_lost(&counts, dt, newest);
        let used = (counts.made_ms.max(now_ms - 2 * LEAST_LOOP_MS), now_ms - 1);
        let mut sums: BTreeMap<u64, Count> = BTreeMap::new();
        for ((campaign, ssp), count) in counts.rows {
            let row = self.hold(campaign).rows.entry(ssp).or_default();
            row.nanos.add(newest, count.nanos);
            add_at(&mut self.ssps.entry(ssp).or_default().bids, newest, number(count.bids), |a, b| a + b);
            let sum = sums.entry(campaign).or_default();
            sum.matched += count.matched;
            sum.bids += count.bids;
            sum.guaranteed += count.guaranteed;
            sum.nanos = sum.nanos.saturating_add(count.nanos);
        }
        let budgets = std::mem::take(&mut self.budgets);
        for budget in &budgets {
            let count = sums.get(&budget.key).copied().unwrap_or_default();
            let held = self.hold(budget.key);
            // After a short rest, traffic may return at its earlier rate.
            if rest_s > 0.0 && rest_s < REST_S {
                held.rates.learn(Count::default(), rest_s, used);
            }
            if held.rates.learn(count, dt, used) {
                held.rows.values_mut().for_each(|row| row.forget(now_ms));
            }
            held.calls.learn(dt);
            held.curve.count(budget, now_ms, count.matched);
        }
        self.budgets = budgets;
    }

    /// If no counts come any more, assumes as many bids as the last shares allow. Nothing about SSPs is learned from
    /// them.
    fn assume_silent(&mut self, now_ms: i64, newest: usize) {
        // Without requests, there are no counts either. But bills of newer bids show that there are bids, at least since
        // the oldest of them. If that is long ago, most of them were counted before, or are not open any more.
        let silent_ms = now_ms.saturating_sub(self.uncounted_ms);
        if self.counted_ms == 0 || self.uncounted_ms == 0 || silent_ms < SILENT_MS {
            return;
        }
        let silent_ms = silent_ms.min(MOST_LOOP_MS);
        self.is_silent = true;
        (self.counted_ms, self.uncounted_ms) = (now_ms, 0);
        if let Some(slot) = self.slots.0.last_mut() {
            slot.is_assumed = true;
        }
        for held in self.held.values_mut() {
            let nanos = times(held.rates.assumed(), LOST_RATE * seconds(silent_ms));
            let sums: Vec<u64> = held.rows.values().map(Row::bid).collect();
            let all = sums.iter().fold(0_u64, |all, sum| all.saturating_add(*sum));
            for (row, sum) in held.rows.values_mut().zip(sums) {
                row.nanos.add(newest, times(nanos, ratio(sum, all)));
            }
        }
    }

    /// If fewer requests and calls of isolates are reported than before, the counts of a relay may be lost. Then assumes
    /// bids at somewhat more than the last rate. After a burst, isolates call as often as in it.
    fn assume_lost(&mut self, counts: &Counts, dt: f64, newest: usize) {
        let missing = |rate: &mut f64, seen: f64| {
            let missing = 1.0 - seen / (*rate * dt).max(f64::MIN_POSITIVE);
            *rate += (seen / dt - *rate) * (dt / FAST_S).min(1.0);
            missing
        };
        let seen = counts.rows.values().map(|count| number(count.matched)).sum();
        let missing = missing(&mut self.matched, seen).min(missing(&mut self.calls, number(counts.calls)));
        let recent = newest.saturating_sub(RECENT)..newest;
        let Some(first) = self.slots.0.get(recent.start).filter(|_| missing > LOST_PART && !recent.is_empty()) else {
            return;
        };
        let span = seconds(self.slots.0.get(newest).map_or(0, |slot| slot.from_ms) - first.from_ms).max(0.001);
        let factor = LOST_RATE * missing * dt.min(seconds(MOST_LOOP_MS)) / span;
        for row in self.held.values_mut().flat_map(|held| held.rows.values_mut()) {
            row.nanos.add(newest, times(row.nanos.sum(recent.clone()), factor));
        }
        for ssp in self.ssps.values_mut() {
            let bids: f64 = ssp.bids.get(recent.clone()).unwrap_or_default().iter().sum();
            add_at(&mut ssp.bids, newest, bids * factor, |a, b| a + b);
        }
    }
}
