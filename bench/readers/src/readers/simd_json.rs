//! `simd-json`'s tape: every value of the text in one vector, of which only `id` and `imp` are
//! looked at.
//!
//! Used as fast as its documentation says how: working memory and tape kept, the body padded so
//! that it needs no copy of its own. It unescapes strings in place.

use core::hint::black_box;

use simd_json::prelude::*;
use simd_json::{Buffers, Tape, fill_tape_padded};

pub(super) use simd_json::INPUT_PADDING;

/// What is kept between bodies.
pub(super) struct Memory {
    buffers: Buffers,
    tape: Option<Tape<'static>>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { buffers: Buffers::default(), tape: Some(Tape::null()) }
    }
}

/// `body` is the first `len` bytes; behind them are at least [`INPUT_PADDING`] others.
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
