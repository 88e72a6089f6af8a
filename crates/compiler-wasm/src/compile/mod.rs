//! Compiles catalog documents: checks what people wrote and makes the [`Snapshot`] that serves.
//!
//! A document with any mistake is refused whole, and every finding says where it is and what was expected.

mod amount;
mod campaign;
mod companion;
mod contradiction;
mod creative;
mod dimensions;
pub mod document;
mod dsa;
mod hours;
mod index;
pub(crate) mod iso;
mod needs;
mod plain_http;
mod reach;
mod ready_vast;
mod settings;
mod shading;
mod ssp;
mod sync_url;
mod target;
mod told;
mod vast;
mod words;

use bidder_wasm::catalog::Snapshot;

use crate::decode::{self, Finding, Rule};
pub use hours::Zone;
pub(crate) use plain_http::plain_http;
use told::Told;

/// The version of the document format that this crate reads.
pub const FORMAT: i64 = 1;

/// A compiled catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The catalog as it is pushed.
    pub snapshot: Snapshot,
    /// Findings that do not refuse it: see [`Rule::is_note`].
    pub notes: Vec<Finding>,
}

/// The time zones that a catalog document names, each once. Empty for what is no catalog.
#[must_use]
pub fn zones_of(text: &[u8]) -> Vec<String> {
    // Decoding takes as long as compiling, and most catalogs name none.
    let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
    if !has(b"\"zone\"") && !has(b"\\u") {
        return Vec::new();
    }
    let document = decode::from_json::<document::Document>(text).ok().and_then(|decoded| decoded.value);
    let targets = document.unwrap_or_default().campaigns.into_iter().filter_map(|campaign| campaign.target);
    let mut names: Vec<String> = targets.filter_map(|target| target.zone).collect();
    names.sort();
    names.dedup();
    names
}

/// Checks a catalog document and compiles it: the same document and zones give the same bytes. A finding that is no note refuses
/// it. All findings come at once: the first [`MAX_FINDINGS`](bidder_wasm::limits::MAX_FINDINGS), and how many more there are;
/// notes are left out first.
///
/// `zones` are the time zones that the host knows, for campaigns that bid by the hour.
pub fn compile(text: &[u8], zones: &[Zone]) -> Result<Compiled, Vec<Finding>> {
    let decoded = decode::from_json::<Told>(text).map_err(|error| vec![told::not_json(text, error)])?;
    let mut findings = decoded.findings;
    let Told { document, order } = decoded.value.unwrap_or_default();
    let parts = campaign::compile(&document, zones, &mut findings);
    let findings = told::arranged(findings, decoded.findings_left_out, &document, &order);
    // A large document takes more memory than all that follows.
    drop(document);
    let refused = !findings.iter().all(|finding| finding.rule.is_note());
    if refused { Err(findings) } else { Ok(Compiled { snapshot: Snapshot::of(parts), notes: findings }) }
}

fn finding(path: String, rule: Rule, message: String) -> Finding {
    Finding::new(path, rule, message)
}

#[cfg(test)]
mod tests;
