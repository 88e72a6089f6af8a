//! The rules: each function checks one campaign, deal or creative, and returns the first reason against it.
//!
//! Rules do not search, rank, price or write. What they know of a request is in [`targeting::Facts`]; what they cost, in
//! [`work`].

pub mod banner;
pub mod campaign;
pub mod creative;
pub mod dsa;
pub mod frequency;
pub mod imp;
mod linear;
pub mod native;
pub mod skadn;
pub mod targeting;
pub mod work;

pub use linear::{duration_accepted, fills, has_room, playable};

use reasons::no_bid::{Checked, require};
