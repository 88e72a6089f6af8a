//! The readers of the benchmark behind one call each.
//!
//! The same code runs in workerd (through [`abi`]), in `bench-readers-native` and in `cargo bench`.
//! Nothing here takes the time, and nothing here prints.

pub mod abi;
#[cfg(target_arch = "wasm32")]
mod randomness;
pub mod readers;
