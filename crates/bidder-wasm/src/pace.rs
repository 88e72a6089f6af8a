//! Pacing: on which requests a campaign with a budget may bid.
//!
//! The pacer, which is not in this crate, gives each budget a share of requests. Each decision has a random number, the
//! lot. The lot and the key of the budget decide whether the request belongs to the share. So a request is in the share of
//! all campaigns of an order, or of none. No SSP knows a lot, so an SSP cannot choose requests that are in the share.
//! Campaigns without a budget are not paced.

use pacing::shares::{Shares, WHOLE, aged};

use crate::catalog::Catalog;
use crate::hash::drawn;

/// The shares of a catalog's budgets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pacing {
    /// When the pacer made the shares, in milliseconds since the epoch.
    pub made_ms: i64,
    /// The key of the budget and its share, by the number of the budget. Sorted by key.
    shares: Vec<(u64, u32)>,
}

impl Pacing {
    /// The shares of the budgets of this catalog, from a text of [`Shares`]; `None` if the text does not begin with a
    /// time. Shares of other budgets are ignored. A budget without a share has a share of 0: the pacer does not know
    /// it yet.
    pub fn read(text: &str, catalog: &Catalog<'_>) -> Option<Pacing> {
        let (made_ms, rows) = Shares::parts(text)?;
        let shares = catalog.parts().budgets().iter().map(|budget| (budget.key(), 0)).collect();
        let mut pacing = Pacing { made_ms, shares };
        for (key, share) in rows {
            // The budgets of a catalog are sorted by key.
            if let Ok(at) = pacing.place_of(key)
                && let Some((_, own)) = pacing.shares.get_mut(at)
            {
                *own = share;
            }
        }
        Some(pacing)
    }

    fn place_of(&self, key: u64) -> Result<usize, usize> {
        self.shares.binary_search_by_key(&key, |(key, _)| *key)
    }

    /// The share of the budget with this key when the pacer made it: a part of [`WHOLE`].
    pub fn share_of(&self, key: u64) -> u32 {
        self.place_of(key).ok().and_then(|at| self.shares.get(at)).map_or(0, |(_, share)| *share)
    }
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

    /// Whether the request is in the share of this budget. The answer is always the same for a lot, a budget and its
    /// share. The answers for different budgets are independent.
    pub fn let_through(&self, budget: u32) -> bool {
        let Some(Pacing { made_ms, shares }) = self.pacing else { return false };
        let Some((key, share)) = shares.get(budget as usize) else { return false };
        match aged(*share, self.now_ms.saturating_sub(*made_ms)) {
            0 => false,
            WHOLE => true,
            share => drawn(self.lot, *key) < share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notices::hash_of;

    /// For each of many decisions, whether a campaign of this id, share and age may bid.
    fn through(cid: &str, share: u32, age_ms: i64) -> Vec<bool> {
        let pacing = Pacing { made_ms: 1_000_000, shares: vec![(hash_of(cid), share)] };
        let lots = (0..10_000).map(|lot: u32| lot.wrapping_mul(429_497));
        lots.map(|lot| Throttle::new(lot, Some(&pacing), 1_000_000 + age_ms).let_through(0)).collect()
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
        assert!(!Throttle::new(1, None, 0).let_through(0));
        let pacing = Pacing { made_ms: 0, shares: vec![(1, WHOLE)] };
        let lots = Throttle::new(1, Some(&pacing), 0);
        assert!(lots.let_through(0) && !lots.let_through(1));
    }
}
