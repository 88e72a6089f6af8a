//! What the Worker calls besides the [`crate::buffers`]: numbers in, numbers out.
//!
//! One instance holds one catalog: reserve room and write the snapshot there, `load` it once,
//! then for each request reserve, write the body, `decide`, and read the output before the next
//! call. Nothing here knows HTTP beyond the status to answer with.

use std::cell::RefCell;

use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::buffers::{self, Buffers};
use crate::catalog::{Catalog, Snapshot};
use crate::context::{Context, Standing};
use crate::read::Body;
use crate::sync::Call;
use crate::{Outcome, Scratch, bid, write};

#[derive(Default)]
struct Bidder {
    scratch: Scratch,
    catalog: Option<Catalog<'static>>,
    /// The catalog's.
    version: u64,
}

thread_local! {
    static BIDDER: RefCell<Bidder> = RefCell::default();
}

/// How many ways to bid the last [`decide`] looked at: see [`crate::decide::Effort`].
#[wasm_bindgen]
#[must_use]
pub fn examined() -> usize {
    with(|_, bidder| bidder.scratch.effort().examined)
}

/// How much work the last [`decide`] did: see [`crate::decide::Effort`].
#[wasm_bindgen]
#[must_use]
pub fn work() -> usize {
    with(|_, bidder| bidder.scratch.effort().work)
}

/// Takes the first `len` bytes of input as the snapshot to decide with, once in an instance's life. The two halves of its
/// version are told in explanations, and in bids where the catalog wants that.
///
/// True: it is in use, and the output is `{"campaigns":N,"ssps":[ids in order],"syncs":[where each wants our id],
/// "closed":[ids of those that need credentials],"gzip":[ids of those that take gzip],"tmax":[what each allows in
/// milliseconds, 0 where it is not told],"reasons":[names in order]}`. False:
/// the input is lost, and the output is `{"error"}`.
#[wasm_bindgen]
#[must_use]
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
                write::error(&mut buffers.output, &bad.to_string());
                false
            }
        }
    })
}

/// Whether the first `len` bytes of input are a bearer token that the SSP with number `ssp` may
/// send. An SSP without credentials needs none.
#[wasm_bindgen]
#[must_use]
pub fn authorize(ssp: usize, len: usize) -> bool {
    with(|buffers, bidder| {
        let Some(ssp) = bidder.catalog.as_ref().and_then(|catalog| catalog.parts().ssps().get(ssp)) else {
            return false;
        };
        if ssp.credentials().is_empty() {
            return true;
        }
        let digest = Sha256::digest(buffers.input.get(..len).unwrap_or_default());
        let digits = || digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        // Every digit is compared whatever the earlier ones gave, so that time tells nothing.
        let same = |known: &str| {
            let known = known.chars().map(|digit| digit.to_digit(16).unwrap_or(u32::MAX));
            known.zip(digits()).fold(0, |differing, (a, b)| differing | (a ^ u32::from(b))) == 0
        };
        ssp.credentials().iter().any(same)
    })
}

/// Decides on the first `len` bytes of input as a bid request of the SSP with number `ssp`, at
/// `now_ms` milliseconds since the epoch. The two halves of the seed make the bid ids.
///
/// The low 13 bits are the HTTP status to answer with: 200 (the output is the body), 204 or 400. The
/// next bit tells that there were more impressions than are looked at, the one after it that the auction is a test, the third
/// that the decision was cut off: see [`crate::decide::Effort::gave_up`]. The
/// high 16 bits are 0, or one more than the number of the no-bid reason.
#[wasm_bindgen]
#[must_use]
pub fn decide(len: usize, ssp: usize, now_ms: f64, seed_high: u32, seed_low: u32) -> u32 {
    with(|Buffers { input, output, .. }, Bidder { scratch, catalog, version }| {
        output.clear();
        let Some(catalog) = catalog else { return 204 };
        let context = context(now_ms, whole(seed_high, seed_low), *version);
        let body = Body::within(input, len);
        let outcome = bid(scratch, body, ssp, catalog, &context, &mut (), output);
        let effort = scratch.effort();
        let flags =
            u32::from(effort.more_imps) << 13 | u32::from(scratch.is_test()) << 14 | u32::from(effort.gave_up) << 15;
        flags
            | match outcome {
                Outcome::Bid => 200,
                Outcome::NoBid(reason) => (reason as u32 + 1) << 16 | if output.is_empty() { 204 } else { 200 },
                Outcome::BadRequest(_) => 400,
            }
    })
}

/// Reads the first `len` bytes of input as the query of a sync call of the SSP with number `ssp`. `opted_out`: the browser
/// sends `Sec-GPC: 1` or `DNT: 1`.
///
/// 0: it is none. 1: privacy forbids to act on it. 2: it may be acted on, and the output is [`Call::write`]'s. 3: it wants
/// the browser sent where the SSP's `sync_redirect_hosts` do not allow it.
#[wasm_bindgen]
#[must_use]
pub fn sync(len: usize, ssp: usize, opted_out: bool) -> u32 {
    with(|Buffers { input, output, .. }, Bidder { scratch, catalog, .. }| {
        output.clear();
        let Some(catalog) = catalog else { return 0 };
        let arena = scratch.arena();
        let Some(call) = Call::read(input.get(..len).unwrap_or_default(), arena) else { return 0 };
        if !call.is_allowed(opted_out, &catalog.privacy, arena) {
            return 1;
        }
        let ssp = catalog.parts().ssps().get(ssp);
        let hosts = ssp.map(|ssp| ssp.sync_redirect_hosts()).unwrap_or_default();
        let Some(call) = call.within(hosts.iter()) else { return 3 };
        call.write(output);
        2
    })
}

/// From now on [`decide`] leaves records beside the response: of each bid if `bids`, and of the auction where `weight`, the
/// number of auctions that it stands for, is not 0. See [`write::Records`].
#[wasm_bindgen]
pub fn record(bids: bool, weight: u32) {
    with(|_, Bidder { scratch, .. }| {
        scratch.records.bids = bids;
        scratch.records.weight = weight;
    });
}

/// Where the records of the last decision are.
#[wasm_bindgen]
#[must_use]
pub fn records() -> usize {
    with(|_, bidder| bidder.scratch.records.lines.as_ptr() as usize)
}

/// How many bytes of records the last decision left.
#[wasm_bindgen]
#[must_use]
pub fn records_len() -> usize {
    with(|_, bidder| bidder.scratch.records.lines.len())
}

/// How many records of the last decision were left out, because all together would have been too long.
#[wasm_bindgen]
#[must_use]
pub fn records_dropped() -> u32 {
    with(|_, bidder| bidder.scratch.records.dropped)
}

/// Where the first `len` bytes of input, a bid request, fall among [`Standing::WHOLE`]: equal ids fall alike, and
/// independently for each version that an instance may have. [`Standing::WHOLE`] for what is no bid request.
#[wasm_bindgen]
#[must_use]
pub fn lot(len: usize) -> u32 {
    with(|Buffers { input, .. }, Bidder { scratch, version, .. }| {
        let body = Body::within(input, len);
        crate::lot(scratch, body, &version.to_be_bytes()).unwrap_or(Standing::WHOLE)
    })
}

// Times since the epoch are far below 2^53, where a float is exact.
#[allow(clippy::cast_possible_truncation)]
fn context(now_ms: f64, seed: u64, version: u64) -> Context<'static> {
    Context { now_ms: now_ms as i64, seed, version, standings: &[] }
}

fn whole(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn with<R>(run: impl FnOnce(&mut Buffers, &mut Bidder) -> R) -> R {
    buffers::with(|buffers| BIDDER.with_borrow_mut(|bidder| run(buffers, bidder)))
}
