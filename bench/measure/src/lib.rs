//! Shared by the crates of the benchmarks. A program that links this crate gets the counting allocator.

pub mod allocations;
pub mod batch;
pub mod partner;
