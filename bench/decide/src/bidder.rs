//! The benchmark's only calls into the bidder's native interface.

use core::hint::black_box;

use bidder_wasm::Scratch;
use bidder_wasm::catalog::{Catalog, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::frequency::Frequency;
use bidder_wasm::read::{Body, Reader};
use bumpalo::Bump;
use compiler_wasm::compile::{self, Zone};

/// How much of a decision to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// The whole decision.
    Edgebid,
    /// Only reading the request.
    Read,
}

/// All ways with their names. The protocol names a way by its position.
pub(crate) const WAYS: [(&str, Way); 2] = [("edgebid", Way::Edgebid), ("reader", Way::Read)];

/// The only SSP of generated catalogs.
const SSP: usize = 0;
const CONTEXT: Context<'_> = Context {
    now_ms: 1_795_003_200_000,
    seed: 0x0123_4567_89ab_cdef,
    version: 0,
    pacing: None,
    stop: None,
    frequency: Frequency::Open,
    counted_by: 0,
    max_work: None,
    notices: None,
    signs_skadn: false,
    waited_ms: 0,
};

/// Compiles a catalog document; `zones` is the JSON of the time zones.
pub(crate) fn compile(document: &[u8], zones: &[u8]) -> Result<Snapshot, String> {
    let zones = Zone::from_json(zones);
    let compiled = compile::compile(document, &zones);
    compiled
        .map(|compiled| compiled.snapshot)
        .map_err(|findings| findings.first().map(ToString::to_string).unwrap_or_default())
}

/// Working memory, kept between requests.
#[derive(Default)]
pub(crate) struct Bench {
    body: Vec<u8>,
    scratch: Scratch,
    reader: Reader,
    arena: Bump,
    out: String,
}

impl Bench {
    /// Copies a request in and runs the given part of a decision on it.
    pub(crate) fn run(&mut self, way: Way, catalog: &Catalog<'_>, request: &[u8]) {
        let Bench { body, scratch, reader, arena, out } = self;
        body.clear();
        body.extend_from_slice(request);
        body.extend_from_slice(&[0; Body::ROOM]);
        let body = Body::within(body, request.len());
        if way == Way::Edgebid {
            out.clear();
            let _ = black_box(bidder_wasm::bid(scratch, body, SSP, catalog, &CONTEXT, &mut (), out));
            black_box(&out);
            return;
        }
        arena.reset();
        let _ = black_box(reader.read(body, &catalog.wants(), arena));
    }
}
