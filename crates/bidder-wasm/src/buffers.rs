//! The two buffers through which bytes go in and out of a Wasm module, and the snapshot that it made or took: one set an
//! instance, and the exports that tell where they are.
//!
//! The host reserves room, writes, calls, and reads the output before the next call.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::limits::MAX_CATALOG_BYTES;
use crate::read::Body;

/// What goes in and out.
#[derive(Debug, Default)]
pub struct Buffers {
    /// What the host wrote. What lies behind it means nothing.
    pub input: Vec<u8>,
    /// What the last call left.
    pub output: String,
    /// A snapshot, which stays where it is as long as the instance, so that views of it may too.
    pub snapshot: &'static [u8],
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Lends the buffers. A call that traps in here leaves them lent: every later call traps too.
pub fn with<R>(run: impl FnOnce(&mut Buffers) -> R) -> R {
    BUFFERS.with_borrow_mut(run)
}

/// Makes room for `len` bytes of input and tells where it is. 0 when `len` is over every limit.
#[wasm_bindgen]
#[must_use]
pub fn reserve(len: usize) -> usize {
    with(|buffers| {
        if len > MAX_CATALOG_BYTES {
            return 0;
        }
        // The reader's room behind a body.
        let room = len + Body::ROOM;
        let input = &mut buffers.input;
        if input.len() < room {
            input.clear();
            input.reserve_exact(room);
            // SAFETY: there is room for as many. Every byte of a Wasm memory has a value, and the host writes these bytes before a
            // call reads them. Writing zeros first would make loading a large catalog a fifth slower.
            #[allow(unsafe_code, clippy::uninit_vec, reason = "the host writes them")]
            unsafe {
                input.set_len(room);
            }
        }
        input.as_mut_ptr() as usize
    })
}

/// Where the output of the last call is.
#[wasm_bindgen]
#[must_use]
pub fn output() -> usize {
    with(|buffers| buffers.output.as_ptr() as usize)
}

/// How many bytes of output the last call left.
#[wasm_bindgen]
#[must_use]
pub fn output_len() -> usize {
    with(|buffers| buffers.output.len())
}

/// Where the snapshot is that the instance made or took last.
#[wasm_bindgen]
#[must_use]
pub fn snapshot() -> usize {
    with(|buffers| buffers.snapshot.as_ptr() as usize)
}

/// How many bytes the snapshot has.
#[wasm_bindgen]
#[must_use]
pub fn snapshot_len() -> usize {
    with(|buffers| buffers.snapshot.len())
}
