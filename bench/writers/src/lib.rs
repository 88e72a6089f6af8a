//! All writers of the benchmark behind the same call, with the same data.
//!
//! The code runs in workerd (through [`abi`]) and in `bench-writers-native`. It neither takes the time nor prints.

pub mod abi;
pub mod data;
pub mod writers;
