//! Compiles catalog documents: checks what authors wrote and makes the [`Snapshot`] that serves.
//!
//! One error refuses the whole document. A finding tells its path, what is wrong and what was expected.

mod campaigns;
mod catalog;
mod codes;
mod drafts;
mod findings;
mod hints;
mod index;
mod macros;
pub mod meanings;
mod media;
mod money;
mod needs;
mod own_values;
mod references;
mod repeats;
mod ssps;
mod targets;
mod taxonomy;

use std::cell::RefCell;

use ::catalog::Snapshot;

use document::Document;
use document::check::At;
use document::decode::Finding;
use findings::OrderedDocument;

pub use macros::plain_http::plain_http;
pub use targets::dimensions::{name_of, segment};
pub use targets::hours::Zone;
pub use targets::iso;

/// A compiled catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The compiled catalog as bytes.
    pub snapshot: Snapshot,
    /// Findings that do not refuse the catalog: see [`Rule::is_note`](document::decode::Rule::is_note).
    pub notes: Vec<Finding>,
    /// From when on the files of `supply` are too old, in milliseconds since the epoch; `None` if no campaign asks for
    /// them.
    pub supply_old_ms: Option<i64>,
}

/// The time zones that a catalog document names, without duplicates. Empty if the text is not a catalog.
#[must_use]
pub fn zones_of(text: &[u8]) -> Vec<String> {
    // Most catalogs name no zone, and decoding is slow. So search for the key first; `\u` escapes may hide it.
    let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
    if !has(b"\"zone\"") && !has(b"\\u") {
        return Vec::new();
    }
    let document = document::decode::from_json::<Document>(text).ok().and_then(|decoded| decoded.value);
    let Document { campaigns, templates, orders, .. } = document.unwrap_or_default();
    let all = campaigns.into_iter().chain(templates.into_iter().map(|template| template.attributes));
    let targets = all.flat_map(|one| one.target.into_iter().chain(one.bids.into_iter().filter_map(|bid| bid.when)));
    let of_orders = orders.into_iter().filter_map(|order| order.zone);
    let mut names: Vec<String> = targets.filter_map(|target| target.zone).chain(of_orders).collect();
    names.sort();
    names.dedup();
    names
}

/// Checks a catalog document and compiles it. The same document and zones always give the same bytes.
///
/// It does not stop at the first error, unless the text is not JSON. The findings are sorted, errors before notes. At
/// most [`MAX_FINDINGS`](base::limits::MAX_FINDINGS) are listed; if there are more, one last finding says how
/// many. An `Err` holds errors and notes; an `Ok` holds only notes. `zones` are the time zones that the host knows, for
/// campaigns with `hours`.
pub fn compile(text: &[u8], zones: &[Zone]) -> Result<Compiled, Vec<Finding>> {
    let decoded =
        document::decode::from_json::<OrderedDocument>(text).map_err(|error| vec![findings::not_json(text, error)])?;
    let OrderedDocument { mut document, order } = decoded.value.unwrap_or_default();
    let found = RefCell::new(decoded.findings);
    let at = At::document(&found);
    document::templates::apply(&mut document, &at);
    ssps::profiles::apply(&mut document.ssps, &at);
    let marked = macros::mark_all(&mut document, &mut at.findings());
    let parts = catalog::compile(&document, &marked, zones, &found);
    let found = findings::prepared(found.into_inner(), decoded.findings_left_out, &document, &order);
    // Free the document now: a large one takes more memory than all later steps.
    drop(document);
    let refused = !found.iter().all(|finding| finding.rule.is_note());
    if refused {
        return Err(found);
    }
    let supply_old_ms = parts.supply.first().map(|supply| supply.old_from_ms);
    Ok(Compiled { snapshot: Snapshot::of(parts), notes: found, supply_old_ms })
}

#[cfg(test)]
pub(crate) mod tests;
