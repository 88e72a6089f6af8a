//! Where campaigns bid.

pub(super) mod addresses;
pub(super) mod contradiction;
pub(super) mod dimensions;
pub(super) mod doubts;
pub(super) mod hours;
pub mod iso;
pub(super) mod lists;
pub(super) mod supply;
pub(super) mod target;
pub(super) mod values;
