//! The deployed reader, used as `bidder_wasm::bid` uses it: working memory is kept, the arena is reset.

use core::hint::black_box;

use bidder_wasm::read::{Body, Needs, Wants};
use bumpalo::Bump;
use compiler_wasm::compile::compile;

use super::Reader;

/// The reader's working memory, and the attributes to read.
pub(super) struct Memory {
    reader: bidder_wasm::read::Reader,
    /// The attributes that the example catalog asks for.
    needs: Needs,
}

impl Default for Memory {
    fn default() -> Self {
        let compiled = compile(include_bytes!("../../../../fixtures/catalog.json"), &[]);
        Memory {
            reader: bidder_wasm::read::Reader::default(),
            needs: compiled.map_or(Needs::ALL, |compiled| compiled.snapshot.catalog().needs),
        }
    }
}

/// Reads the attributes that belong to `reader`.
pub(super) fn read<R>(
    reader: Reader,
    body: Body<'_>,
    memory: &mut Memory,
    arena: &mut Bump,
    then: impl FnOnce(&str, usize) -> R,
) -> Option<R> {
    arena.reset();
    let needs = match reader {
        Reader::EdgebidEverything => Needs::ALL,
        Reader::EdgebidNothing => Needs::default(),
        _ => memory.needs,
    };
    let wants = Wants { prebid_code: "edgebid", needs: black_box(needs) };
    let request = memory.reader.read(body, &wants, arena).ok()?;
    let request = black_box(&request);
    Some(then(request.id.value, request.imp.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_catalog_needs_some_parts_only() {
        let needs = Memory::default().needs;
        assert!(needs != Needs::ALL && needs != Needs::default(), "{needs:?}");
    }
}
