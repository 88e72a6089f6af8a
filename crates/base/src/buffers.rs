//! The buffers for bytes into and out of a Wasm module, one set per instance, and the functions that return their
//! addresses.
//!
//! The host reserves room, writes the input, calls a function, and reads the output before the next call.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::limits::{INPUT_ROOM, MAX_CATALOG_BYTES};

/// The buffers of an instance.
#[derive(Debug, Default)]
pub struct Buffers {
    /// The bytes that the host wrote, and room for more. Each call gets the length of its input, which may be shorter
    /// than this buffer.
    pub input: Vec<u8>,
    /// The output of the last call.
    pub output: String,
    /// The snapshot that was loaded or compiled last. It is never freed, so that references to it stay valid.
    pub snapshot: &'static [u8],
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Calls `run` with the buffers. If `run` traps, the buffers stay borrowed and every later call traps too.
pub fn with<R>(run: impl FnOnce(&mut Buffers) -> R) -> R {
    BUFFERS.with_borrow_mut(run)
}

/// Makes room for `len` bytes of input and returns its address; 0 if `len` is over [`MAX_CATALOG_BYTES`].
#[wasm_bindgen]
pub fn reserve(len: usize) -> usize {
    with(|buffers| {
        if len > MAX_CATALOG_BYTES {
            return 0;
        }
        let room = len + INPUT_ROOM;
        let input = &mut buffers.input;
        if input.len() < room {
            input.clear();
            input.reserve_exact(room);
            // SAFETY: the capacity is reserved. Every byte of a Wasm memory has a value, and the host writes these
            // bytes before a call reads them. Zeroing them first would make loading a large catalog 20% slower.
            #[allow(unsafe_code, clippy::uninit_vec, reason = "the host writes them")]
            unsafe {
                input.set_len(room);
            }
        }
        input.as_mut_ptr() as usize
    })
}

/// The address of the output of the last call.
#[wasm_bindgen]
pub fn output() -> usize {
    with(|buffers| buffers.output.as_ptr() as usize)
}

/// The length of the output of the last call, in bytes.
#[wasm_bindgen]
pub fn output_len() -> usize {
    with(|buffers| buffers.output.len())
}

/// The address of the snapshot that was loaded or compiled last.
#[wasm_bindgen]
pub fn snapshot() -> usize {
    with(|buffers| buffers.snapshot.as_ptr() as usize)
}

/// The length of the snapshot that was loaded or compiled last, in bytes.
#[wasm_bindgen]
pub fn snapshot_len() -> usize {
    with(|buffers| buffers.snapshot.len())
}
