//! The exports of the Wasm module. They take and return numbers; bytes go through the [`bidder_wasm::buffers`].

use std::cell::{Cell, RefCell};

use bidder_wasm::buffers::{self, Buffers};
use bidder_wasm::catalog::Snapshot;
use bidder_wasm::context::Context;
use bidder_wasm::pace::Pacing;
use bidder_wasm::read::{Body, Format};
use bidder_wasm::stop::Stop;
use bidder_wasm::write;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::compile::{self, Zone};
use crate::explain::Only;
use crate::{answers, decode, explain, redact, strict};

thread_local! {
    /// The time zones of the host.
    static ZONES: RefCell<Vec<Zone>> = RefCell::default();
    /// What [`stop`] was called with.
    static STOPPED: RefCell<(String, bool)> = RefCell::default();
    /// Whether the host signs bids for SKAdNetwork.
    static SIGNS: Cell<bool> = const { Cell::new(true) };
    /// What [`explain_only`] was called with.
    static ONLY: RefCell<String> = const { RefCell::new(String::new()) };
    static SHARES: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Lists the time zones that a catalog document names. The document is the first `len` bytes of input. The output is
/// `{"zones":[IANA names]}`, without `zones` if the document names none.
#[wasm_bindgen]
pub fn zones_of(len: usize) {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        answers::zones(output, &compile::zones_of(input.get(..len).unwrap_or_default()));
    });
}

/// Sets the time zones for [`compile()`] from the first `len` bytes of input:
/// `{"zones":[{"name","changes":[ms since the epoch, offset from UTC in minutes, …]}]}`. An offset applies from its
/// instant on.
#[wasm_bindgen]
pub fn set_zones(len: usize) {
    buffers::with(|buffers| ZONES.set(Zone::from_json(buffers.input.get(..len).unwrap_or_default())));
}

/// Compiles the first `len` bytes of input, a catalog document.
///
/// The output is `{"findings":[{"path","rule","message","severity"}]}`, without `findings` if there are none. Returns
/// false if a finding is an error. Returns true if the catalog is compiled: [`buffers::snapshot`] has the snapshot,
/// which stays in memory as long as the instance.
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

/// Finds the known name that is most similar to another name. The first `len` bytes of input are the name and the known
/// names, each followed by a line break. The output is the known name, empty if none is similar enough.
#[wasm_bindgen]
pub fn nearest(len: usize) {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let text = String::from_utf8_lossy(input.get(..len).unwrap_or_default());
        let (name, known) = text.split_once('\n').unwrap_or_default();
        output.push_str(decode::nearest(name, known.split_terminator('\n')).unwrap_or_default());
    });
}

/// Checks a bid request, the first `len` bytes of input, against the complete object model of OpenRTB 2.6-202606 and
/// the values that it allows.
///
/// Returns true if the input is a bid request: the output is then
/// `{"findings":[{"path","rule","message","severity"}]}`, without `findings` if there are none. Returns false if the
/// input is not a bid request: the output is then `{"error"}`.
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

/// Writes the bid request in the first `len` bytes of input again, without what identifies a person: [`redact::redact`].
///
/// Returns true if the output is that request. Returns false if the input is not a JSON object: the output is then empty.
#[wasm_bindgen]
#[must_use]
pub fn redact(len: usize) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        redact::redact(input.get(..len).unwrap_or_default(), output).is_ok()
    })
}

/// Sets what is stopped for [`explain()`]: the campaigns whose ids are the first `len` bytes of input, each followed by
/// a line break, or everything if `all` is true.
#[wasm_bindgen]
pub fn stop(len: usize, all: bool) {
    buffers::with(|Buffers { input, .. }| {
        let cids = core::str::from_utf8(input.get(..len).unwrap_or_default());
        STOPPED.set((cids.unwrap_or_default().to_owned(), all || cids.is_err()));
    });
}

/// Sets whether bids for SKAdNetwork are signed, for [`explain()`]. Default: they are.
#[wasm_bindgen]
pub fn sign_skadn(signs: bool) {
    SIGNS.set(signs);
}

/// Sets the shares of campaigns with a budget for [`explain()`]: the text of [`Pacing::read`] in the first `len` bytes of
/// input. Bytes that are no shares mean that none are known.
#[wasm_bindgen]
pub fn set_shares(len: usize) {
    buffers::with(|Buffers { input, .. }| {
        let text = core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default();
        SHARES.set(text.to_owned());
    });
}

/// Sets what [`explain()`] is asked about: the first `len` bytes of input are the id of an impression, a line break and the
/// id of a campaign, as in [`Only`].
#[wasm_bindgen]
pub fn explain_only(len: usize) {
    buffers::with(|Buffers { input, .. }| {
        ONLY.set(core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default().to_owned());
    });
}

/// Describes a campaign in sentences. The input is the snapshot, followed by the `cid`.
///
/// The output is that of [`explain::describe`], or `{"error"}` if the snapshot is refused or has no such campaign.
#[wasm_bindgen]
#[must_use]
pub fn describe(snapshot: usize, cid: usize) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let (snapshot, rest) = input.split_at_checked(snapshot).unwrap_or_default();
        let cid = String::from_utf8_lossy(rest.get(..cid).unwrap_or_default());
        let catalog = Snapshot::open(snapshot).map_err(|bad| bad.to_string());
        let described = catalog.and_then(|catalog| explain::describe(&cid, &catalog, output));
        described.map_err(|error| write::error(output, &error)).is_ok()
    })
}

/// Explains the decision of the serving module on a bid request. The input is the snapshot, followed by the body.
/// `protobuf` says that the body is in protobuf, and not in JSON.
///
/// The output is the report of [`explain::explain`], or `{"error"}` if the body is not a bid request or the snapshot is
/// refused.
// Milliseconds since the epoch are far below 2^53, so a float holds them exactly.
#[allow(clippy::cast_possible_truncation)]
#[wasm_bindgen]
#[must_use]
pub fn explain(
    snapshot: usize,
    body: usize,
    ssp: usize,
    now_ms: f64,
    version_high: u32,
    version_low: u32,
    protobuf: bool,
) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let (snapshot, rest) = input.split_at_checked(snapshot).unwrap_or_default();
        let version = u64::from(version_high) << 32 | u64::from(version_low);
        let explained = Snapshot::open(snapshot).map_err(|bad| bad.to_string()).and_then(|catalog| {
            let (stop, _) = STOPPED.with_borrow(|(lines, all)| Stop::read(lines, *all, &catalog));
            let stop = stop.as_ref();
            let pacing = SHARES.with_borrow(|shares| Pacing::read(shares, &catalog));
            let pacing = pacing.as_ref();
            let context = Context {
                now_ms: now_ms as i64,
                version,
                pacing,
                stop,
                signs_skadn: SIGNS.get(),
                ..Context::default()
            };
            let body = rest.get(..body).unwrap_or_default();
            let encoded = Body::from(body).encoded_as(if protobuf { Format::Protobuf } else { Format::Json });
            ONLY.with_borrow(|lines| {
                let (imp, campaign) = lines.split_once('\n').unwrap_or_default();
                explain::explain(encoded, ssp, &catalog, &context, Some(Only { imp, campaign }), output)
            })
        });
        explained.map_err(|error| write::error(output, &error)).is_ok()
    })
}
