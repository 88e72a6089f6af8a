//! Campaigns: everything but their targets and their money.

pub(super) mod advertiser;
pub(super) mod campaign;
pub(super) mod deals;
pub(super) mod links;
pub(super) mod showing;
pub(super) mod skadn;
