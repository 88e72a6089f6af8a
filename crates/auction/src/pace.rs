//! Pacing: on which requests a campaign with a budget may bid.
//!
//! The pacer, which is not in this crate, gives each budget a share of requests. Each decision has a random number, the
//! lot. The lot and the key of the budget decide whether the request belongs to the share. So a request is in the share of
//! all campaigns of an order, or of none. No SSP knows a lot, so an SSP cannot choose requests that are in the share.
//! Campaigns without a budget are not paced.
//!
//! The pacer learns of requests only after some seconds. So shares also say how much one isolate may bid on a budget until
//! it gets newer ones, whatever arrives: `most`. What it bids is a debt, of which newer shares take off their `most`. With a
//! debt, a bid must leave it within `most`; without one, it may cost more, because a small budget has less for each of
//! thousands of isolates than a bid costs.

use std::cell::Cell;

use pacing::shares::{Shares, WHOLE, aged};

use base::hash::drawn;
use base::money::{Currency, Micros, Rates, Rounding};
use catalog::{Campaign, Catalog};
use notices::ONE;
use openrtb::request::{Deal, Imp};
use reasons::no_bid::{Checked, NoBidReason, require};

/// The shares of a catalog's budgets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pacing {
    /// When the pacer made the shares, in milliseconds since the epoch.
    pub made_ms: i64,
    /// By the number of the budget. Sorted by key.
    budgets: Vec<Paced>,
}

/// The share of a budget.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Paced {
    key: u64,
    share: u32,
    /// In nanos of the budget's currency, as `debt`; `u64::MAX`: no bound.
    most: u64,
    debt: Cell<u64>,
}

impl Pacing {
    /// The shares of the budgets of this catalog, from a text of [`Shares`]; `None` if the text does not begin with a
    /// time. Shares of other budgets are ignored. A budget without a share has a share of 0: the pacer does not know
    /// it yet.
    pub fn read(text: &str, catalog: &Catalog<'_>) -> Option<Pacing> {
        let (made_ms, rows) = Shares::parts(text)?;
        let unknown = |key| Paced { key, share: 0, most: u64::MAX, debt: Cell::default() };
        let budgets = catalog.parts().budgets().iter().map(|budget| unknown(budget.key())).collect();
        let mut pacing = Pacing { made_ms, budgets };
        for (key, share, most) in rows {
            // The budgets of a catalog are sorted by key.
            if let Ok(at) = pacing.place_of(key)
                && let Some(own) = pacing.budgets.get_mut(at)
            {
                (own.share, own.most) = (share, most.unwrap_or(u64::MAX));
            }
        }
        Some(pacing)
    }

    /// These shares after older ones of the same catalog.
    #[must_use]
    pub fn after(self, older: Option<&Pacing>) -> Pacing {
        for (paced, older) in self.budgets.iter().zip(older.map_or(&[][..], |older| &older.budgets)) {
            paced.debt.set(older.debt.get().saturating_sub(paced.most));
        }
        self
    }

    /// Counts a bid on a budget.
    pub(crate) fn bid(&self, budget: u32, nanos: u64) {
        if let Some(Paced { debt, .. }) = self.budgets.get(budget as usize) {
            debt.set(debt.get().saturating_add(nanos));
        }
    }

    fn place_of(&self, key: u64) -> Result<usize, usize> {
        self.budgets.binary_search_by_key(&key, |paced| paced.key)
    }

    /// The share of the budget with this key when the pacer made it: a part of [`WHOLE`].
    pub fn share_of(&self, key: u64) -> u32 {
        self.place_of(key).ok().and_then(|at| self.budgets.get(at)).map_or(0, |paced| paced.share)
    }
}

/// What a bid on an impression counts in the campaign's budget, in nanos of its currency.
pub(crate) fn nanos_of(bid: Micros, cur: Currency, imp: &Imp<'_>, campaign: &Campaign<'_>, rates: &Rates) -> u64 {
    // The micros of a thousand impressions are the nanos of one.
    let nanos = rates.convert(bid, cur, campaign.cur(), Rounding::Up).map_or(0, |nanos| nanos.0.unsigned_abs());
    nanos.saturating_mul(u64::from(imp.thousandths())).div_ceil(u64::from(ONE))
}

/// Which budgets a decision may spend.
#[derive(Debug)]
pub struct Throttle<'c> {
    pacing: Option<&'c Pacing>,
    now_ms: i64,
    lot: u32,
}

impl<'c> Throttle<'c> {
    /// The shares in a decision with this lot. Without shares, all campaigns with a budget are held back.
    pub fn new(lot: u32, pacing: Option<&'c Pacing>, now_ms: i64) -> Throttle<'c> {
        Throttle { pacing, now_ms, lot }
    }

    /// Whether the request is in the share of this budget, and a bid that costs these nanos does not pass its bound. The
    /// first answer is always the same for a lot, a budget and its share. The answers for different budgets are independent.
    pub fn let_through(&self, budget: u32, nanos: impl Fn() -> u64) -> bool {
        let Some(Pacing { made_ms, budgets }) = self.pacing else { return false };
        let Some(Paced { key, share, most, debt }) = budgets.get(budget as usize) else { return false };
        let is_in_share = match aged(*share, self.now_ms.saturating_sub(*made_ms)) {
            0 => false,
            WHOLE => true,
            share => drawn(self.lot, *key) < share,
        };
        is_in_share && (debt.get() == 0 || *most == u64::MAX || debt.get().saturating_add(nanos()) <= *most)
    }
}

/// Whether pacing lets a campaign with this budget bid these nanos on the request.
pub fn check(
    deal: Option<&Deal<'_>>,
    campaign: &Campaign<'_>,
    budget: u32,
    throttle: &Throttle<'_>,
    nanos: impl Fn() -> u64,
) -> Checked {
    require(is_unpaced(deal, campaign) || throttle.let_through(budget, nanos), NoBidReason::Pacing)
}

/// Whether the catalog calls the deal guaranteed, and the request too: then pacing does not hold the campaign back. An SSP
/// alone cannot say so, because it would spend the budget as fast as it likes.
pub fn is_unpaced(deal: Option<&Deal<'_>>, campaign: &Campaign<'_>) -> bool {
    let is_agreed = |deal: &Deal<'_>| {
        campaign.prices().is_some_and(|prices| prices.guaranteed().iter().any(|id| id == deal.id.value))
    };
    deal.filter(|deal| deal.guar).is_some_and(is_agreed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::hash::hash_of;
    use proptest::prelude::*;

    /// For each of many decisions, whether a campaign of this id, share and age may bid.
    fn through(cid: &str, share: u32, age_ms: i64) -> Vec<bool> {
        let pacing = Pacing { made_ms: 1_000_000, budgets: vec![paced(hash_of(cid), share)] };
        let lots = (0..10_000).map(|lot: u32| lot.wrapping_mul(429_497));
        lots.map(|lot| Throttle::new(lot, Some(&pacing), 1_000_000 + age_ms).let_through(0, || 1)).collect()
    }

    fn paced(key: u64, share: u32) -> Paced {
        Paced { key, share, most: u64::MAX, debt: Cell::default() }
    }

    fn count(through: &[bool]) -> usize {
        through.iter().filter(|through| **through).count()
    }

    #[test]
    fn shares_have_the_right_size_and_are_independent() {
        let (a, b) = (through("a", WHOLE / 2, 0), through("b", WHOLE / 2, 0));
        assert!((4_800..5_200).contains(&count(&a)), "{}", count(&a));
        let both = a.iter().zip(&b).filter(|(a, b)| **a && **b).count();
        assert!((2_350..2_650).contains(&both), "{both}");
        assert_eq!((count(&through("a", WHOLE, 0)), count(&through("a", 0, 0))), (10_000, 0));
        let few = count(&through("a", WHOLE / 1000, 0));
        assert!((2..25).contains(&few), "{few}");
    }

    #[test]
    fn a_smaller_share_is_a_part_of_a_larger_one() {
        let (small, large) = (through("a", WHOLE / 4, 0), through("a", WHOLE / 2, 0));
        assert!(small.iter().zip(&large).all(|(small, large)| *large || !small));
    }

    #[test]
    fn old_shares_are_halved_and_then_nothing() {
        assert_eq!(through("a", WHOLE, 60_000), through("a", WHOLE / 2, 59_999));
        assert_eq!(count(&through("a", WHOLE, 120_000)), 0);
    }

    #[test]
    fn without_a_share_nothing_passes() {
        assert!(!Throttle::new(1, None, 0).let_through(0, || 1));
        let pacing = Pacing { made_ms: 0, budgets: vec![paced(1, WHOLE)] };
        let lots = Throttle::new(1, Some(&pacing), 0);
        assert!(lots.let_through(0, || 1) && !lots.let_through(1, || 1));
    }

    proptest! {
        /// The twin keeps all shares and bids, and adds them up anew for each bid.
        #[test]
        fn an_isolate_bids_at_most_what_its_shares_allow(
            shares in proptest::collection::vec((0..9_u64, proptest::collection::vec(1..5_u64, 0..9)), 1..9),
        ) {
            let mut pacing: Option<Pacing> = None;
            let mut past: Vec<(u64, Vec<u64>)> = vec![];
            for (most, wanted) in shares {
                let newer = Pacing { made_ms: 0, budgets: vec![Paced { most, ..paced(1, WHOLE) }] };
                let newer = pacing.insert(newer.after(pacing.clone().as_ref()));
                past.push((most, vec![]));
                for nanos in wanted {
                    let debt = past.iter().fold(0_u64, |debt, (most, bids)| debt.saturating_sub(*most) + bids.iter().sum::<u64>());
                    let may = debt == 0 || debt + nanos <= most;
                    prop_assert_eq!(Throttle::new(1, Some(newer), 0).let_through(0, || nanos), may);
                    if may {
                        newer.bid(0, nanos);
                        past.last_mut().unwrap().1.push(nanos);
                    }
                }
                // Besides one bid, which no bound forbids.
                let (allowed, bids) = past.iter().fold((0, 0), |(allowed, all), (most, bids)| (allowed + most, all + bids.iter().sum::<u64>()));
                prop_assert!(bids <= allowed + 4);
            }
        }
    }
}
