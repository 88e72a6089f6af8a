//! The exports of the Wasm module. They take and return numbers; bytes go through the [`base::buffers`].

use base::json;
use std::cell::RefCell;

use auction::context::Context;
use auction::options::inputs::Inputs;
use auction::pace::Pacing;
use auction::stop::Stop;
use base::buffers::{self, Buffers};
use base::json::Object;
use catalog::{Catalog, Snapshot};
use openrtb::read::{Body, Format};
use shading::Curves;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::shape;
use compiler::Zone;
use document::decode::Finding;
use document::object;
use explain::Only;
use validate::{redact, strict};

thread_local! {
    /// The time zones of the host.
    static ZONES: RefCell<Vec<Zone>> = RefCell::default();
}

/// Lists the time zones that a catalog document names. The document is the first `len` bytes of input. The output is
/// `{"zones":[IANA names]}`, without `zones` if the document names none.
#[wasm_bindgen]
pub fn zones_of(len: usize) {
    answer(|input, output| {
        let zones = compiler::zones_of(input.get(..len).unwrap_or_default());
        let mut object = Object::begin(output);
        object.texts("zones", &zones);
        object.end();
        Ok(())
    });
}

/// Sets the time zones for [`compile()`] from the first `len` bytes of input:
/// `{"zones":[{"name","changes":[ms since the epoch, offset from UTC in minutes, …]}]}`. An offset applies from its
/// instant on.
#[wasm_bindgen]
pub fn set_zones(len: usize) {
    buffers::with(|buffers| ZONES.set(Zone::from_json(buffers.input.get(..len).unwrap_or_default())));
}

/// Clears the output, and passes the input and the output to `write`. Writes the error instead, and returns false, if it
/// returns one.
fn answer(write: impl FnOnce(&[u8], &mut String) -> Result<(), String>) -> bool {
    buffers::with(|Buffers { input, output, .. }| {
        output.clear();
        write(input, output).map_err(|error| json::error(output, &error)).is_ok()
    })
}

/// Compiles the first `len` bytes of input, a catalog document.
///
/// The output is `{"findings":[{"path","rule","message","severity"}],"supply_old_ms"}`, without `findings` if there are
/// none; `supply_old_ms` is [`Compiled::supply_old_ms`](compiler::Compiled::supply_old_ms). Returns false if a finding is an
/// error. Returns true if the catalog is compiled: [`buffers::snapshot`] has the snapshot, which stays in memory as long as
/// the instance.
#[wasm_bindgen]
#[must_use]
pub fn compile(len: usize) -> bool {
    buffers::with(|Buffers { input, output, snapshot }| {
        let document = core::mem::take(input);
        output.clear();
        let compiled = ZONES.with_borrow(|zones| compiler::compile(document.get(..len).unwrap_or_default(), zones));
        let (found, old) = match &compiled {
            Ok(compiled) => (&compiled.notes, compiled.supply_old_ms),
            Err(errors) => (errors, None),
        };
        let mut object = Object::begin(output);
        findings(&mut object, found);
        object.maybe("supply_old_ms", old);
        object.end();
        compiled.map(|compiled| *snapshot = compiled.snapshot.into_bytes().leak()).is_ok()
    })
}

/// Finds the known name that is most similar to another name. The first `len` bytes of input are the name and the known
/// names, each followed by a line break. The output is the known name, empty if none is similar enough.
#[wasm_bindgen]
pub fn nearest(len: usize) {
    answer(|input, output| {
        let text = String::from_utf8_lossy(input.get(..len).unwrap_or_default());
        let (name, known) = text.split_once('\n').unwrap_or_default();
        output.push_str(document::decode::nearest(name, known.split_terminator('\n')).unwrap_or_default());
        Ok(())
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
    answer(|input, output| {
        let body = input.get(..len).unwrap_or_default();
        let found = strict::validate(body).map_err(|bad| strict::sentence(bad, body))?;
        let mut object = Object::begin(output);
        findings(&mut object, &found);
        object.end();
        Ok(())
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

/// Describes campaigns in sentences. The input is the snapshot, followed by each `cid`, with line breaks between them.
///
/// The output is that of [`explain::describe`] for each, with line breaks between them, or `{"error"}` in its place if
/// the snapshot has no such campaign; or one `{"error"}` if the snapshot is refused.
#[wasm_bindgen]
#[must_use]
pub fn describe(snapshot: usize, cids: usize) -> bool {
    answer(|input, output| {
        let (snapshot, rest) = input.split_at_checked(snapshot).unwrap_or_default();
        let cids = String::from_utf8_lossy(rest.get(..cids).unwrap_or_default());
        let catalog = Snapshot::open(snapshot).map_err(|bad| bad.to_string())?;
        for (at, cid) in cids.split('\n').enumerate() {
            if at > 0 {
                output.push('\n');
            }
            explain::describe(cid, &catalog, output).unwrap_or_else(|error| json::error(output, &error));
        }
        Ok(())
    })
}

/// Writes what each campaign of a snapshot, the first `len` bytes of input, could buy: [`shape::write`].
///
/// Returns false if the snapshot is refused: the output is then `{"error"}`.
#[wasm_bindgen]
#[must_use]
pub fn shape(len: usize) -> bool {
    answer(|input, output| {
        let catalog = Snapshot::open(input.get(..len).unwrap_or_default()).map_err(|bad| bad.to_string())?;
        shape::write(&catalog, output);
        Ok(())
    })
}

object! {
    /// What the host asks [`explain()`].
    struct Question {
        ssp: Option<i64>,
        /// The time of the decision in milliseconds since the Unix epoch.
        now: i64,
        /// The version of the catalog, 16 hexadecimal digits.
        version: String,
        /// The format of the body: `protobuf`, or else JSON.
        format: String,
        /// Whether everything is stopped.
        all: bool,
        /// The campaigns that are stopped.
        cids: Vec<String>,
        /// The text of [`Pacing::read`]; a text that is no shares means that none are known.
        shares: String,
        /// Whether bids are signed.
        signs: bool,
        /// The impression and the campaign of [`Only`].
        imp: String,
        campaign: String,
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
    answer(|input, output| {
        let (snapshot, rest) = input.split_at_checked(snapshot).unwrap_or_default();
        let (body, rest) = rest.split_at_checked(body).unwrap_or_default();
        let question = document::decode::from_json::<Question>(rest.get(..question).unwrap_or_default());
        let question = question.ok().and_then(|decoded| decoded.value).unwrap_or_default();
        let catalog = Snapshot::open(snapshot).map_err(|bad| bad.to_string())?;
        question.explain(body, &catalog, output)
    })
}

/// Appends `"findings":[{"path","rule","of","message","severity"}]`, without `of` if it is empty. `severity` is
/// `error`, or `note` for a finding that does not refuse a catalog.
fn findings(object: &mut Object<'_>, findings: &[Finding]) {
    object.objects("findings", findings, |entry, finding| {
        entry.string("path", &finding.path);
        entry.string("rule", &finding.rule.to_string());
        entry.text("of", &finding.of);
        entry.string("message", &finding.message);
        entry.string("severity", if finding.rule.is_note() { "note" } else { "error" });
    });
}

impl Question {
    fn explain(&self, body: &[u8], catalog: &Catalog<'_>, output: &mut String) -> Result<(), String> {
        let lines: String = self.cids.iter().flat_map(|cid| [cid, "\n"]).collect();
        let (stop, _) = Stop::read(&lines, self.all, catalog);
        let pacing = Pacing::read(&self.shares, catalog);
        let mut curves = Curves::default();
        curves.read(&self.shares);
        let context = Context {
            now_ms: self.now,
            version: u64::from_str_radix(&self.version, 16).unwrap_or_default(),
            pacing: pacing.as_ref(),
            stop: stop.as_ref(),
            options: Inputs { curves: Some(&curves), signs: self.signs, ..Inputs::default() },
            ..Context::default()
        };
        let format = if self.format == "protobuf" { Format::Protobuf } else { Format::Json };
        let only = Only { imp: &self.imp, campaign: &self.campaign };
        let ssp = self.ssp.and_then(|ssp| usize::try_from(ssp).ok()).unwrap_or(usize::MAX);
        explain::explain(Body::from(body).encoded_as(format), ssp, catalog, &context, Some(only), output)
    }
}
