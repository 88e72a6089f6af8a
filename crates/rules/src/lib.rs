//! The rules: each function checks one campaign, deal or creative, and returns the first reason against it.
//!
//! Rules do not search, rank, price or write. What they know of a request is in [`targeting::Facts`]; what they cost, in
//! [`work`].

pub mod banner;
pub mod campaign;
pub mod creative;
pub mod dsa;
pub mod form;
pub mod frequency;
pub mod imp;
mod linear;
pub mod native;
pub mod offer;
pub mod own;
mod player;
pub mod rows;
pub mod skadn;
pub mod targeting;
pub mod work;

pub use linear::{has_room, playable};
pub use player::{duration_accepted, fills};

use reasons::no_bid::{Checked, require};
