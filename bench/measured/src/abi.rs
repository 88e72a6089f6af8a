//! The exports for the Workers of the benchmark: numbers in, numbers out. Bytes go through [`base::buffers`].
//!
//! The module also holds the exports of [`base::buffers`], so the names differ.

use std::cell::RefCell;

use base::buffers::{self, Buffers};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::readers::{self, READERS};

thread_local! {
    static MEMORY: RefCell<readers::Memory> = RefCell::default();
}

/// Makes the names of the readers the output, one a line, in the order of their numbers.
#[wasm_bindgen]
pub fn bench_names() {
    buffers::with(|buffers| buffers.output = READERS.map(|(name, _)| name).join("\n"));
}

/// Reads the first `len` bytes of input, which some readers overwrite, and makes the request's id the output. Returns
/// the number of impressions, or -1 if the reader refuses the request.
#[wasm_bindgen]
#[must_use]
pub fn bench_read(reader: usize, len: usize) -> i32 {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let read = READERS.get(reader).map(|(_, read)| read);
        let seen = read.and_then(|read| MEMORY.with_borrow_mut(|memory| read(memory, input, len, output)));
        seen.map_or(-1, |seen| i32::try_from(seen).unwrap_or(i32::MAX))
    })
}
