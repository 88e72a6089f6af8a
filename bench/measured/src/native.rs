//! The native side of the suites that measure in one isolate.
//!
//!     bench-measured readers BODY…
//!     bench-measured decide ZONES MIX CATALOG…
//!
//! The arguments are files: bodies or requests (one per line), the time zones, catalog documents. The
//! commands on standard input are those of `partner.rs`.

mod partner;

use core::hint::black_box;
use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use auction::Scratch;
use auction::context::Context;
use bench_measured::readers::{self, READERS};
use bumpalo::Bump;
use catalog::Snapshot;
use compiler::{self, Zone};
use openrtb::read::{Body, Reader};

type Result<T = (), E = Box<dyn Error>> = core::result::Result<T, E>;

/// The only SSP of generated catalogs.
const SSP: usize = 0;

fn main() -> Result {
    let mut arguments = env::args_os().skip(1);
    let suite = arguments.next().ok_or("expected a suite")?;
    let files = arguments.map(fs::read).collect::<Result<Vec<_>, _>>()?;
    match (suite.to_str(), &files[..]) {
        (Some("readers"), bodies) => read(bodies),
        (Some("decide"), [zones, mix, documents @ ..]) => decide(zones, mix, documents),
        _ => Err("expected readers BODY… or decide ZONES MIX CATALOG…".into()),
    }
}

/// The texts are read in turn. Each is copied in before each read, as in workerd.
fn read(bodies: &[Vec<u8>]) -> Result {
    let mut bodies: Vec<_> = bodies.iter().map(|body| body.split(|byte| *byte == b'\n').cycle()).collect();
    let (mut memory, mut buffer, mut id) = (readers::Memory::default(), Vec::new(), String::new());
    partner::answer_all(&READERS.map(|(name, _)| name), Duration::from_millis(50), 1, |reader, body| {
        let text = bodies.get_mut(body).and_then(Iterator::next);
        if let (Some((_, read)), Some(text)) = (READERS.get(reader), text) {
            readers::put(&mut buffer, text);
            id.clear();
            black_box(read(&mut memory, &mut buffer, text.len(), &mut id));
        }
    })
}

/// Each batch continues after the last request of the batch before, so all requests are measured equally often.
fn decide(zones: &[u8], mix: &[u8], documents: &[Vec<u8>]) -> Result {
    let zones = Zone::from_json(zones);
    let compiled = documents.iter().map(|document| match compiler::compile(document, &zones) {
        Ok(compiled) => Ok(compiled.snapshot),
        Err(findings) => Err(findings.first().map(ToString::to_string).unwrap_or_default()),
    });
    let compiled = compiled.collect::<Result<Vec<_>, _>>()?;
    let catalogs: Vec<_> = compiled.iter().map(Snapshot::catalog).collect();
    let requests: Vec<&[u8]> = mix.split(|byte| *byte == b'\n').collect();
    let context = Context { now_ms: 1_795_003_200_000, seed: 0x0123_4567_89ab_cdef, ..Context::default() };
    let (mut scratch, mut reader, mut arena) = (Scratch::default(), Reader::default(), Bump::new());
    let (mut body, mut out) = (Vec::new(), String::new());
    let mut turn = requests.iter().cycle();
    partner::answer_all(&["edgebid", "reader"], Duration::from_millis(100), requests.len(), |way, catalog| {
        let (Some(request), Some(catalog)) = (turn.next(), catalogs.get(catalog)) else { return };
        readers::put(&mut body, request);
        let body = Body::within(&mut body, request.len());
        if way == 0 {
            out.clear();
            black_box(auction::bid(&mut scratch, body, SSP, catalog, &context, &mut (), &mut out));
            black_box(&out);
        } else {
            arena.reset();
            let _ = black_box(reader.read(body, &catalog.wants(), &arena));
        }
    })
}
