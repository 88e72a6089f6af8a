//! The exports for the Worker of the benchmark: numbers in, numbers out.

use std::cell::RefCell;

use bench_measure::allocations;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::data::{self, Record};
use crate::writers::{Shape, WRITERS};

#[derive(Default)]
struct Instance {
    input: Vec<u8>,
    lists: Vec<Vec<Record>>,
    output: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Reserves memory for an input of `len` bytes and returns its address.
#[wasm_bindgen]
#[must_use]
pub fn writers_room(len: usize) -> usize {
    with(|instance| {
        instance.input.resize(len, 0);
        instance.input.as_mut_ptr() as usize
    })
}

/// Loads the lists of bids in that memory; false if they are invalid.
#[wasm_bindgen]
#[must_use]
pub fn writers_load() -> bool {
    with(|instance| data::read(&instance.input).map(|lists| instance.lists = lists).is_ok())
}

/// Writes the name of a writer into the output; false if there is no such writer.
#[wasm_bindgen]
#[must_use]
pub fn writers_name(writer: usize) -> bool {
    let Some(writer) = WRITERS.get(writer) else { return false };
    with(|instance| instance.output = writer.name.as_bytes().to_vec());
    true
}

/// Whether a writer can write responses (`is_response`) or records.
#[wasm_bindgen]
#[must_use]
pub fn writers_can(writer: usize, is_response: bool) -> bool {
    WRITERS.get(writer).is_some_and(|writer| writer.writes(shape(is_response)))
}

/// Writes the bids `from` to `to` of a list as the output, and returns its length in bytes.
#[wasm_bindgen]
#[must_use]
pub fn writers_write(writer: usize, is_response: bool, list: usize, from: usize, to: usize) -> usize {
    let Some(writer) = WRITERS.get(writer) else { return 0 };
    with(|Instance { lists, output, .. }| {
        output.clear();
        let Some(records) = lists.get(list).and_then(|records| records.get(from..to)) else { return 0 };
        (writer.write)(shape(is_response), records, output);
        output.len()
    })
}

/// Whether parsing the output of a writer gives the original list.
#[wasm_bindgen]
#[must_use]
pub fn writers_is_right(writer: usize, is_response: bool, list: usize) -> bool {
    let Some(writer) = WRITERS.get(writer) else { return false };
    with(|instance| instance.lists.get(list).is_some_and(|records| writer.is_right(shape(is_response), records)))
}

/// Bytes allocated since the instance began, modulo 2^32.
#[wasm_bindgen]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "only differences are looked at")]
pub fn writers_allocated() -> u32 {
    allocations::bytes() as u32
}

/// Address of the last output.
#[wasm_bindgen]
#[must_use]
pub fn writers_output() -> usize {
    with(|instance| instance.output.as_ptr() as usize)
}

/// Length of the last output in bytes.
#[wasm_bindgen]
#[must_use]
pub fn writers_output_len() -> usize {
    with(|instance| instance.output.len())
}

fn shape(is_response: bool) -> Shape {
    if is_response { Shape::Response } else { Shape::Records }
}

fn with<R>(run: impl FnOnce(&mut Instance) -> R) -> R {
    INSTANCE.with_borrow_mut(run)
}
