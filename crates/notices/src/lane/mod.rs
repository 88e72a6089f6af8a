//! Four words at once, for the hash and the text of a token.

#[cfg(not(target_arch = "wasm32"))]
mod portable;
#[cfg(target_arch = "wasm32")]
mod wasm;

#[cfg(not(target_arch = "wasm32"))]
pub(super) use portable::{Lane, base64};
#[cfg(target_arch = "wasm32")]
pub(super) use wasm::{Lane, base64};
