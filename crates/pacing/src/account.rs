//! What one campaign has spent, also while it has no budget. Money in nanos.

use std::collections::BTreeMap;

use crate::day::Zone;
use crate::terms::{Cur, Sum, Terms};

/// The bills in a sum: the local day of their bids, the SSP, the currency.
pub(crate) type Cell = (i64, u64, Cur);

/// Short names of the cells of campaigns: each place has a sum for thousands of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Numbers {
    names: BTreeMap<(u64, Cell), u32>,
    cells: Vec<(u64, Cell)>,
    free: Vec<u32>,
}

impl Numbers {
    /// The number of a campaign's cell.
    pub(crate) fn of(&mut self, campaign: u64, cell: Cell) -> u32 {
        let Numbers { names, cells, free } = self;
        *names.entry((campaign, cell)).or_insert_with(|| {
            let number = free.pop().unwrap_or(u32::try_from(cells.len()).unwrap_or(u32::MAX));
            match cells.get_mut(number as usize) {
                Some(held) => *held = (campaign, cell),
                None => cells.push((campaign, cell)),
            }
            number
        })
    }

    /// The campaign and the cell with this number.
    pub(crate) fn get(&self, number: u32) -> Option<(u64, Cell)> {
        self.cells.get(number as usize).copied()
    }

    /// Gives a number free, because the account has no such cell any more.
    fn forget(&mut self, number: u32) {
        self.free.extend(self.get(number).and_then(|key| self.names.remove(&key)));
    }
}

/// One campaign.
#[derive(Debug, Clone, Default)]
pub(crate) struct Account {
    /// Where its days begin.
    zone: Zone,
    /// The currency of its budget.
    pub(crate) cur: Cur,
    /// Billed on days that no place covers any more, by the first local day of the question.
    past: BTreeMap<i64, Vec<(u64, Cur, Sum)>>,
    /// Billed on the days that places cover.
    pub(crate) cells: BTreeMap<Cell, Sum>,
}

impl Account {
    /// Sets the zone. Returns whether bills were counted for days of another zone.
    pub(crate) fn set_zone(&mut self, zone: &Zone) -> bool {
        let differs = |day: &i64| (0..2).any(|next| zone.start(*day + next) != self.zone.start(*day + next));
        let is_moved = self.cells.keys().any(|(day, ..)| differs(day));
        self.zone = zone.clone();
        is_moved
    }

    /// The local day of a time in ms.
    pub(crate) fn day(&self, ms: i64) -> i64 {
        self.zone.day(ms)
    }

    /// When a local day begins, in ms.
    pub(crate) fn start(&self, day: i64) -> i64 {
        self.zone.start(day)
    }

    /// Adds bills, and returns their new sum.
    pub(crate) fn add(&mut self, cell: Cell, more: &Sum) -> Sum {
        let sum = self.cells.entry(cell).or_default();
        sum.add(more);
        *sum
    }

    /// Removes bills of the cell with this number.
    pub(crate) fn take(&mut self, cell: &Cell, less: &Sum, number: u32, numbers: &mut Numbers) {
        if let Some(sum) = self.cells.get_mut(cell) {
            sum.take(less);
            if *sum == Sum::default() {
                self.cells.remove(cell);
                numbers.forget(number);
            }
        }
    }

    /// Forgets what [`Account::add_past`] added.
    pub(crate) fn forget_past(&mut self) {
        self.past.clear();
    }

    /// Adds what was billed from a local day on, before the days that places cover.
    pub(crate) fn add_past(&mut self, since: i64, ssp: u64, cur: Cur, sum: Sum) {
        self.past.entry(since).or_default().push((ssp, cur, sum));
    }

    /// Whether [`Account::add_past`] was called for this local day.
    #[must_use]
    pub(crate) fn knows(&self, since: i64) -> bool {
        self.past.contains_key(&since)
    }

    /// Spent on bids of one local day.
    #[must_use]
    pub(crate) fn on(&self, day: i64, terms: &Terms) -> u64 {
        self.sum(day, day + 1, terms)
    }

    /// Spent on bids from a local day on. Totals of past days count only if [`Account::add_past`] was called for this
    /// day.
    #[must_use]
    pub(crate) fn since(&self, day: i64, terms: &Terms) -> u64 {
        let past = self.past.get(&day).into_iter().flatten();
        let past = past.map(|(ssp, cur, sum)| self.counted(*ssp, *cur, sum, terms));
        past.fold(self.sum(day, i64::MAX, terms), u64::saturating_add)
    }

    /// Whether it has spent on bids from a local day on in a currency that cannot be converted. `since`: the day for which
    /// past days count too, if any.
    #[must_use]
    pub(crate) fn lacks_rate(&self, from: i64, since: Option<i64>, terms: &Terms) -> bool {
        let cells = self.cells.keys().filter(|(day, ..)| *day >= from).map(|(.., cur)| cur);
        let past = since.and_then(|since| self.past.get(&since)).into_iter().flatten().map(|(_, cur, _)| cur);
        cells.chain(past).any(|cur| !terms.converts(*cur, self.cur))
    }

    fn sum(&self, from: i64, until: i64, terms: &Terms) -> u64 {
        let first = |day| (day, 0, Cur::default());
        let cells = self.cells.range(first(from)..first(until));
        cells.map(|((_, ssp, cur), sum)| self.counted(*ssp, *cur, sum, terms)).fold(0, u64::saturating_add)
    }

    /// What budgets count for bills, in the currency of the budget. Refused bills count with the prices of their bids.
    fn counted(&self, ssp: u64, cur: Cur, sum: &Sum, terms: &Terms) -> u64 {
        let booked = terms.weight(ssp, sum, terms.distrusts(ssp, sum));
        let held = u64::try_from(sum.held).unwrap_or_default();
        terms.convert(booked.saturating_add(held), cur, self.cur)
    }
}
