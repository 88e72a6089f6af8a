//! What the benchmark calls of the bidder: all that it knows of its native interface is in here.

use core::hint::black_box;

use bidder_wasm::catalog::{self, Catalog, Snapshot, Zone};
use bidder_wasm::context::Context;
use bidder_wasm::read::{Body, Reader};
use bidder_wasm::{Scratch, decide};
use bumpalo::Bump;

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// The whole decision.
    Edgebid,
    /// Read, gate and match: nothing is written.
    Match,
    /// Read alone.
    Read,
}

impl Way {
    /// All of them; a way's place is its number.
    pub(crate) const ALL: [Way; 3] = [Way::Edgebid, Way::Match, Way::Read];

    /// What results call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Edgebid => "edgebid",
            Way::Match => "edgebid, nothing written",
            Way::Read => "edgebid's reader",
        }
    }
}

/// The only SSP of generated catalogs.
const SSP: usize = 0;
const CONTEXT: Context<'_> =
    Context { now_ms: 1_795_003_200_000, seed: 0x0123_4567_89ab_cdef, version: 0, standings: &[] };

/// A catalog document, compiled; `zones` is what the host knows of time zones.
pub(crate) fn compile(document: &[u8], zones: &[u8]) -> Result<Snapshot, String> {
    let zones = Zone::from_json(zones);
    catalog::compile(document, &zones).map_err(|findings| findings.first().map(ToString::to_string).unwrap_or_default())
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
    /// Copies a request in and goes that way with it.
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
        let Ok(request) = reader.read(body, &catalog.wants(), arena) else { return };
        if way == Way::Match {
            let _ = black_box(decide::decide(&request, SSP, catalog, &CONTEXT, arena, &mut (), &mut String::new()));
        } else {
            black_box(&request);
        }
    }
}
