//! The module that serves: the functions that the Worker calls. They take and return numbers; bytes go through [`base::buffers`].
//!
//! One instance holds one catalog. Reserve room, write the snapshot, and `load` it once. For each request: reserve
//! room, write the body, `decide`, and read the output before the next call.

pub mod decide;
pub mod money;
pub mod options;

use base::json;
use std::cell::RefCell;

use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::wasm_bindgen;

use auction::pace::Pacing;
use auction::stop::Stop;
use auction::{Scratch, write};
use base::buffers::{self, Buffers};
use catalog::{Catalog, Snapshot};
use consent::sync::Call;
use notices::Notices;
use notices::settle::{Directory, PriceKeys};
use options::Options;

/// The state of an instance between calls.
#[derive(Default)]
struct Bidder {
    scratch: Scratch,
    catalog: Option<Catalog<'static>>,
    /// The catalog's version.
    version: u64,
    notices: Option<Notices>,
    price_keys: PriceKeys,
    /// The lines that `notices` and `price_keys` were made of, without the origin, and the output about them.
    notice_keys: String,
    notice_errors: String,
    /// Made with the first notice, because building it takes time in proportion to the catalog.
    directory: Option<Directory>,
    /// The stopped part of the catalog; `None` if nothing is stopped.
    stop: Option<Stop>,
    /// The shares of campaigns with a budget; `None` before they are known.
    pacing: Option<Pacing>,
    options: Options,
}

thread_local! {
    static BIDDER: RefCell<Bidder> = RefCell::default();
}

/// Takes the first `len` bytes of input as the snapshot to decide with. Call it once per instance. The catalog's
/// version comes in two halves of 32 bits. It goes into records and, if the catalog wants it, into bids.
///
/// Returns true if the snapshot is in use. The output is then
/// `{"campaigns","budgets","ssps":[{"id","sync_url","closed","gzip","tmax"}],"reasons","untargeted","options","paced"}`:
///
/// - `campaigns`, `budgets`: the number of campaigns, and of those with a budget,
/// - `ssps`: the SSPs in order; `sync_url` is the address that takes our id, `closed` says whether credentials are
///   needed, `gzip` whether answers in gzip are accepted; `tmax` is the time for an answer in milliseconds,
/// - `reasons`: the names of the no-bid reasons in order,
/// - `untargeted`: a range of these reasons, from the first to before the end. They say that no campaign passes the checks
///   of SSP, seat and the request's own targeting,
/// - `options`: the options that the catalog uses; absent if it uses none,
/// - `paced`: whether it takes part in pacing.
///
/// Returns false if the input is not a valid snapshot. The output is then `{"error":…}`, and the input is lost.
#[wasm_bindgen]
pub fn load(len: usize, version_high: u32, version_low: u32) -> bool {
    with(|buffers, bidder| {
        bidder.version = whole(version_high, version_low);
        let mut input = core::mem::take(&mut buffers.input);
        input.truncate(len);
        let snapshot = input.leak();
        buffers.output.clear();
        match Snapshot::open(snapshot) {
            Ok(catalog) => {
                write::catalog_facts(&mut buffers.output, &catalog);
                bidder.catalog = Some(catalog);
                buffers.snapshot = snapshot;
                true
            }
            Err(bad) => {
                json::error(&mut buffers.output, &bad.to_string());
                false
            }
        }
    })
}

/// Whether the first `len` bytes of input are a valid bearer token of the SSP at position `ssp` of the catalog. An SSP
/// without credentials needs no token.
#[wasm_bindgen]
pub fn authorize(ssp: usize, len: usize) -> bool {
    called(len, |token, _, bidder| {
        let Some(ssp) = bidder.catalog.as_ref().and_then(|catalog| catalog.parts().ssps().get(ssp)) else {
            return false;
        };
        if ssp.credentials().is_empty() {
            return true;
        }
        let digest = Sha256::digest(token);
        let digits = || digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        // Compare every digit, so that the time does not reveal where the first difference is.
        let same = |known: &str| {
            let known = known.chars().map(|digit| digit.to_digit(16).unwrap_or(u32::MAX));
            known.zip(digits()).fold(0, |differing, (a, b)| differing | (a ^ u32::from(b))) == 0
        };
        ssp.credentials().iter().any(same)
    })
}

/// Stops the campaigns whose ids are the first `len` bytes of input, each followed by a line break, or everything if
/// `all` is true. All other campaigns bid again, so no bytes and false lift the stop. Returns how many of the ids the
/// catalog has.
#[wasm_bindgen]
pub fn stop(len: usize, all: bool) -> usize {
    called(len, |input, _, Bidder { catalog, stop, .. }| {
        let Some(catalog) = catalog else { return 0 };
        // Bytes that are not text could mean any campaign, so they stop everything.
        let cids = core::str::from_utf8(input);
        let known;
        (*stop, known) = Stop::read(cids.unwrap_or_default(), all || cids.is_err(), catalog);
        known
    })
}

/// Reads the first `len` bytes of input as the query of a sync call for the SSP at position `ssp`. `opted_out`: the
/// browser sends `Sec-GPC: 1` or `DNT: 1`.
///
/// The output is that of [`Call::write`], or `{"refused"}`: `bad-call` if the query is not valid, the reason of
/// [`Call::allow`] if privacy forbids the sync, `bad-redirect` if the SSP's `sync_redirect_hosts` do not allow `redirect`.
#[wasm_bindgen]
pub fn sync(len: usize, ssp: usize, opted_out: bool) {
    called(len, |query, output, Bidder { scratch, catalog, .. }| {
        let call = catalog.as_ref().ok_or("bad-call").and_then(|catalog| {
            let arena = scratch.arena();
            let call = Call::read(query, arena).ok_or("bad-call")?;
            call.allow(opted_out, &catalog.privacy, arena)?;
            let ssp = catalog.parts().ssps().get(ssp);
            let hosts = ssp.map(|ssp| ssp.sync_redirect_hosts()).unwrap_or_default();
            call.within(hosts.iter()).ok_or("bad-redirect")
        });
        match call {
            Ok(call) => call.write(output),
            Err(refused) => {
                let mut object = json::Object::begin(output);
                object.string("refused", refused);
                object.end();
            }
        }
    });
}

/// Calls `run` with the first `len` bytes of input, the emptied output and the bidder.
fn called<R>(len: usize, run: impl FnOnce(&[u8], &mut String, &mut Bidder) -> R) -> R {
    with(|Buffers { input, output, .. }, bidder| {
        output.clear();
        run(input.get(..len).unwrap_or_default(), output, bidder)
    })
}

/// Bytes as text; empty if they are not UTF-8.
fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or_default()
}

fn whole(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn with<R>(run: impl FnOnce(&mut Buffers, &mut Bidder) -> R) -> R {
    buffers::with(|buffers| BIDDER.with_borrow_mut(|bidder| run(buffers, bidder)))
}
