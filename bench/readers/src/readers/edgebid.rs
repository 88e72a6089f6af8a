//! The reader of the hot path, as `bidder_wasm::bid` uses it: working memory kept, arena reset.

use core::hint::black_box;

use bidder_wasm::read::Reader;
use bumpalo::Bump;

pub(super) fn read<R>(
    body: &[u8],
    reader: &mut Reader,
    arena: &mut Bump,
    then: impl FnOnce(&str, usize) -> R,
) -> Option<R> {
    arena.reset();
    let request = reader.read(body, "", arena).ok()?;
    let request = black_box(&request);
    Some(then(request.id.value, request.imp.len()))
}
