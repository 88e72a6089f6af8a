//! What campaigns may spend, and which campaigns have a budget.

use super::Parts;
use crate::flat::flat;

flat! {
    /// The budget of a campaign.
    pub struct Budget from BudgetDraft {
        /// [`hash_of`](crate::notices::hash_of) the campaign's `cid`.
        pub campaign: u64,
        /// The position of the campaign in [`Parts::campaigns`].
        pub position: u32,
        /// Nanos of the campaign's currency for each day; 0: no limit.
        pub daily: u64,
        /// Nanos of the campaign's currency in all; 0: no limit.
        pub total: u64,
        /// Whether the campaign spends as fast as it can.
        pub is_asap: bool,
        /// The weights of the 24 hours of a day. Empty: the pacer learns them.
        pub curve: Vec<u32>,
        /// The offsets of the campaign's zone, as [`Hours::changes`](super::Hours). Empty: UTC.
        pub changes: Vec<(i64, i64)>,
    }
}

/// The numbers of the budgets by campaign. The number of a budget is its position in [`Parts::budgets`].
#[derive(Debug, Clone, Default)]
pub struct Budgets {
    /// By the position of the campaign.
    numbers: Vec<u32>,
}

/// Stands for a campaign without a budget.
const NONE: u32 = u32::MAX;

impl Budgets {
    pub(super) fn of(parts: Parts<'_>) -> Budgets {
        let campaigns = parts.campaigns().len();
        let mut numbers = Vec::new();
        for (number, budget) in (0..).zip(parts.budgets().iter()) {
            let position = budget.position() as usize;
            // The bytes may be damaged.
            if position >= campaigns {
                continue;
            }
            numbers.resize(numbers.len().max(position + 1), NONE);
            if let Some(own) = numbers.get_mut(position) {
                *own = number;
            }
        }
        Budgets { numbers }
    }

    /// The number of the budget of the campaign at this position; `None` if it has no budget.
    #[inline]
    #[must_use]
    pub fn number(&self, position: usize) -> Option<u32> {
        self.numbers.get(position).copied().filter(|number| *number != NONE)
    }

    /// Whether no campaign has a budget.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}
