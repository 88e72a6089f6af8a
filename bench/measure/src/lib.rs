//! Code that the crates of the benchmarks share. A program that links this crate gets the counting allocator.

pub mod allocations;
pub mod batch;
pub mod partner;
