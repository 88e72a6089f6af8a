//! All readers that are compiled from Rust, by name.
//!
//! A reader gets the body in memory that it may overwrite, and keeps its working memory between bodies if its library
//! allows that. It reports the values it found, so that a wrong reader is detected before it is timed.

mod borrowed;
mod edgebid;
mod simd_json;

use core::hint::black_box;

use bidder_wasm::read::{Body, Format};
use bumpalo::Bump;

/// One of the readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Not a reader: the cost of copying the body. It sees no request.
    Copy,
    /// The deployed reader with the example catalog.
    Edgebid,
    /// The deployed reader with a catalog that asks for every attribute.
    EdgebidEverything,
    /// The deployed reader with a catalog that asks for no attribute: it reads only what every decision needs.
    EdgebidNothing,
    /// The deployed reader with the example catalog, on the same request in protobuf.
    EdgebidProtobuf,
    /// `serde_json` into structs that borrow from the body.
    SerdeJson,
    /// `sonic-rs` into the structs that `serde_json` fills.
    SonicRs,
    /// The tape of `simd-json`.
    SimdJson,
}

impl Reader {
    /// All readers with their names in results. A reader's number is its position.
    pub const ALL: [(Reader, &'static str); 8] = [
        (Reader::Copy, "copy"),
        (Reader::Edgebid, "edgebid"),
        (Reader::EdgebidEverything, "edgebid (everything)"),
        (Reader::EdgebidNothing, "edgebid (nothing asked)"),
        (Reader::EdgebidProtobuf, "edgebid (protobuf)"),
        (Reader::SerdeJson, "serde_json, borrowed"),
        (Reader::SonicRs, "sonic-rs, borrowed"),
        (Reader::SimdJson, "simd-json, tape"),
    ];
}

/// A buffer for the body, and the working memory of all readers.
#[derive(Default)]
pub struct Bench {
    body: Vec<u8>,
    arena: Bump,
    edgebid: edgebid::Memory,
    simd_json: simd_json::Memory,
}

impl Bench {
    /// Memory for a body of `len` bytes.
    pub fn room(&mut self, len: usize) -> &mut [u8] {
        if self.body.len() < len + simd_json::INPUT_PADDING {
            self.body.resize(len + simd_json::INPUT_PADDING, 0);
        }
        self.body.get_mut(..len).unwrap_or_default()
    }

    /// Reads the first `len` bytes of the body. Some readers overwrite it. Returns the number of impressions, for
    /// `Copy` the number of bytes, and 0 if the reader refuses the body.
    pub fn read(&mut self, reader: Reader, len: usize) -> usize {
        self.read_and(reader, len, |id, seen| {
            black_box(id);
            seen
        })
        .unwrap_or_default()
    }

    /// The request's id as this reader sees it; otherwise like [`Bench::read`].
    pub fn id(&mut self, reader: Reader, len: usize) -> Option<String> {
        self.read_and(reader, len, |id, _| id.to_owned())
    }

    fn read_and<R>(&mut self, reader: Reader, len: usize, then: impl FnOnce(&str, usize) -> R) -> Option<R> {
        if reader == Reader::SimdJson {
            return simd_json::read(&mut self.body, len, &mut self.simd_json, then);
        }
        let body = self.body.get(..len)?;
        match reader {
            Reader::Copy => Some(then("", black_box(body).len())),
            Reader::Edgebid | Reader::EdgebidEverything | Reader::EdgebidNothing => {
                edgebid::read(reader, Body::within(&mut self.body, len), &mut self.edgebid, &mut self.arena, then)
            }
            Reader::EdgebidProtobuf => {
                let body = Body::within(&mut self.body, len).encoded_as(Format::Protobuf);
                edgebid::read(reader, body, &mut self.edgebid, &mut self.arena, then)
            }
            Reader::SerdeJson => {
                borrowed::read(|| serde_json::from_slice(body).ok(), |text| serde_json::from_str(text).ok(), then)
            }
            Reader::SonicRs => {
                borrowed::read(|| sonic_rs::from_slice(body).ok(), |text| sonic_rs::from_str(text).ok(), then)
            }
            Reader::SimdJson => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each body with its number of impressions.
    const BODIES: [(&str, &[u8], usize); 6] = [
        ("0.6k", include_bytes!("../../../bodies/0.6k.json"), 1),
        ("1.3k", include_bytes!("../../../bodies/1.3k.json"), 1),
        ("3.8k", include_bytes!("../../../bodies/3.8k.json"), 2),
        ("25k", include_bytes!("../../../bodies/25k.json"), 22),
        ("100k", include_bytes!("../../../bodies/100k.json"), 62),
        ("no-bid", include_bytes!("../../../bodies/no-bid.json"), 1),
    ];

    #[test]
    fn every_reader_reads_every_body() {
        let mut bench = Bench::default();
        for (name, body, imps) in BODIES {
            let value: serde_json::Value = serde_json::from_slice(body).unwrap();
            for (reader, _) in Reader::ALL.into_iter().skip(1).filter(|(reader, _)| *reader != Reader::EdgebidProtobuf)
            {
                bench.room(body.len()).copy_from_slice(body);
                assert_eq!(bench.read(reader, body.len()), imps, "{reader:?} {name}");
                bench.room(body.len()).copy_from_slice(body);
                assert_eq!(bench.id(reader, body.len()).as_deref(), value["id"].as_str(), "{reader:?} {name}");
            }
        }
    }

    #[test]
    fn every_reader_refuses_what_is_not_json() {
        let mut bench = Bench::default();
        let body = br#"{"id":"1","imp":[{"id":"1"}"#;
        for (reader, _) in Reader::ALL.into_iter().skip(1) {
            bench.room(body.len()).copy_from_slice(body);
            assert_eq!(bench.read(reader, body.len()), 0, "{reader:?}");
        }
    }
}
