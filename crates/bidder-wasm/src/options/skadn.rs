//! SKAdNetwork: whether the host has a key to sign bids.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Bidder, with};

/// Sets whether the host signs from now on. If not, no bid says anything to SKAdNetwork.
#[wasm_bindgen]
pub fn use_signer(signs: bool) {
    with(|_, Bidder { options, .. }| options.signs = signs);
}
