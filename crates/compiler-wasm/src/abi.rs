//! The exports of the module: numbers in, numbers out, bytes through the [`bidder_wasm::buffers`].

use std::cell::RefCell;

use bidder_wasm::buffers::{self, Buffers};
use bidder_wasm::catalog::Snapshot;
use bidder_wasm::context::Context;
use bidder_wasm::write;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::compile::{self, Zone};
use crate::{answers, explain, strict};

thread_local! {
    /// What the host knows of time zones.
    static ZONES: RefCell<Vec<Zone>> = RefCell::default();
}

/// Lists the time zones that the catalog document in the first `len` bytes of input names: the
/// output is `{"zones":[IANA names]}`, without `zones` where there is none.
#[wasm_bindgen]
pub fn zones_of(len: usize) {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        answers::zones(output, &compile::zones_of(input.get(..len).unwrap_or_default()));
    });
}

/// Takes the first `len` bytes of input as what the host knows of time zones, before [`compile`]:
/// `{"zones":[{"name","changes":[ms since the epoch, minutes from UTC from then on, …]}]}`.
#[wasm_bindgen]
pub fn set_zones(len: usize) {
    buffers::with(|buffers| ZONES.set(Zone::from_json(buffers.input.get(..len).unwrap_or_default())));
}

/// Compiles the first `len` bytes of input, a catalog document.
///
/// True: [`buffers::snapshot`] is what the module that serves is to load; it stays in memory as long as the instance.
/// Either way the output is `{"findings":[{"path","rule","message","severity"}]}`, without `findings` where there is none;
/// where it is true, all of them are notes.
#[wasm_bindgen]
#[must_use]
pub fn compile(len: usize) -> bool {
    buffers::with(|Buffers { input, output, snapshot }| {
        let document = core::mem::take(input);
        output.clear();
        match ZONES.with_borrow(|zones| compile::compile(document.get(..len).unwrap_or_default(), zones)) {
            Ok(compiled) => {
                answers::findings(output, &compiled.notes);
                *snapshot = compiled.snapshot.into_bytes().leak();
                true
            }
            Err(findings) => {
                answers::findings(output, &findings);
                false
            }
        }
    })
}

/// Compares the first `len` bytes of input, a bid request, with the complete object model of
/// OpenRTB 2.6-202606, and with the values that it allows.
///
/// True: the output is `{"findings":[{"path","rule","message","severity"}]}`, without `findings` where there
/// is none. False: it is no bid request at all, and the output is `{"error"}`.
#[wasm_bindgen]
#[must_use]
pub fn validate(len: usize) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let body = input.get(..len).unwrap_or_default();
        match strict::validate(body) {
            Ok(findings) => {
                answers::findings(output, &findings);
                true
            }
            Err(bad) => {
                write::error(output, &strict::sentence(bad, body));
                false
            }
        }
    })
}

/// Explains the decision of the module that serves, with a snapshot, on a bid request: the input is the snapshot, and behind
/// it the body. The output is the report of [`explain::explain`], or `{"error"}` for what is no bid request and for a
/// snapshot that is refused.
// Times since the epoch are far below 2^53, where a float is exact.
#[allow(clippy::cast_possible_truncation)]
#[wasm_bindgen]
#[must_use]
pub fn explain(snapshot: usize, body: usize, ssp: usize, now_ms: f64, version_high: u32, version_low: u32) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let (snapshot, rest) = input.split_at_checked(snapshot).unwrap_or_default();
        let version = u64::from(version_high) << 32 | u64::from(version_low);
        let context = Context { now_ms: now_ms as i64, seed: 0, version, standings: &[] };
        let explained = Snapshot::open(snapshot).map_err(|bad| bad.to_string()).and_then(|catalog| {
            let body = rest.get(..body).unwrap_or_default();
            explain::explain(body, ssp, &catalog, &context, output).map_err(|bad| strict::sentence(bad, body))
        });
        explained.map_err(|error| write::error(output, &error)).is_ok()
    })
}
