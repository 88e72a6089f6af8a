//! What people need to know of a request: whether OpenRTB allows it, and what is left of it without identifiers.

pub mod redact;
pub mod strict;
