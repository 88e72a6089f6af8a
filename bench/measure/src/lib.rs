//! What the crates of the benchmarks share. Whoever links it has the allocator that counts.

pub mod allocations;
pub mod batch;
pub mod partner;
