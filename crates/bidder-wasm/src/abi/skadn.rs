//! Signatures for Apple's SKAdNetwork, which the host makes, because it has the key.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Bidder, with};

/// Sets whether the host signs from now on. If not, no bid says anything to SKAdNetwork.
#[wasm_bindgen]
pub fn sign_skadn(signs: bool) {
    with(|_, Bidder { signs_skadn, .. }| *signs_skadn = signs);
}

/// The address of what the host has to sign in the last answer: see [`write::unsigned`](crate::write::unsigned).
#[wasm_bindgen]
pub fn unsigned() -> usize {
    with(|_, bidder| bidder.scratch.unsigned.as_ptr() as usize)
}

/// The length of [`unsigned`] in bytes; 0 if there is nothing to sign.
#[wasm_bindgen]
pub fn unsigned_len() -> usize {
    with(|_, bidder| bidder.scratch.unsigned.len())
}
