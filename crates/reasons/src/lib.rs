//! Why there is no bid, and what campaigns can target: two tables that all checks share.

pub mod dimensions;
pub mod kind;
pub mod no_bid;
