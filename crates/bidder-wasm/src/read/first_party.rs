//! First-party data for us in `ext.prebid.bidderconfig`, merged by the rules in [`crate::request`].
//!
//! What is merged are slots, before anything is read from them: one that is there goes over the request's own, and of two
//! objects each attribute by itself. What no configuration may touch of a user has no row in `UserPatch`.

use super::rows::{Action, Kind};
use super::slot::{Slot, Slots};
use super::table::{App, BidRequest, BidderConfig, Config, Ortb2, Prebid, RequestExt, User};
use super::values::Values;

/// The objects of a request that may be merged, where a configuration has them, and their kinds.
const MERGED: [(usize, usize, u8); 3] = [
    (BidRequest::site, Ortb2::site, App::KIND),
    (BidRequest::app, Ortb2::app, App::KIND),
    (BidRequest::user, Ortb2::user, User::KIND),
];

/// The next configuration behind `after`, or the first one, that is for us: its block, and what it has for each of [`MERGED`].
pub(super) fn configurations<'r>(
    values: &'r Values<'_, '_>,
    root: usize,
    code: &'r str,
) -> impl Iterator<Item = usize> + 'r {
    let in_block = |block: Option<usize>, attribute: usize| Some(values.slots.get(block? + attribute));
    let ext = in_block(Some(root), BidRequest::ext).and_then(Slot::block);
    let prebid = in_block(ext, RequestExt::prebid).and_then(Slot::block);
    let entries = in_block(prebid, Prebid::bidderconfig).unwrap_or_default();
    let ours = values.slots.blocks(entries).filter(move |entry| is_for(values, *entry, code));
    ours.filter_map(move |entry| {
        let config = in_block(Some(entry), BidderConfig::config)?.block();
        in_block(config, Config::ortb2)?.block()
    })
}

/// Whether an entry is for the bidder `code`, or for all of them.
fn is_for(values: &Values<'_, '_>, entry: usize, code: &str) -> bool {
    let bidders = values.texts(values.slots.get(entry + BidderConfig::bidders)).unwrap_or_default();
    bidders.iter().any(|bidder| *bidder == "*" || is_code(bidder, code))
}

/// Prebid Server takes the codes it knows in any case of letters. No code is nobody's.
fn is_code(bidder: &str, code: &str) -> bool {
    !code.is_empty() && bidder.eq_ignore_ascii_case(code)
}

/// Lays what the configuration in block `patch` holds over the request in block `root`, where that has such an object. What is
/// told of a user makes one; nothing makes a site or an app.
pub(super) fn merge(slots: &mut Slots, root: usize, patch: usize) {
    for (own, patching, kind) in MERGED {
        let Some(patching) = slots.get(patch + patching).block() else { continue };
        match (slots.get(root + own).block(), Kind::of(kind)) {
            (Some(own), Some(kind)) => lay_over(slots, own, patching, kind),
            _ if own == BidRequest::user => slots.set(root + own, Slot::object(patching)),
            _ => {}
        }
    }
}

/// Lays the attributes of one object over those of another of the same kind.
fn lay_over(slots: &mut Slots, own: usize, patch: usize, kind: &Kind) {
    for row in kind.rows() {
        let (place, patch) = (own + usize::from(row.slot), slots.get(patch + usize::from(row.slot)));
        if patch.is_absent() {
            continue;
        }
        match (slots.get(place).block(), patch.block(), Kind::of(row.kind)) {
            (Some(own), Some(patch), Some(kind)) if row.action == Action::Object => lay_over(slots, own, patch, kind),
            _ => slots.set(place, patch),
        }
    }
}
