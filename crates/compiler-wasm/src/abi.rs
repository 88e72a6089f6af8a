//! The exports of the Wasm module. They take and return numbers; bytes go through the [`bidder_wasm::buffers`].

use std::cell::RefCell;

use bidder_wasm::buffers::{self, Buffers};
use bidder_wasm::catalog::{Catalog, Snapshot};
use bidder_wasm::context::Context;
use bidder_wasm::pace::Pacing;
use bidder_wasm::read::{Body, Format};
use bidder_wasm::stop::Stop;
use bidder_wasm::write;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::compile::{self, Zone};
use crate::decode::{self, object};
use crate::explain::Only;
use crate::{answers, explain, redact, strict};

thread_local! {
    /// The time zones of the host.
    static ZONES: RefCell<Vec<Zone>> = RefCell::default();
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

object! {
    /// What the host asks [`explain()`].
    struct Question {
        ssp: Option<i64>,
        /// The time of the decision in milliseconds since the Unix epoch.
        now: Option<i64>,
        /// The version of the catalog, 16 hexadecimal digits.
        version: Option<String>,
        /// Whether the body is in protobuf, and not in JSON.
        protobuf: Option<bool>,
        /// Whether everything is stopped.
        all: Option<bool>,
        /// The campaigns that are stopped.
        cids: Vec<String>,
        /// The text of [`Pacing::read`]; a text that is no shares means that none are known.
        shares: Option<String>,
        /// Whether bids for SKAdNetwork are signed.
        skadn: Option<bool>,
        /// The impression and the campaign of [`Only`].
        imp: Option<String>,
        campaign: Option<String>,
    }
}

/// Explains the decision of the serving module on a bid request. The input is the snapshot, the body, and a question as
/// JSON.
///
/// The output is the report of [`explain::explain`], or `{"error"}` if the body is not a bid request or the snapshot is
/// refused.
#[wasm_bindgen]
#[must_use]
pub fn explain(snapshot: usize, body: usize, question: usize) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        let (snapshot, rest) = input.split_at_checked(snapshot).unwrap_or_default();
        let (body, rest) = rest.split_at_checked(body).unwrap_or_default();
        let question = decode::from_json::<Question>(rest.get(..question).unwrap_or_default());
        let question = question.ok().and_then(|decoded| decoded.value).unwrap_or_default();
        let explained = Snapshot::open(snapshot)
            .map_err(|bad| bad.to_string())
            .and_then(|catalog| question.explain(body, &catalog, output));
        explained.map_err(|error| write::error(output, &error)).is_ok()
    })
}

impl Question {
    fn explain(&self, body: &[u8], catalog: &Catalog<'_>, output: &mut String) -> Result<(), String> {
        let lines: String = self.cids.iter().flat_map(|cid| [cid, "\n"]).collect();
        let (stop, _) = Stop::read(&lines, self.all == Some(true), catalog);
        let pacing = Pacing::read(self.shares.as_deref().unwrap_or_default(), catalog);
        let context = Context {
            now_ms: self.now.unwrap_or_default(),
            version: u64::from_str_radix(self.version.as_deref().unwrap_or_default(), 16).unwrap_or_default(),
            pacing: pacing.as_ref(),
            stop: stop.as_ref(),
            signs_skadn: self.skadn == Some(true),
            ..Context::default()
        };
        let format = if self.protobuf == Some(true) { Format::Protobuf } else { Format::Json };
        let only = Only {
            imp: self.imp.as_deref().unwrap_or_default(),
            campaign: self.campaign.as_deref().unwrap_or_default(),
        };
        let ssp = self.ssp.and_then(|ssp| usize::try_from(ssp).ok()).unwrap_or(usize::MAX);
        explain::explain(Body::from(body).encoded_as(format), ssp, catalog, &context, Some(only), output)
    }
}
