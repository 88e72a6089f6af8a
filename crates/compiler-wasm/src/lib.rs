//! Everything that serving does not need: catalog documents, the complete model of OpenRTB 2.6, and explanations.
//!
//! ```text
//! catalog document -- compile --> snapshot (which bidder-wasm serves)
//! bid request -- validate --> findings        bid request + snapshot -- explain --> report
//! ```
//!
//! A module of its own, so that a serving isolate carries none of it. The layout of a snapshot is in
//! [`bidder_wasm::catalog`]; its fingerprint tells when both modules were built from different sources.

#[cfg(feature = "abi")]
pub mod abi;
#[cfg(feature = "abi")]
mod answers;
pub mod compile;
pub mod decode;
pub mod explain;
pub mod openrtb;
pub mod strict;
