//! Writes the response: a decision becomes the JSON of a `BidResponse` (OpenRTB 2.6 §4.2).
//!
//! Strings from the request are repeated with their original escapes; all other strings are escaped. Prices are exact
//! decimals.

mod bid;
mod budgets;
mod counts;
pub(crate) mod envelope;
mod facts;
pub(crate) mod length;
mod macros;
mod markup;
mod native;
mod protobuf;
mod record;
mod response;
mod vast;

pub use budgets::budgets;
pub use counts::{Demand, Tally};
pub use envelope::{Envelope, is_test};
pub use facts::catalog_facts;
pub use protobuf::encoded;
pub use record::Records;
pub use response::{bids, no_bid};
