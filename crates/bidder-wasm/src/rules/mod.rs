//! The rules: each function checks one campaign, deal, creative or bid, and returns the first reason against it.
//!
//! Rules do not search, rank, price or write.

pub mod banner;
pub mod campaign;
pub mod creative;
pub mod dsa;
pub mod imp;
mod linear;
pub mod native;
pub mod pod;
pub mod skadn;

pub(crate) use linear::{duration_accepted, fills, has_room, playable};

pub(crate) use reasons::no_bid::{Checked, require};
