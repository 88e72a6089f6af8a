//! All readers of the benchmark behind the same call.
//!
//! The code runs in workerd (through [`abi`]) and in `bench-readers-native`. It neither takes the time nor prints.

pub mod abi;
#[cfg(target_arch = "wasm32")]
mod randomness;
pub mod readers;
