//! The bound of shares on what each isolate of a class bids, whatever arrives: as `crates/auction/src/pace.rs`.

use pacing::shares::Shares;

use crate::random::Random;
use crate::scale::CLASSES;

/// The isolates of a class, which share its requests evenly.
pub(crate) const ISOLATES: usize = 6_000 / CLASSES;

/// The debts of a class's isolates for one budget, as sums of what was bid; what is paid takes off all of them at once.
#[derive(Clone, Default)]
struct Account {
    /// None if no debt is known to bind.
    debts: Vec<u64>,
    paid: u64,
    highest: u64,
}

impl Account {
    fn pay(&mut self, most: u64) {
        self.paid = self.paid.saturating_add(most);
        if self.highest <= self.paid {
            *self = Account { debts: std::mem::take(&mut self.debts), ..Account::default() };
            self.debts.clear();
        }
    }

    /// How many of `wanted` bids an isolate makes.
    fn bid(&mut self, isolate: usize, wanted: u64, price: u64, most: u64) -> u64 {
        let sum = &mut self.debts[isolate];
        let debt = sum.saturating_sub(self.paid);
        let first = u64::from(debt == 0 && wanted > 0);
        let made = first + (most.saturating_sub(debt + first * price) / price).min(wanted - first);
        *sum = self.paid + debt + made * price;
        self.highest = self.highest.max(*sum);
        made
    }
}

/// The accounts of a class, by budget.
#[derive(Clone)]
pub(crate) struct Debts(Vec<Account>);

impl Debts {
    pub(crate) fn new(budgets: usize) -> Debts {
        Debts(vec![Account::default(); budgets])
    }

    /// Newer shares take off what they allow.
    pub(crate) fn pay(&mut self, newer: &Shares) {
        let indebted = self.0.iter_mut().zip(&newer.rows).filter(|(account, _)| !account.debts.is_empty());
        for (account, (key, _)) in indebted {
            account.pay(newer.most.get(key).copied().unwrap_or(u64::MAX));
        }
    }

    /// How many of these bids, each of `price` nanos and in any isolate, an isolate makes if it may bid `most`.
    pub(crate) fn let_through(&mut self, budget: usize, most: u64, price: u64, bids: u64, random: &mut Random) -> u64 {
        let account = &mut self.0[budget];
        let each = bids as f64 / ISOLATES as f64;
        // Far from the bound, also with the bids at other SSPs.
        if account.debts.is_empty() && (each + 8.0 * each.sqrt() + 8.0) * 4.0 * (price as f64) < most as f64 {
            return bids;
        }
        account.debts.resize(ISOLATES, 0);
        if bids < 4 * ISOLATES as u64 {
            return (0..bids).map(|_| account.bid(random.below(ISOLATES as u64) as usize, 1, price, most)).sum();
        }
        (0..ISOLATES).map(|isolate| account.bid(isolate, random.poisson(each), price, most)).sum()
    }
}
