//! The strict decode of `edgebid validate`: all 38 objects with findings through `serde-json-wasm`, then the `Request`
//! of a decision.

use core::hint::black_box;

use bumpalo::Bump;
use compiler_wasm::strict;

pub(super) fn read<R>(body: &[u8], arena: &mut Bump, then: impl FnOnce(&str, usize) -> R) -> Option<R> {
    arena.reset();
    let request = strict::read(body, "", arena).ok()?;
    let request = black_box(&request);
    Some(then(request.id.value, request.imp.len()))
}
