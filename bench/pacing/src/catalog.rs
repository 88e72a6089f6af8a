//! What a catalog says of budgets: before an operator's push at noon, and after it.

use pacing::budget::Budget;

use crate::campaigns::Campaign;
use crate::scale::MEMBERS;
use crate::worlds::{Kind, Push};

/// The first key of an order. No campaign has it.
const ORDERS: u64 = 1_000_000;

/// Budgets, and who spends them.
pub(crate) struct Catalog {
    /// By position: that of a budget does not depend on the push.
    pub(crate) budgets: Vec<Budget>,
    /// By campaign: the position of the budget that it spends, or spent before it left the catalog.
    pub(crate) payers: Vec<usize>,
    /// By campaign: whether the catalog has it.
    pub(crate) has: Vec<bool>,
}

impl Catalog {
    /// `is_pushed`: after the push.
    pub(crate) fn new(campaigns: &[Campaign], kind: &Kind, is_pushed: bool) -> Catalog {
        let payers: Vec<usize> = (0..campaigns.len()).map(|at| payer(at, campaigns.len(), kind, is_pushed)).collect();
        let is_here = |at: usize| match kind.push {
            Push::Leave => !(is_pushed && moves(at)),
            Push::Join => is_pushed || !moves(at),
            Push::Nothing | Push::Daily(_) | Push::Move => true,
        };
        let has: Vec<bool> = (0..campaigns.len()).map(is_here).collect();
        let budgets = if kind.push.has_orders() {
            let orders = campaigns.chunks(MEMBERS).enumerate();
            orders.map(|(order, own)| order_of(order, own, &payers, &has)).collect()
        } else {
            let factor = if let (Push::Daily(factor), true) = (kind.push, is_pushed) { factor } else { 1.0 };
            let daily = |budget: &Budget| (budget.daily as f64 * factor) as u64;
            campaigns.iter().map(|one| Budget { daily: daily(&one.budget), ..one.budget.clone() }).collect()
        };
        Catalog { budgets, payers, has }
    }
}

/// Whether this campaign leaves, joins or moves: half of each order.
fn moves(at: usize) -> bool {
    at % MEMBERS >= MEMBERS / 2
}

fn payer(at: usize, count: usize, kind: &Kind, is_pushed: bool) -> usize {
    if !kind.push.has_orders() {
        return at;
    }
    let (own, other) = (at / MEMBERS, (at / MEMBERS) ^ 1);
    if kind.push == Push::Move && is_pushed && moves(at) && other * MEMBERS < count { other } else { own }
}

/// An order with the sum of the budgets of the campaigns that it has before any push. `own`: these campaigns.
fn order_of(order: usize, own: &[Campaign], payers: &[usize], has: &[bool]) -> Budget {
    let members = payers.iter().zip(has).enumerate().filter(|(_, (payer, has))| **payer == order && **has);
    Budget {
        id: format!("o{order}"),
        key: ORDERS + order as u64,
        members: members.map(|(at, _)| (1 + at as u64, format!("c{at}"))).collect(),
        daily: own.iter().map(|campaign| campaign.budget.daily).sum(),
        curve: Vec::new(),
        ..own[0].budget.clone()
    }
}
