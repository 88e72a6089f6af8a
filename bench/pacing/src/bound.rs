//! The bound of shares on what each isolate of a class bids, whatever arrives: as `crates/bidder-wasm/src/pace.rs`.

use pacing::shares::Shares;

use crate::random::Random;
use crate::scale::CLASSES;

/// The isolates of a class, which share its requests evenly.
pub(crate) const ISOLATES: usize = 6_000 / CLASSES;

/// The debts of a class's isolates, by campaign; no debts if none is known to bind.
#[derive(Clone)]
pub(crate) struct Debts(Vec<Vec<u64>>);

impl Debts {
    pub(crate) fn new(campaigns: usize) -> Debts {
        Debts(vec![Vec::new(); campaigns])
    }

    /// Newer shares take off what they allow.
    pub(crate) fn pay(&mut self, newer: &Shares) {
        for (debts, (key, _)) in self.0.iter_mut().zip(&newer.rows).filter(|(debts, _)| !debts.is_empty()) {
            let most = newer.most.get(key).copied().unwrap_or(u64::MAX);
            for debt in debts.iter_mut() {
                *debt = debt.saturating_sub(most);
            }
            if debts.iter().all(|debt| *debt == 0) {
                debts.clear();
            }
        }
    }

    /// How many of these bids, each of `price` nanos and in any isolate, an isolate makes if it may bid `most`.
    pub(crate) fn let_through(
        &mut self,
        campaign: usize,
        most: u64,
        price: u64,
        bids: u64,
        random: &mut Random,
    ) -> u64 {
        let debts = &mut self.0[campaign];
        let each = bids as f64 / ISOLATES as f64;
        // Far from the bound, also with the bids at other SSPs.
        if debts.is_empty() && (each + 8.0 * each.sqrt() + 8.0) * 4.0 * (price as f64) < most as f64 {
            return bids;
        }
        debts.resize(ISOLATES, 0);
        let bid = |debt: &mut u64, wanted: u64| {
            let first = u64::from(*debt == 0 && wanted > 0);
            let more = most.saturating_sub(*debt + first * price) / price;
            let made = first + more.min(wanted - first);
            *debt += made * price;
            made
        };
        if bids < 4 * ISOLATES as u64 {
            return (0..bids).map(|_| bid(&mut debts[random.below(ISOLATES as u64) as usize], 1)).sum();
        }
        debts.iter_mut().map(|debt| bid(debt, random.poisson(each))).sum()
    }
}
