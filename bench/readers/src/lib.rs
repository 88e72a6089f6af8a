//! All readers of the benchmark behind the same call.
//!
//! The code runs in workerd (through [`abi`]), in `bench-readers-native` and in `cargo bench`. It neither takes the
//! time nor prints.

pub mod abi;
#[cfg(target_arch = "wasm32")]
mod randomness;
pub mod readers;
