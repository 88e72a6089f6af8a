//! Prices, budgets and when they are spent.

pub(super) mod bids;
pub(super) mod budget;
pub(super) mod exclusive;
pub(super) mod flights;
pub(super) mod orders;
pub(super) mod prices;
pub(super) mod shading;
pub(super) mod unbilled;
mod worth;
