//! The module of everything that serving does not need: compiling catalogs, the check of requests, explanations, requests
//! without identifiers.
//!
//! ```text
//! catalog document -- compile --> snapshot (which bidder-wasm serves)
//! bid request -- validate --> findings        bid request + snapshot -- explain --> report
//! ```
//!
//! It is a separate Wasm module, so serving isolates do not load it. [`catalog`] has the layout of a
//! snapshot; its fingerprint shows if the two modules were built from different sources.

#[cfg(feature = "abi")]
pub mod abi;
pub mod shape;
