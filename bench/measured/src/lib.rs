//! The Rust code that the suites measure: readers of requests, side by side. A program that links
//! this crate gets the counting allocator.
//!
//! The code runs in workerd (through [`abi`]) and in the program `bench-measured`. It neither takes the time nor
//! prints.

pub mod abi;
pub mod allocations;
mod borrowed;
#[cfg(target_arch = "wasm32")]
mod randomness;
pub mod readers;
