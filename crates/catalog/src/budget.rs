//! The budgets of campaigns and orders, and which campaigns have one.

use super::Campaign;
use base::hash::hash_of;
use base::money::Currency;
use flat::flat;

flat! {
    /// The budget of a campaign, or of an order.
    pub struct Budget from BudgetDraft {
        /// The name of the budget in counts and shares: [`hash_of`] the campaign's `cid`, or the [`order_key`].
        pub key: u64,
        /// The position of the campaign in [`Parts::campaigns`](super::Parts); for an order, the number of all campaigns plus its
        /// position in [`Parts::orders`](super::Parts).
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
        /// The positions of its campaigns in [`Parts::campaigns`](super::Parts).
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
