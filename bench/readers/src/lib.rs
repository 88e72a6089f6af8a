//! The readers of the benchmark behind one call each, and what counts their allocations.
//!
//! The same code runs in workerd (through [`abi`]), in `bench-readers-native` and in `cargo bench`.
//! Nothing here takes the time but [`measure`], and nothing here prints.

pub mod abi;
pub mod allocations;
pub mod measure;
pub mod readers;
