//! The budgets of campaigns and orders, and which campaigns have one.

use super::{Campaign, Parts};
use crate::flat::flat;
use crate::hash::hash_of;
use crate::money::Currency;

flat! {
    /// The budget of a campaign, or of an order.
    pub struct Budget from BudgetDraft {
        /// The name of the budget in counts and shares: [`hash_of`] the campaign's `cid`, or the [`order_key`].
        pub key: u64,
        /// The position of the campaign in [`Parts::campaigns`]; for an order, the number of all campaigns plus its
        /// position in [`Parts::orders`].
        pub position: u32,
        /// Nanos of its currency for each day; 0: no limit.
        pub daily: u64,
        /// Nanos of its currency in all; 0: no limit.
        pub total: u64,
        /// Whether it is spent as fast as possible.
        pub is_asap: bool,
        /// The weights of the 24 hours of a day. Empty: the pacer learns them.
        pub curve: Vec<u32>,
        /// The offsets of its zone, as [`Hours::changes`](super::Hours). Empty: UTC.
        pub changes: Vec<(i64, i64)>,
    }
}

flat! {
    /// An order: a budget that campaigns share.
    pub struct Order from OrderDraft {
        /// Its id in the catalog.
        pub id: String,
        /// The currency of its budget and of all its campaigns.
        pub cur: Currency,
        /// The IANA name of its time zone; empty: UTC.
        pub zone: String,
        /// When at least one of its campaigns runs, as [`Bounds::flights`](super::Bounds). Empty: always.
        pub flights: Vec<(i64, i64)>,
        /// Whether all of its campaigns are paused.
        pub is_paused: bool,
        /// The positions of its campaigns in [`Parts::campaigns`].
        pub campaigns: Vec<u32>,
    }
}

/// The owner of a budget.
#[derive(Debug, Clone, Copy)]
pub enum Spender<'s> {
    /// A campaign alone.
    Campaign(Campaign<'s>),
    /// All campaigns of an order.
    Order(Order<'s>),
}

/// The key of an order's budget. It differs from the hash of a campaign with the same id.
pub fn order_key(id: &str) -> u64 {
    !hash_of(id)
}

impl<'s> Parts<'s> {
    /// The campaign or order of this budget. `None` if the bytes are damaged.
    pub fn spender(&self, budget: &Budget<'_>) -> Option<Spender<'s>> {
        let (position, campaigns) = (budget.position() as usize, self.campaigns());
        match position.checked_sub(campaigns.len()) {
            None => campaigns.get(position).map(Spender::Campaign),
            Some(order) => self.orders().get(order).map(Spender::Order),
        }
    }

    /// The key of the budget that a campaign with this id has or would have. It searches all orders.
    pub fn budget_key(&self, cid: &str) -> u64 {
        let is_member = |position: u32| self.campaigns().get(position as usize).is_some_and(|one| one.cid() == cid);
        let order = self.orders().iter().find(|order| order.campaigns().iter().any(is_member));
        order.map_or_else(|| hash_of(cid), |order| order_key(order.id()))
    }
}

/// The numbers of the budgets by campaign. The number of a budget is its position in [`Parts::budgets`]; campaigns of
/// an order have the same.
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
        let mut set = |position: u32, number: u32| {
            let position = position as usize;
            // The bytes may be damaged.
            if position < campaigns {
                numbers.resize(numbers.len().max(position + 1), NONE);
                if let Some(own) = numbers.get_mut(position) {
                    *own = number;
                }
            }
        };
        for (number, budget) in (0..).zip(parts.budgets().iter()) {
            match parts.spender(&budget) {
                Some(Spender::Campaign(_)) => set(budget.position(), number),
                Some(Spender::Order(order)) => order.campaigns().iter().for_each(|position| set(position, number)),
                None => {}
            }
        }
        Budgets { numbers }
    }

    /// The number of the budget of the campaign at this position; `None` if it has no budget.
    pub fn number(&self, position: usize) -> Option<u32> {
        self.numbers.get(position).copied().filter(|number| *number != NONE)
    }

    /// Whether no campaign has a budget.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}
