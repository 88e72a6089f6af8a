//! What one campaign has spent, also while it has no budget. Money in nanos.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::day::Zone;
use crate::orders::{self, Span, days};
use crate::terms::{Cur, Sum, Terms};

/// The bills in a sum: when the stretch of their bids begins, in ms; the SSP; the currency. Within a stretch, neither the
/// day nor the order of the campaign changes.
pub(crate) type Cell = (i64, u64, Cur);

/// Short names of the cells of campaigns: each shard has a sum for thousands of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Numbers {
    cells: Vec<(u64, Cell)>,
    free: Vec<u32>,
}

impl Numbers {
    /// A number for a campaign's new cell.
    fn of(&mut self, campaign: u64, cell: Cell) -> u32 {
        let number = self.free.pop().unwrap_or(u32::try_from(self.cells.len()).unwrap_or(u32::MAX));
        match self.cells.get_mut(number as usize) {
            Some(held) => *held = (campaign, cell),
            None => self.cells.push((campaign, cell)),
        }
        number
    }

    /// The campaign and the cell with this number.
    pub(crate) fn get(&self, number: u32) -> Option<(u64, Cell)> {
        self.cells.get(number as usize).copied()
    }
}

/// One campaign.
#[derive(Debug, Clone, Default)]
pub(crate) struct Account {
    /// Where its days begin: the zones of all budgets that it spends or has spent. Empty: UTC.
    zones: Vec<Zone>,
    /// When its orders change, in ms.
    cuts: BTreeSet<i64>,
    /// Billed on days that no shard covers any more, by the first local day of the question.
    past: BTreeMap<i64, Vec<(u64, Cur, Sum)>>,
    /// Billed on the days that shards cover, and the number of the cell.
    pub(crate) cells: BTreeMap<Cell, (Sum, u32)>,
}

/// What one budget counts of an account.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    /// When the campaign spends the budget.
    pub(crate) spans: &'a [Span],
    /// The zone and the currency of the budget.
    pub(crate) zone: &'a Zone,
    pub(crate) cur: Cur,
    pub(crate) terms: &'a Terms,
}

impl Account {
    /// Sets where stretches begin. Returns whether bills were counted for days of other zones, or when no budget was known,
    /// or without a cut before `late_ms`: then another pacer had the campaign.
    pub(crate) fn divide(&mut self, zones: Vec<Zone>, cuts: BTreeSet<i64>, late_ms: i64) -> bool {
        let is_moved = self.cells.keys().any(|(start, ..)| day_at(&zones, *start) != day_at(&self.zones, *start));
        let is_new = self.zones.is_empty() && !cuts.is_empty() && !self.cells.is_empty();
        let is_late = !self.cells.is_empty() && cuts.range(..late_ms).any(|cut| !self.cuts.contains(cut));
        (self.zones, self.cuts) = (zones, cuts);
        is_moved || is_new || is_late
    }

    /// When the stretch of a time begins, in ms.
    pub(crate) fn stretch(&self, ms: i64) -> i64 {
        let cut = self.cuts.range(..=ms).next_back().copied();
        cut.into_iter().fold(day_at(&self.zones, ms).start, i64::max)
    }

    /// The first time of `within`, and the times within it at which stretches begin, in ms.
    pub(crate) fn stretches(&self, within: Range<i64>) -> impl Iterator<Item = i64> {
        let midnights = std::iter::successors(Some(within.start), |ms| Some(day_at(&self.zones, *ms).end));
        self.cuts.range(within.clone()).copied().chain(midnights.take_while(move |ms| within.contains(ms)))
    }

    /// Adds bills of this campaign, takes what prices have fallen, and returns the new sum and the number of the cell.
    pub(crate) fn add(
        &mut self,
        campaign: u64,
        cell: Cell,
        (more, less): (&Sum, &Sum),
        numbers: &mut Numbers,
    ) -> (Sum, u32) {
        let new = || (Sum::default(), numbers.of(campaign, cell));
        let (sum, number) = self.cells.entry(cell).or_insert_with(new);
        sum.add(more);
        sum.take(less);
        (*sum, *number)
    }

    /// Removes bills of a cell. Without any, its number is free.
    pub(crate) fn take(&mut self, cell: &Cell, less: &Sum, numbers: &mut Numbers) {
        if let Some((sum, number)) = self.cells.get_mut(cell) {
            sum.take(less);
            if *sum == Sum::default() {
                numbers.free.push(*number);
                self.cells.remove(cell);
            }
        }
    }

    /// Forgets what [`Account::add_past`] added.
    pub(crate) fn forget_past(&mut self) {
        self.past.clear();
    }

    /// Adds what was billed from a local day on, before the days that shards cover.
    pub(crate) fn add_past(&mut self, since: i64, ssp: u64, cur: Cur, sum: Sum) {
        self.past.entry(since).or_default().push((ssp, cur, sum));
    }

    /// Whether [`Account::add_past`] was called for the days that a budget counts since a local day. Bills from
    /// `recent` on come from their shards.
    #[must_use]
    pub(crate) fn knows(&self, since: i64, recent: i64, view: &View<'_>) -> bool {
        days(view.spans, view.zone, since)
            .iter()
            .all(|days| days.start >= recent || self.past.contains_key(&days.start))
    }

    /// Spent on bids of one local day.
    #[must_use]
    pub(crate) fn on(&self, day: i64, view: &View<'_>) -> u64 {
        self.sum(view.zone.start(day)..view.zone.start(day + 1), view)
    }

    /// Spent on bids from a local day on. Totals of past days count only if [`Account::add_past`] was called for the days
    /// of the spans; if it was not called for the end of a span, all later days count.
    #[must_use]
    pub(crate) fn since(&self, day: i64, view: &View<'_>) -> u64 {
        let told = |day| {
            let past = self.past.get(&day).into_iter().flatten();
            past.map(|(ssp, cur, sum)| counted(*ssp, *cur, sum, view)).fold(0, u64::saturating_add)
        };
        let past = days(view.spans, view.zone, day).into_iter();
        let past = past.map(|days| told(days.start).saturating_sub(told(days.end)));
        past.fold(self.sum(view.zone.start(day)..i64::MAX, view), u64::saturating_add)
    }

    /// Whether it has spent on bids from a local day on in a currency that cannot be converted. `since`: the day for which
    /// past days count too, if any.
    #[must_use]
    pub(crate) fn lacks_rate(&self, from: i64, since: Option<i64>, view: &View<'_>) -> bool {
        let cells = self.cells(view.zone.start(from)..i64::MAX, view.spans).map(|((.., cur), _)| cur);
        let past = since.into_iter().flat_map(|since| days(view.spans, view.zone, since));
        let past = past.filter_map(|days| self.past.get(&days.start)).flatten().map(|(_, cur, _)| cur);
        cells.chain(past).any(|cur| !view.terms.converts(*cur, view.cur))
    }

    fn sum(&self, within: Range<i64>, view: &View<'_>) -> u64 {
        let cells = self.cells(within, view.spans).map(|((_, ssp, cur), sum)| counted(*ssp, *cur, sum, view));
        cells.fold(0, u64::saturating_add)
    }

    /// The cells of bids made within a time in ms and within some spans.
    fn cells<'a>(&'a self, within: Range<i64>, spans: &'a [Span]) -> impl Iterator<Item = (&'a Cell, &'a Sum)> {
        let first = |ms| (ms, 0, Cur::default());
        let is_counted = |((start, ..), _): &(&Cell, _)| spans.iter().any(|span| orders::counted(span).contains(start));
        let cells = self.cells.range(first(within.start)..first(within.end));
        cells.map(|(cell, (sum, _))| (cell, sum)).filter(is_counted)
    }
}

/// What budgets count for bills, in the currency of the budget. Refused bills count with the prices of their bids.
fn counted(ssp: u64, cur: Cur, sum: &Sum, View { terms, cur: own, .. }: &View<'_>) -> u64 {
    let booked = terms.weight(ssp, sum, terms.distrusts(ssp, sum));
    let held = u64::try_from(sum.held).unwrap_or_default();
    terms.convert(booked.saturating_add(held), cur, *own)
}

/// The time around `ms` in which no day of the zones begins.
fn day_at(zones: &[Zone], ms: i64) -> Range<i64> {
    let utc = Zone::default();
    let zones = if zones.is_empty() { std::slice::from_ref(&utc) } else { zones };
    let days = zones.iter().map(|zone| zone.start(zone.day(ms))..zone.start(zone.day(ms) + 1));
    days.fold(i64::MIN..i64::MAX, |all, day| all.start.max(day.start)..all.end.min(day.end))
}
