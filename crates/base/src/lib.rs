//! What every crate needs, and what knows nothing of requests, catalogs and bids.

pub mod address;
pub mod base64;
#[cfg(feature = "buffers")]
pub mod buffers;
pub mod category;
pub mod country;
pub mod domain;
pub mod hash;
pub mod ip;
pub mod json;
pub mod limits;
pub mod money;
mod named;
pub mod placeholder;
pub mod ranked;
