//! Targeting: the values of a request in each of the [`dimensions`](mod@reasons::dimensions), and the checks of one
//! campaign's target.
//!
//! An unknown value fails an `include` and `exclude_unknown`, and passes an `exclude`. The index over all campaigns is
//! in [`catalog`].

pub mod bounds;
pub mod data;
pub mod derived;
mod facts;
mod places;
mod radius;
pub mod scan;
mod spot;
pub mod supply;
pub mod value;
mod version;
mod way;

pub use facts::Facts;
pub use spot::{FIRST, LAST, Spot, slots};
pub use value::{Value, Values};
