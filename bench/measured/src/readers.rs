//! All readers that are compiled from Rust, by name.
//!
//! A reader gets the body in memory that it may overwrite, and keeps its working memory between bodies if its library
//! allows that. It reports the id and the number of impressions, so that a wrong reader is detected before it is timed.

use core::hint::black_box;

use bumpalo::Bump;
use compiler::compile;
use openrtb::read::{Body, Format, Needs, Reader, Wants};
use simd_json::prelude::*;
use simd_json::{Buffers, INPUT_PADDING, Tape, fill_tape_padded};

use crate::borrowed;

/// Reads the body in the first `len` bytes of a buffer with [`Body::ROOM`] more, and appends the request's id to the
/// text. Returns the number of impressions; `None` if it refuses the body.
type Read = fn(&mut Memory, buffer: &mut Vec<u8>, len: usize, id: &mut String) -> Option<usize>;

/// All readers with their names in results. A reader's number is its position.
pub const READERS: [(&str, Read); 8] = [
    // Not a reader: the cost of copying the body. It counts bytes and sees no request.
    ("copy", |_, buffer, len, _| Some(black_box(buffer.get(..len)?).len())),
    // The deployed reader with the example catalog, with one that asks for everything, and with one that asks for
    // nothing: it then reads only what every decision needs.
    ("edgebid", |memory, buffer, len, id| memory.edgebid(memory.needs, Body::within(buffer, len), id)),
    ("edgebid (everything)", |memory, buffer, len, id| memory.edgebid(Needs::ALL, Body::within(buffer, len), id)),
    ("edgebid (nothing asked)", |memory, buffer, len, id| {
        memory.edgebid(Needs::default(), Body::within(buffer, len), id)
    }),
    ("edgebid (protobuf)", |memory, buffer, len, id| {
        memory.edgebid(memory.needs, Body::within(buffer, len).encoded_as(Format::Protobuf), id)
    }),
    // Into structs that borrow from the body.
    ("serde_json, borrowed", |_, buffer, len, id| {
        borrowed::seen(&serde_json::from_slice(buffer.get(..len)?).ok()?, id)
    }),
    ("sonic-rs, borrowed", |_, buffer, len, id| borrowed::seen(&sonic_rs::from_slice(buffer.get(..len)?).ok()?, id)),
    ("simd-json, tape", Memory::simd_json),
];

/// The working memory of all readers.
pub struct Memory {
    arena: Bump,
    reader: Reader,
    /// The attributes that the example catalog asks for.
    needs: Needs,
    buffers: Buffers,
    tape: Option<Tape<'static>>,
}

impl Default for Memory {
    fn default() -> Self {
        let example = compile(include_bytes!("../../../fixtures/catalog.json"), &[]);
        Memory {
            arena: Bump::default(),
            reader: Reader::default(),
            needs: example.map_or(Needs::ALL, |compiled| compiled.snapshot.catalog().needs),
            buffers: Buffers::default(),
            tape: Some(Tape::null()),
        }
    }
}

impl Memory {
    /// As `auction::bid` reads.
    fn edgebid(&mut self, needs: Needs, body: Body<'_>, id: &mut String) -> Option<usize> {
        self.arena.reset();
        let wants = Wants { prebid_code: "edgebid", needs: black_box(needs) };
        let request = self.reader.read(body, &wants, &self.arena).ok()?;
        let request = black_box(&request);
        id.push_str(request.id.value);
        Some(request.imp.len())
    }

    /// All values of the text in one vector, the fastest way of its documentation: it decodes escapes in place, and the
    /// room after the body saves a copy. Only `id` and `imp` are looked up.
    fn simd_json(&mut self, buffer: &mut Vec<u8>, len: usize, id: &mut String) -> Option<usize> {
        if buffer.len() < len + INPUT_PADDING {
            buffer.resize(len + INPUT_PADDING, 0);
        }
        let mut tape = self.tape.take()?.reset();
        let seen = fill_tape_padded(buffer, len, &mut self.buffers, &mut tape).ok().and_then(|()| {
            let request = black_box(&tape).as_value();
            id.push_str(request.get_str("id")?);
            Some(request.get_array("imp")?.len())
        });
        self.tape = Some(tape.reset());
        seen
    }
}

/// Puts a body into a buffer, with the room that readers need after it.
pub fn put(buffer: &mut Vec<u8>, body: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(body);
    buffer.extend_from_slice(&[0; Body::ROOM]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each body with its number of impressions.
    const BODIES: [(&str, &[u8], usize); 6] = [
        ("0.6k", include_bytes!("../../bodies/0.6k.json"), 1),
        ("1.3k", include_bytes!("../../bodies/1.3k.json"), 1),
        ("3.8k", include_bytes!("../../bodies/3.8k.json"), 2),
        ("25k", include_bytes!("../../bodies/25k.json"), 22),
        ("100k", include_bytes!("../../bodies/100k.json"), 62),
        ("no-bid", include_bytes!("../../bodies/no-bid.json"), 1),
    ];

    #[test]
    fn every_reader_of_json_reads_every_body_and_refuses_what_is_not_json() {
        let mut memory = Memory::default();
        let mut buffer = Vec::new();
        for (reader, read) in READERS.into_iter().filter(|(name, _)| !matches!(*name, "copy" | "edgebid (protobuf)")) {
            for (name, body, imps) in BODIES {
                let value: serde_json::Value = serde_json::from_slice(body).unwrap();
                let mut id = String::new();
                put(&mut buffer, body);
                assert_eq!(read(&mut memory, &mut buffer, body.len(), &mut id), Some(imps), "{reader} {name}");
                assert_eq!(Some(&*id), value["id"].as_str(), "{reader} {name}");
            }
            let cut_off = br#"{"id":"1","imp":[{"id":"1"}"#;
            put(&mut buffer, cut_off);
            assert_eq!(read(&mut memory, &mut buffer, cut_off.len(), &mut String::new()), None, "{reader}");
        }
    }

    #[test]
    fn the_example_catalog_needs_some_parts_only() {
        let needs = Memory::default().needs;
        assert!(needs != Needs::ALL && needs != Needs::default(), "{needs:?}");
    }
}
