//! Requests and answers in protobuf, against the same requests and answers in JSON.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]
#![allow(clippy::cast_possible_truncation, reason = "of whole numbers that are compared with the limits of int32")]

mod convert;
#[path = "../fixture_table/mod.rs"]
mod fixture_table;
mod fixtures;
mod generated;
mod hostile;
mod schema;
