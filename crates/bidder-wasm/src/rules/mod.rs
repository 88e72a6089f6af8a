//! Who may bid on what: each rule is one function that says yes or why not, and nothing else.
//!
//! The rules look at one campaign, deal or creative at a time. They do not rank, price or write.

pub mod banner;
pub mod campaign;
pub mod creative;
pub mod deal;
pub mod dsa;
pub mod imp;
mod linear;
pub mod native;
pub mod pod;

pub(crate) use linear::{has_room, playable};

pub(crate) use crate::no_bid::{Checked, require};
