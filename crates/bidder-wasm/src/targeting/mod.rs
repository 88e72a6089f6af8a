//! Targeting: what a request says in each of the [`dimensions`](crate::dimensions), and the checks of one campaign's target.
//!
//! [`Facts`] prepares a request, [`told`] reads it by the table, [`scan`] checks one campaign's rules, and [`bounds`] checks what no
//! index can hold. An unknown value fails an `include` and passes an `exclude`.

pub(crate) mod bounds;
mod facts;
mod radius;
pub(crate) mod scan;
mod spot;
pub mod told;
pub(crate) mod values;
mod version;

pub use facts::Facts;
pub use spot::Spot;
pub(crate) use spot::{FIRST, LAST, slots};
pub use told::{Told, Value};
