//! The exports for the Workers of the benchmark: numbers in, numbers out. Bytes go through [`base::buffers`].
//!
//! The module also holds the exports of [`base::buffers`], so the names differ.

use std::cell::RefCell;

use base::buffers::{self, Buffers};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::readers::{self, READERS};
use crate::writers::{self, Record, Shape, WRITERS};

#[derive(Default)]
struct Instance {
    readers: readers::Memory,
    lists: Vec<Vec<Record>>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Makes the names the output, one a line, in the order of their numbers: those of the writers or of the readers.
#[wasm_bindgen]
pub fn bench_names(of_writers: bool) {
    let names =
        if of_writers { WRITERS.map(|(name, _)| name).to_vec() } else { READERS.map(|(name, _)| name).to_vec() };
    buffers::with(|buffers| buffers.output = names.join("\n"));
}

/// Reads the first `len` bytes of input, which some readers overwrite, and makes the request's id the output. Returns
/// the number of impressions, or -1 if the reader refuses the request.
#[wasm_bindgen]
#[must_use]
pub fn bench_read(reader: usize, len: usize) -> i32 {
    with(|Buffers { input, output, .. }, Instance { readers, .. }| {
        output.clear();
        let seen = READERS.get(reader).and_then(|(_, read)| read(readers, input, len, output));
        seen.map_or(-1, |seen| i32::try_from(seen).unwrap_or(i32::MAX))
    })
}

/// Takes lists of bids from the first `len` bytes of input; false if they are invalid.
#[wasm_bindgen]
#[must_use]
pub fn bench_load(len: usize) -> bool {
    with(|Buffers { input, .. }, Instance { lists, .. }| {
        let read = writers::lists(input.get(..len).unwrap_or_default());
        read.map(|read| *lists = read).is_ok()
    })
}

/// Writes the bids `from` to `to` of a list, as a response or as records, in place of the input. Returns the number of
/// bytes: 0 if the writer cannot write that.
#[wasm_bindgen]
#[must_use]
pub fn bench_write(writer: usize, is_response: bool, list: usize, from: usize, to: usize) -> usize {
    with(|Buffers { input, .. }, Instance { lists, .. }| {
        input.clear();
        let records = lists.get(list).and_then(|records| records.get(from..to));
        if let (Some((_, write)), Some(records)) = (WRITERS.get(writer), records) {
            write(if is_response { Shape::Response } else { Shape::Records }, records, input);
        }
        input.len()
    })
}

fn with<R>(run: impl FnOnce(&mut Buffers, &mut Instance) -> R) -> R {
    buffers::with(|buffers| INSTANCE.with_borrow_mut(|instance| run(buffers, instance)))
}
