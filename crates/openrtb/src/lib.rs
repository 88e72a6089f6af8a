//! The bid request of OpenRTB 2.6 as decisions see it, and how its bytes are read.

pub mod data;
pub mod read;
pub mod request;
