//! Notices on their way, and the ledger that books them.

use pacing::pacer::Booked;

use crate::campaigns::{Row, Ssp};
use crate::random::Random;
use crate::scale::{HOUR_S, SHARDS, TWICE};
use crate::worlds::{Bills, Kind, Prices};

/// Seconds for which notices can be on their way.
const AHEAD_S: usize = 131_072;

/// The number of times over which the bills of one step are split.
const SPLIT: u64 = 2;

/// Bills of one row, for bids of one second.
#[derive(Clone, Copy)]
struct Bill {
    row: usize,
    issued_s: i64,
    count: u64,
    /// How many times the usual price.
    times: u64,
}

pub(crate) struct Ledger<'a> {
    from_s: i64,
    kind: Kind,
    rows: &'a [Row],
    /// By the second at which they are due.
    due: Vec<Vec<Bill>>,
    /// Empty lists for later seconds, so that a few pieces of memory serve all.
    spare: Vec<Vec<Bill>>,
    /// Bills by quarter of an hour of the bid, shard and row; dear bills count ten times.
    booked: Vec<u32>,
    /// The bills since the last pull, by shard.
    pulls: Vec<Vec<Booked>>,
    /// Notices that were booked before.
    pub(crate) refused: u64,
    pub(crate) bills: u64,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(rows: &'a [Row], from_s: i64, seconds: usize, kind: Kind) -> Ledger<'a> {
        let booked = vec![0; (seconds / 900 + 2) * SHARDS * rows.len()];
        let (due, pulls) = (vec![Vec::new(); AHEAD_S], vec![Vec::new(); SHARDS * 5]);
        Ledger { from_s, kind, rows, due, spare: Vec::new(), booked, pulls, refused: 0, bills: 0 }
    }

    /// Sends the notices of wins: most in the next minute, some an hour later.
    pub(crate) fn send(&mut self, row: usize, issued_s: i64, wins: u64, ssp: &Ssp, random: &mut Random) {
        let times = self.kind.times(issued_s);
        let late = if ssp.late > 0.0 && self.kind.bills == Bills::Prompt { random.binomial(wins, ssp.late) } else { 0 };
        let mut left = wins - late;
        let most = left.div_ceil(SPLIT).max(1);
        while left > 0 {
            let count = most.min(left);
            left -= count;
            let delay = 1 + (59.0 * random.unit().powf(ssp.haste)) as i64;
            let due_s = match self.kind.bills {
                Bills::Batches(batches) if random.unit() < batches.part => {
                    batches.next(issued_s) + delay * batches.within_s / 60
                }
                Bills::Prompt | Bills::Batches(_) => issued_s + delay,
                Bills::Late(late_s) => issued_s + late_s + delay,
                Bills::First => issued_s + 1,
            };
            self.put(due_s, Bill { row, issued_s, count, times });
        }
        if late > 0 {
            self.put(issued_s + HOUR_S + random.below(120) as i64, Bill { row, issued_s, count: late, times });
        }
    }

    /// Books the notices that are due. In an outage, senders try again after its end.
    pub(crate) fn book(
        &mut self,
        now_s: i64,
        outage_end: Option<i64>,
        random: &mut Random,
        mut each: impl FnMut(&Row, i64, u64),
    ) {
        let slot = now_s.rem_euclid(AHEAD_S as i64) as usize;
        let due = std::mem::take(&mut self.due[slot]);
        for bill in &due {
            if let Some(end) = outage_end {
                self.put(end + random.below(120) as i64, *bill);
                continue;
            }
            let Bill { row: at, issued_s, count, times } = *bill;
            let row = &self.rows[at];
            let shard = (issued_s % SHARDS as i64) as usize;
            let since_s = usize::try_from(issued_s - self.from_s).unwrap_or_default();
            self.booked[(since_s / 900 * SHARDS + shard) * self.rows.len() + at] += (count * times) as u32;
            self.bills += count;
            self.refused += random.binomial(count, TWICE);
            self.pulls[since_s / 86_400 * SHARDS + shard].push(self.kind.booked(row, issued_s, count, times));
            each(row, issued_s, count * times * row.bill);
        }
        let mut empty = due;
        empty.clear();
        self.spare.push(empty);
    }

    /// The new bills of each shard that exists by now; `None` for a shard that does not answer.
    pub(crate) fn pull(&mut self, now_s: i64, mut each: impl FnMut(&str, Option<&[Booked]>)) {
        for (at, bills) in self.pulls.iter_mut().enumerate() {
            let day = (at / SHARDS) as i64;
            if self.from_s + day * 86_400 > now_s {
                continue;
            }
            let is_hidden = self.kind.hides(at % SHARDS, now_s);
            each(&shard_name(self.from_s, at), (!is_hidden).then_some(bills));
            if !is_hidden {
                bills.clear();
            }
        }
    }

    /// All bills of each shard, by quarter of an hour.
    pub(crate) fn all(&mut self, now_s: i64, mut each: impl FnMut(&str, Vec<Booked>)) {
        for bills in &mut self.pulls {
            bills.clear();
        }
        for at in 0..self.pulls.len() {
            let day = (at / SHARDS) as i64;
            if self.from_s + day * 86_400 > now_s || self.kind.hides(at % SHARDS, now_s) {
                continue;
            }
            let mut rows = Vec::new();
            let quarters = self.booked.len() / self.rows.len() / SHARDS;
            for quarter in (day as usize * 96..(day as usize + 1) * 96).filter(|quarter| *quarter < quarters) {
                let begin = (quarter * SHARDS + at % SHARDS) * self.rows.len();
                let booked = self.rows.iter().zip(&self.booked[begin..]).filter(|(_, count)| **count > 0);
                let issued_s = self.from_s + quarter as i64 * 900;
                rows.extend(booked.map(|(row, count)| self.kind.booked(row, issued_s, u64::from(*count), 1)));
            }
            each(&shard_name(self.from_s, at), rows);
        }
    }

    fn put(&mut self, due_s: i64, bill: Bill) {
        let due = &mut self.due[due_s.rem_euclid(AHEAD_S as i64) as usize];
        if due.capacity() == 0 {
            *due = self.spare.pop().unwrap_or_default();
        }
        due.push(bill);
    }
}

impl Kind {
    /// The ledger's row for bills, each with `times` the usual price.
    fn booked(&self, row: &Row, issued_s: i64, count: u64, times: u64) -> Booked {
        let (bid, bill) = (count * times * row.bid, count * times * row.bill);
        let (campaign, ssp) = (1 + row.campaign as u64, row.ssp as u64);
        let booked = Booked { campaign, ssp, issued_s, count, nanos: bill, bid, ..Booked::default() };
        match self.prices {
            Prices::Right => booked,
            Prices::Refused => Booked { count: 0, nanos: 0, bid: 0, held: bid.cast_signed(), ..booked },
            Prices::PerImpression => Booked { nanos: bill / 1000, ..booked },
        }
    }
}

/// Shards are of UTC days. `from_s` is a midnight in UTC.
fn shard_name(from_s: i64, at: usize) -> String {
    let day = from_s / 86_400 + (at / SHARDS) as i64 - 20_727;
    // The days of October 2026; 20,727 is the first one.
    format!("2026-10-{:02}/{}", day + 1, at % SHARDS)
}
