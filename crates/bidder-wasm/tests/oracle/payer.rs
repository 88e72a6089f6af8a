//! Which budget a campaign spends: its own, or that of its order.

use serde_json::Value;

use super::json::{has, list, text};

pub struct Payer<'p> {
    /// What shares and counts name the budget.
    pub key: u64,
    /// The campaigns that spend it.
    pub cids: Vec<&'p str>,
}

/// `None` if the campaign has no budget.
pub fn of<'p>(catalog: &'p Value, campaign: &'p Value) -> Option<Payer<'p>> {
    if has(campaign, "budget_of") {
        return Some(of_order(catalog, text(campaign, "budget_of")));
    }
    let cid = text(campaign, "cid");
    has(campaign, "budget").then(|| Payer { key: super::pace::hash(cid), cids: vec![cid] })
}

/// An order is named by the opposite of each bit of the hash of its id.
pub fn of_order<'p>(catalog: &'p Value, id: &str) -> Payer<'p> {
    let members = list(catalog, "campaigns").iter().filter(|campaign| text(campaign, "budget_of") == id);
    Payer { key: u64::MAX - super::pace::hash(id), cids: members.map(|campaign| text(campaign, "cid")).collect() }
}
