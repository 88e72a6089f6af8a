//! The functions that the Worker calls. They take and return numbers; bytes go through [`crate::buffers`].
//!
//! One instance holds one catalog. Reserve room, write the snapshot, and `load` it once. For each request: reserve
//! room, write the body, `decide`, and read the output before the next call.

use std::cell::RefCell;

use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::buffers::{self, Buffers};
use crate::caps::{Allowed, Kind, Person};
use crate::catalog::{Catalog, Snapshot};
use crate::context::{Context, LOTS};
use crate::frequency::Frequency;
use crate::notices::Notices;
use crate::pace::Pacing;
use crate::read::Body;
use crate::settle::{Desk, Directory, PriceKeys};
use crate::stop::Stop;
use crate::sync::Call;
use crate::{Outcome, Scratch, bid, write};

#[derive(Default)]
struct Bidder {
    scratch: Scratch,
    catalog: Option<Catalog<'static>>,
    /// The catalog's version.
    version: u64,
    notices: Option<Notices>,
    price_keys: PriceKeys,
    /// Made by the first notice, because it takes time in proportion to the catalog.
    directory: Option<Directory>,
    /// What is stopped of the catalog; `None` for nothing.
    stop: Option<Stop>,
    /// The shares of campaigns with a budget; `None` before they are known.
    pacing: Option<Pacing>,
    /// What the object of a person allows, for the next [`decide_capped`].
    allowed: Allowed,
}

thread_local! {
    static BIDDER: RefCell<Bidder> = RefCell::default();
}

/// How many ways to bid the last [`decide`] examined: see [`crate::decide::Effort`].
#[wasm_bindgen]
#[must_use]
pub fn examined() -> usize {
    with(|_, bidder| bidder.scratch.effort().examined)
}

/// How much work the last [`decide`] did, in units of [`crate::work`].
#[wasm_bindgen]
#[must_use]
pub fn work() -> usize {
    with(|_, bidder| bidder.scratch.effort().work)
}

/// Takes the first `len` bytes of input as the snapshot to decide with. Call it once per instance. The catalog's
/// version comes in two halves of 32 bits. It goes into records and, if the catalog wants it, into bids.
///
/// Returns true if the snapshot is in use. The output is then
/// `{"campaigns":N,"budgets":N,"ssps":[…],"syncs":[…],"closed":[…],"gzip":[…],"tmax":[…],"reasons":[…],"caps":…}`:
///
/// - `budgets`: the number of campaigns with a budget,
/// - `ssps`: the ids in order,
/// - `syncs`: for each SSP, the address that takes our id,
/// - `closed`: the ids of SSPs that need credentials,
/// - `gzip`: the ids of SSPs that accept gzip,
/// - `tmax`: for each SSP, the time for an answer in milliseconds, 0 if unknown,
/// - `reasons`: the names of the no-bid reasons in order,
/// - `caps`: whether a campaign or a creative has a frequency cap.
///
/// Returns false if the input is not a valid snapshot. The output is then `{"error":…}`, and the input is lost.
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

/// Whether the first `len` bytes of input are a valid bearer token of the SSP at place `ssp` of the catalog. An SSP
/// without credentials needs no token.
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
        // Compare every digit, so that the time does not reveal where the first difference is.
        let same = |known: &str| {
            let known = known.chars().map(|digit| digit.to_digit(16).unwrap_or(u32::MAX));
            known.zip(digits()).fold(0, |differing, (a, b)| differing | (a ^ u32::from(b))) == 0
        };
        ssp.credentials().iter().any(same)
    })
}

/// Decides on the first `len` bytes of input, a bid request of the SSP at place `ssp`, at `now_ms` milliseconds since
/// the Unix epoch. The seed for bid ids comes in two halves of 32 bits.
///
/// The bits of the result:
///
/// - 0 to 9: the HTTP status to answer with, 200 (the output is the body), 204 or 400,
/// - 12: the best bids have frequency caps. [`asked`] says what to ask about the person, and the answer is to be sent
///   only if [`decide_capped`] is not called,
/// - 13: the request has more impressions than [`MAX_IMPS`](crate::limits::MAX_IMPS), and the rest was ignored,
/// - 14: the auction is a test,
/// - 15: the decision was cut off, see [`crate::decide::Effort::gave_up`],
/// - 16 to 31: the number of the no-bid reason plus 1, or 0 if there is none.
#[wasm_bindgen]
#[must_use]
pub fn decide(len: usize, ssp: usize, now_ms: f64, seed_high: u32, seed_low: u32) -> u32 {
    decide_within(len, ssp, now_ms, whole(seed_high, seed_low), false)
}

/// Decides again on a request about which [`decide`] has asked, with what [`allow`] has said. The other arguments are the
/// same again. Other campaigns and creatives with frequency caps do not bid. [`asked`] then has the bids that count.
#[wasm_bindgen]
#[must_use]
pub fn decide_capped(len: usize, ssp: usize, now_ms: f64, seed_high: u32, seed_low: u32) -> u32 {
    decide_within(len, ssp, now_ms, whole(seed_high, seed_low), true)
}

/// Sets what [`decide_capped`] may bid for, from the first `len` bytes of input: see [`Allowed::read`].
#[wasm_bindgen]
pub fn allow(len: usize) {
    with(|Buffers { input, .. }, Bidder { allowed, .. }| {
        *allowed = Allowed::read(core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default());
    });
}

/// The address of what the last decision wants to ask or to count for frequency caps: see [`crate::caps::Ask`] and
/// [`crate::caps::write_sent`].
#[wasm_bindgen]
#[must_use]
pub fn asked() -> usize {
    with(|_, bidder| bidder.scratch.asked.as_ptr() as usize)
}

/// The length of [`asked`] in bytes; 0 if there is nothing.
#[wasm_bindgen]
#[must_use]
pub fn asked_len() -> usize {
    with(|_, bidder| bidder.scratch.asked.len())
}

/// Writes the keys of a person. The first `len` bytes of input are three lines: the kind of the id, its scope, and the
/// id, as in [`Person`]. The output is `{"object","keys"}` as in [`crate::caps::Ask`], or `{}` if there is no such kind or
/// there are no keys of notices.
#[wasm_bindgen]
pub fn keys_of(len: usize) {
    with(|Buffers { input, output, .. }, Bidder { notices, .. }| {
        output.clear();
        let text = core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default();
        let mut lines = text.splitn(3, '\n');
        let mut next = || lines.next().unwrap_or_default();
        let mut object = write::Object::begin(output);
        if let (Some(kind), Some(notices)) = (Kind::parse(next()), notices) {
            Person { kind, scope: next(), id: next() }.write(&mut object, &notices.keys);
        }
        object.end();
    });
}

fn decide_within(len: usize, ssp: usize, now_ms: f64, seed: u64, is_capped: bool) -> u32 {
    with(|Buffers { input, output, .. }, Bidder { scratch, catalog, version, stop, pacing, notices, allowed, .. }| {
        output.clear();
        let Some(catalog) = catalog else { return 204 };
        let mut context = Context {
            notices: notices.as_ref(),
            stop: stop.as_ref(),
            pacing: pacing.as_ref(),
            ..context(now_ms, seed, *version)
        };
        if is_capped {
            context.frequency = Frequency::Only(&allowed.subjects);
            context.counted_by = allowed.counted_by;
            context.max_work = Some(catalog.max_work / 2);
        }
        let body = Body::within(input, len);
        let outcome = bid(scratch, body, ssp, catalog, &context, &mut (), output);
        let effort = scratch.effort();
        let asks = !is_capped && !scratch.asked.is_empty();
        let flags = u32::from(asks) << 12
            | u32::from(effort.more_imps) << 13
            | u32::from(scratch.is_test()) << 14
            | u32::from(effort.gave_up) << 15;
        flags
            | match outcome {
                Outcome::Bid => 200,
                Outcome::NoBid(reason) => (reason as u32 + 1) << 16 | if output.is_empty() { 204 } else { 200 },
                Outcome::BadRequest(_) => 400,
            }
    })
}

/// Stops the campaigns whose ids are the first `len` bytes of input, each followed by a line break, or everything if
/// `all` is true. All other campaigns bid again, so no bytes and false lift the stop. Returns how many of the ids the
/// catalog has.
#[wasm_bindgen]
#[must_use]
pub fn stop(len: usize, all: bool) -> usize {
    with(|Buffers { input, .. }, Bidder { catalog, stop, .. }| {
        let Some(catalog) = catalog else { return 0 };
        // Bytes that are not text could mean any campaign, so they stop everything.
        let cids = core::str::from_utf8(input.get(..len).unwrap_or_default());
        let known;
        (*stop, known) = Stop::read(cids.unwrap_or_default(), all || cids.is_err(), catalog);
        known
    })
}

/// Writes the campaigns with a budget, for the pacer. The output is that of
/// [`write::budgets`](crate::write::budgets).
#[wasm_bindgen]
pub fn budgets() {
    with(|Buffers { output, .. }, Bidder { catalog, .. }| {
        output.clear();
        if let Some(catalog) = catalog {
            write::budgets(output, catalog);
        }
    });
}

/// Takes the first `len` bytes of input as the shares of campaigns with a budget: the text of
/// [`Shares`](pacing::shares::Shares). They count until the next call. Without any bytes, or with bytes that are no
/// shares, none are known; the latter returns false.
#[wasm_bindgen]
#[must_use]
pub fn set_shares(len: usize) -> bool {
    with(|Buffers { input, .. }, Bidder { catalog, pacing, .. }| {
        let Some(catalog) = catalog else { return false };
        let text = core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default();
        *pacing = Pacing::read(text, catalog);
        pacing.is_some() || len == 0
    })
}

/// Takes the counts of campaigns with a budget since the last call, at `now_ms` milliseconds since the Unix epoch, or 0
/// if the time is not known. The output is that of [`Demand::take`](crate::write::Demand::take).
// Milliseconds since the epoch are far below 2^53, so a float holds them exactly.
#[allow(clippy::cast_possible_truncation)]
#[wasm_bindgen]
pub fn take_counts(now_ms: f64) {
    with(|Buffers { output, .. }, Bidder { scratch, catalog, .. }| {
        output.clear();
        if let Some(catalog) = catalog {
            scratch.demand.take(now_ms as i64, catalog, output);
        }
    });
}

/// Reads the first `len` bytes of input as the query of a sync call for the SSP at place `ssp`. `opted_out`: the
/// browser sends `Sec-GPC: 1` or `DNT: 1`.
///
/// Returns
///
/// - 0 if the query is not valid,
/// - 1 if privacy forbids the sync,
/// - 2 if privacy allows the sync: [`Call::write`] writes the output,
/// - 3 if the SSP's `sync_redirect_hosts` do not allow `redirect`.
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

/// Sets the settings of notices from the first `len` bytes of input, lines of text: the origin of the URLs, such as
/// `https://bidder.example`; the number of shards of the ledger; the number of keys of tokens, and then these keys; and the keys of encoded prices, see
/// [`PriceKeys::new`]. Without an origin, bids have no notice URLs of ours.
///
/// The output is `{"errors":[…]}`, without `errors` if there are none.
#[wasm_bindgen]
pub fn set_notices(len: usize) {
    with(|Buffers { input, output, .. }, bidder| {
        output.clear();
        let Some(catalog) = &bidder.catalog else { return };
        let text = core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default();
        let mut lines = text.lines();
        let (settings, mut errors) = Notices::from_lines(&mut lines);
        let (price_keys, more) = PriceKeys::new(lines, catalog);
        errors.extend(more);
        (bidder.notices, bidder.price_keys) = (settings, price_keys);
        let mut object = write::Object::begin(output);
        object.texts("errors", &errors);
        object.end();
    });
}

/// Reads the first `len` bytes of input as the end of a notice's URL, `KIND/TOKEN?QUERY`, at `now_ms` milliseconds
/// since the Unix epoch. Returns false if there is no such kind of notice, or the bidder takes no notices. Otherwise
/// the output is the verdict: see [`Desk::write`].
// Milliseconds since the epoch are far below 2^53, so a float holds them exactly.
#[allow(clippy::cast_possible_truncation)]
#[wasm_bindgen]
#[must_use]
pub fn notice(len: usize, now_ms: f64) -> bool {
    with(|Buffers { input, output, .. }, Bidder { scratch, catalog, notices, price_keys, directory, .. }| {
        output.clear();
        let (Some(catalog), Some(notices)) = (catalog.as_ref(), notices.as_ref()) else { return false };
        let directory = directory.get_or_insert_with(|| Directory::of(catalog));
        let desk = Desk { notices, price_keys, directory, catalog, now_ms: now_ms as i64 };
        let verdict = desk.read(input.get(..len).unwrap_or_default(), scratch.arena());
        verdict.inspect(|verdict| desk.write(output, verdict)).is_some()
    })
}

/// Takes the counts of bids since the last call. The output is that of [`Tally::take`](crate::write::Tally::take).
#[wasm_bindgen]
pub fn take_tally() {
    with(|Buffers { output, .. }, Bidder { scratch, .. }| {
        output.clear();
        scratch.tally.take(output);
    });
}

/// Sets which records [`decide`] writes from now on: one for each bid if `bids` is true, and one for the auction if
/// `weight` is not 0. `weight` is the number of auctions that this record stands for. See [`write::Records`].
#[wasm_bindgen]
pub fn record(bids: bool, weight: u32) {
    with(|_, Bidder { scratch, .. }| {
        scratch.records.bids = bids;
        scratch.records.weight = weight;
    });
}

/// The address of the records of the last decision.
#[wasm_bindgen]
#[must_use]
pub fn records() -> usize {
    with(|_, bidder| bidder.scratch.records.lines.as_ptr() as usize)
}

/// The length of the records of the last decision, in bytes.
#[wasm_bindgen]
#[must_use]
pub fn records_len() -> usize {
    with(|_, bidder| bidder.scratch.records.lines.len())
}

/// How many records of the last decision were dropped, because all records together would be too long.
#[wasm_bindgen]
#[must_use]
pub fn records_dropped() -> u32 {
    with(|_, bidder| bidder.scratch.records.dropped)
}

/// A pseudo-random number below [`LOTS`] for the bid request in the first `len` bytes of input. It depends only on the
/// request's id and the version: see [`context::lot`](crate::context::lot). Returns [`LOTS`] if the input is not a bid
/// request.
#[wasm_bindgen]
#[must_use]
pub fn lot(len: usize) -> u32 {
    with(|Buffers { input, .. }, Bidder { scratch, version, .. }| {
        let body = Body::within(input, len);
        crate::lot(scratch, body, &version.to_be_bytes()).unwrap_or(LOTS)
    })
}

// Times since the epoch are far below 2^53; below it, a float holds integers exactly.
#[allow(clippy::cast_possible_truncation)]
fn context(now_ms: f64, seed: u64, version: u64) -> Context<'static> {
    Context { now_ms: now_ms as i64, seed, version, ..Context::default() }
}

fn whole(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn with<R>(run: impl FnOnce(&mut Buffers, &mut Bidder) -> R) -> R {
    buffers::with(|buffers| BIDDER.with_borrow_mut(|bidder| run(buffers, bidder)))
}
