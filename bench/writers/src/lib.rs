//! The writers of the benchmark behind one call each, all with the same data.
//!
//! The same code runs in workerd (through [`abi`]) and in `bench-writers-native`. Nothing here takes the time, and
//! nothing here prints.

pub mod abi;
pub mod data;
pub mod writers;
