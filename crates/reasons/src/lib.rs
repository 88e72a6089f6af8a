//! Why there is no bid, what campaigns can target, and what creatives must fit: tables that all checks share.

pub mod creatives;
pub mod dimensions;
pub mod kind;
pub mod no_bid;
