//! The tape of `simd-json`: all values of the text in one vector. Only `id` and `imp` are looked up.
//!
//! Uses the fastest way of its documentation: working memory and tape are kept, and the body is padded so that it needs
//! no copy. It decodes escapes in place.

use core::hint::black_box;

use simd_json::prelude::*;
use simd_json::{Buffers, Tape, fill_tape_padded};

pub(super) use simd_json::INPUT_PADDING;

/// Kept between bodies.
pub(super) struct Memory {
    buffers: Buffers,
    tape: Option<Tape<'static>>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { buffers: Buffers::default(), tape: Some(Tape::null()) }
    }
}

/// The body is the first `len` bytes, followed by at least [`INPUT_PADDING`] others.
pub(super) fn read<R>(
    body: &mut [u8],
    len: usize,
    memory: &mut Memory,
    then: impl FnOnce(&str, usize) -> R,
) -> Option<R> {
    let mut tape = memory.tape.take()?.reset();
    let seen = fill_tape_padded(body, len, &mut memory.buffers, &mut tape).ok().and_then(|()| {
        let request = black_box(&tape).as_value();
        Some(then(request.get_str("id")?, request.get_array("imp")?.len()))
    });
    memory.tape = Some(tape.reset());
    seen
}
