//! The exports for the Worker of the benchmark: numbers in, numbers out.
//!
//! The module also holds the exports of `bidder_wasm::abi`, so the names differ.

use std::cell::RefCell;

use bench_measure::allocations;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::readers::{Bench, Reader};

#[derive(Default)]
struct Instance {
    bench: Bench,
    output: String,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Reserves memory for a body of `len` bytes and returns its address.
#[wasm_bindgen]
#[must_use]
pub fn bench_room(len: usize) -> usize {
    with(|instance| instance.bench.room(len).as_mut_ptr() as usize)
}

/// Reads the body in that memory; see [`Bench::read`].
#[wasm_bindgen]
#[must_use]
pub fn bench_read(reader: usize, len: usize) -> usize {
    let Some((reader, _)) = Reader::ALL.get(reader) else { return 0 };
    with(|instance| instance.bench.read(*reader, len))
}

/// Makes the request's id the output; false if the reader refuses the body.
#[wasm_bindgen]
#[must_use]
pub fn bench_id(reader: usize, len: usize) -> bool {
    let Some((reader, _)) = Reader::ALL.get(reader) else { return false };
    with(|instance| {
        let id = instance.bench.id(*reader, len);
        let known = id.is_some();
        instance.output = id.unwrap_or_default();
        known
    })
}

/// Makes the name of a reader the output; false if there is no such reader.
#[wasm_bindgen]
#[must_use]
pub fn bench_name(reader: usize) -> bool {
    let Some((_, name)) = Reader::ALL.get(reader) else { return false };
    with(|instance| (*name).clone_into(&mut instance.output));
    true
}

/// Allocations since the instance began, modulo 2^32.
#[wasm_bindgen]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "only differences are looked at")]
pub fn bench_allocations() -> u32 {
    allocations::count() as u32
}

/// Address of the last output.
#[wasm_bindgen]
#[must_use]
pub fn bench_output() -> usize {
    with(|instance| instance.output.as_ptr() as usize)
}

/// Length of the last output in bytes.
#[wasm_bindgen]
#[must_use]
pub fn bench_output_len() -> usize {
    with(|instance| instance.output.len())
}

fn with<R>(run: impl FnOnce(&mut Instance) -> R) -> R {
    INSTANCE.with_borrow_mut(run)
}
