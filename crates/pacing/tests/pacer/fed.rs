//! A pacer that is fed with bids and bills at a steady rate from noon on, whatever its shares.

use std::collections::VecDeque;

use pacing::budget::Budget;
use pacing::counts::{Count, Counts};
use pacing::law::Allocation;
use pacing::pacer::{Booked, Pacer};
use pacing::shares::Shares;
use pacing::terms::Terms;

use crate::{CAMPAIGN, DAY_S, MIDNIGHT_S, PLACE, PRICE, SSP, allocation, bill, saved};

/// Requests, and those that get a bid, in a tick of five seconds.
const REQUESTS: u64 = 10_000;
const BIDS: u64 = 2_000;

/// Each tenth bid is billed, 20 s later or in a batch.
pub(crate) struct Fed {
    pub(crate) pacer: Pacer,
    pub(crate) now_s: i64,
    /// Whether there are requests and bids.
    pub(crate) is_busy: bool,
    /// Bills of past ticks that have not come yet.
    due: VecDeque<Booked>,
    /// Bills that the ledger has, and whether it answers.
    pub(crate) bills: Vec<Booked>,
    pub(crate) is_answering: bool,
    booked: usize,
    /// Nanos of a bid and a bill, and how many bids there are for each bill.
    pub(crate) price: u64,
    pub(crate) bids_per_bill: u64,
    /// Seconds between batches of bills; 0: no batches.
    pub(crate) batch_s: i64,
}

impl Fed {
    pub(crate) fn new(budget: Budget) -> Fed {
        let mut pacer = Pacer::default();
        pacer.plan(vec![budget], Terms::default(), 0);
        let (due, bills, now_s) = (VecDeque::new(), Vec::new(), MIDNIGHT_S + DAY_S / 2);
        let (is_busy, is_answering, price) = (true, true, PRICE);
        Fed { pacer, now_s, is_busy, due, bills, is_answering, booked: 0, price, bids_per_bill: 10, batch_s: 0 }
    }

    pub(crate) fn spent(&self) -> u64 {
        self.bills.iter().map(|bill| bill.nanos).sum()
    }

    pub(crate) fn tick(&mut self) -> Shares {
        self.now_s += 5;
        if self.is_busy {
            let (since_ms, made_ms) = ((self.now_s - 5) * 1000, (self.now_s - 15) * 1000);
            let mut counts = Counts { since_ms, made_ms, ..Counts::default() };
            let count = Count { matched: REQUESTS, bids: BIDS, guaranteed: 0, nanos: BIDS * self.price };
            counts.add((CAMPAIGN, SSP), count);
            self.pacer.report(&counts);
            let count = BIDS / self.bids_per_bill;
            self.due.push_back(Booked { count, ..bill(CAMPAIGN, self.now_s - MIDNIGHT_S, count * self.price) });
        }
        let batch_s = self.now_s - self.now_s.checked_rem(self.batch_s).unwrap_or_default();
        while let Some(bill) = self.due.pop_front_if(|bill| bill.issued_s + 20 <= batch_s) {
            self.bills.push(bill);
        }
        if self.is_answering {
            self.pacer.booked(PLACE, false, self.bills.iter().skip(self.booked).copied());
            self.booked = self.bills.len();
        }
        self.pacer.tick(self.now_s * 1000)
    }

    pub(crate) fn run(&mut self, seconds: i64) {
        (0..seconds / 5).for_each(|_| drop(self.tick()));
    }

    pub(crate) fn allocation(&self) -> Allocation {
        allocation(&self.pacer, self.now_s * 1000)
    }

    /// The pacer after a restart: from its saved state, the budget, and the bills of the ledger.
    pub(crate) fn restarted(&self, budget: Budget) -> Pacer {
        let mut again = Pacer::restore(&saved(&self.pacer));
        again.plan(vec![budget], Terms::default(), 0);
        again.booked(PLACE, true, self.bills.iter().copied());
        again
    }
}
