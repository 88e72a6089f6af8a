//! What a catalog goes through before it serves, and a request that is only looked at: numbers in,
//! numbers out, bytes through two buffers in linear memory.
//!
//! A module of its own, because the one that serves need not carry any of it: an isolate that loads a
//! pushed snapshot never makes an instance of this one. Both are built of the same crate, and the
//! snapshot's fingerprint tells if they are not.

use std::cell::RefCell;

use bidder_wasm::catalog::{self, Zone};
use bidder_wasm::limits::MAX_CATALOG_BYTES;
use bidder_wasm::{read, write};
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Default)]
struct Instance {
    input: Vec<u8>,
    output: String,
    snapshot: Vec<u8>,
    zones: Vec<Zone>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Makes room for `len` bytes of input and tells where it is. 0 when `len` is over every limit.
#[wasm_bindgen]
#[must_use]
pub fn reserve(len: usize) -> usize {
    with(|instance| {
        if len > MAX_CATALOG_BYTES {
            return 0;
        }
        if instance.input.len() < len {
            instance.input.resize(len, 0);
        }
        instance.input.as_mut_ptr() as usize
    })
}

/// Where the output of the last call is.
#[wasm_bindgen]
#[must_use]
pub fn output() -> usize {
    with(|instance| instance.output.as_ptr() as usize)
}

/// How many bytes of output the last call left.
#[wasm_bindgen]
#[must_use]
pub fn output_len() -> usize {
    with(|instance| instance.output.len())
}

/// Where the snapshot is that the last [`compile`] made.
#[wasm_bindgen]
#[must_use]
pub fn snapshot() -> usize {
    with(|instance| instance.snapshot.as_ptr() as usize)
}

/// How many bytes the snapshot has.
#[wasm_bindgen]
#[must_use]
pub fn snapshot_len() -> usize {
    with(|instance| instance.snapshot.len())
}

/// Lists the time zones that the catalog document in the first `len` bytes of input names: the
/// output is `{"zones":[IANA names]}`, without `zones` where there is none.
#[wasm_bindgen]
pub fn zones_of(len: usize) {
    with(|instance| {
        instance.output.clear();
        write::zones(&mut instance.output, &catalog::zones_of(instance.input.get(..len).unwrap_or_default()));
    });
}

/// Takes the first `len` bytes of input as what the host knows of time zones, before [`compile`]:
/// `{"zones":[{"name","changes":[ms since the epoch, minutes from UTC from then on, …]}]}`.
#[wasm_bindgen]
pub fn set_zones(len: usize) {
    with(|instance| instance.zones = Zone::from_json(instance.input.get(..len).unwrap_or_default()));
}

/// Compiles the first `len` bytes of input, a catalog document.
///
/// True: [`snapshot`] is what the module that serves is to load. False: the output is
/// `{"findings":[{"path","rule","message"}]}`.
#[wasm_bindgen]
#[must_use]
pub fn compile(len: usize) -> bool {
    with(|instance| {
        let document = core::mem::take(&mut instance.input);
        instance.output.clear();
        match catalog::compile(document.get(..len).unwrap_or_default(), &instance.zones) {
            Ok(snapshot) => {
                instance.snapshot = snapshot.into_bytes();
                true
            }
            Err(findings) => {
                write::findings(&mut instance.output, &findings);
                false
            }
        }
    })
}

/// Compares the first `len` bytes of input, a bid request, with the complete object model of
/// OpenRTB 2.6-202606.
///
/// True: the output is `{"findings":[{"path","rule","message"}]}`, without `findings` where there
/// is none. False: it is no bid request at all, and the output is `{"error"}`.
#[wasm_bindgen]
#[must_use]
pub fn validate(len: usize) -> bool {
    with(|instance| {
        instance.output.clear();
        match read::validate(instance.input.get(..len).unwrap_or_default()) {
            Ok(findings) => {
                write::findings(&mut instance.output, &findings);
                true
            }
            Err(bad) => {
                write::error(&mut instance.output, &bad.to_string());
                false
            }
        }
    })
}

fn with<R>(run: impl FnOnce(&mut Instance) -> R) -> R {
    INSTANCE.with_borrow_mut(run)
}
