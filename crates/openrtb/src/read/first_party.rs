//! Merges first-party data (`ext.prebid.bidderconfig`) into the request, by the rules in [`crate::request`].
//!
//! The merge works on slots, before values are converted. A slot of the patch replaces the slot of the request; two
//! objects merge attribute by attribute. The kind `UserPatch` has no rows for protected attributes of a user. Of
//! `ext.data`, both texts are kept: a value that the text of the patch has counts.

use super::objects::{App, BidRequest, BidderConfig, Config, Ortb2, Prebid, RequestExt, User, UserExt};
use super::rows::{Action, Kind};
use super::slot::{Slot, Slots};
use super::values::Values;

/// The objects that can be merged: slot in the request, slot in the patch, and kind.
const MERGED: [(usize, usize, u8); 3] = [
    (BidRequest::site, Ortb2::site, App::KIND),
    (BidRequest::app, Ortb2::app, App::KIND),
    (BidRequest::user, Ortb2::user, User::KIND),
];

/// The blocks of the `config.ortb2` objects that apply to the bidder `code`, in their order.
pub(super) fn patches<'r>(values: &'r Values<'_, '_>, root: usize, code: &'r str) -> impl Iterator<Item = usize> + 'r {
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

/// Whether an entry applies to the bidder `code` or to all bidders.
fn is_for(values: &Values<'_, '_>, entry: usize, code: &str) -> bool {
    let bidders = values.texts(values.slots.get(entry + BidderConfig::bidders)).unwrap_or_default();
    bidders.iter().any(|bidder| *bidder == "*" || is_code(bidder, code))
}

/// Compares without case, as Prebid Server does. An empty `code` matches no bidder.
fn is_code(bidder: &str, code: &str) -> bool {
    !code.is_empty() && bidder.eq_ignore_ascii_case(code)
}

/// Merges the patch in block `patch` into the request in block `root`. A patch can add a user, but not a site or an
/// app.
pub(super) fn merge_patch(slots: &mut Slots, root: usize, patch: usize) {
    for (target, source, kind) in MERGED {
        let Some(source) = slots.get(patch + source).block() else { continue };
        if target == BidRequest::user {
            protect(slots, source + User::ext);
        }
        match (slots.get(root + target).block(), Kind::of(kind)) {
            (Some(block), Some(kind)) => merge_object(slots, block, source, kind),
            _ if target == BidRequest::user => slots.set(root + target, Slot::object(source)),
            _ => {}
        }
    }
}

/// Removes the protected attributes from a patch of `user.ext`. Without an object, all of `ext` is removed, because it
/// would replace the consent of the request.
fn protect(slots: &mut Slots, ext: usize) {
    let protected = match slots.get(ext).block() {
        Some(block) => [block + UserExt::consent, block + UserExt::eids],
        None => [ext, ext],
    };
    for index in protected {
        slots.set(index, Slot::default());
    }
}

/// Merges the attributes of the object in block `source` into the object of the same kind in block `target`.
fn merge_object(slots: &mut Slots, target: usize, source: usize, kind: &Kind) {
    for attribute in kind.attributes {
        let slot = usize::from(attribute.slot);
        let (index, patch) = (target + slot, slots.get(source + slot));
        if patch.is_absent() {
            continue;
        }
        match (slots.get(index).block(), patch.block(), Kind::of(attribute.kind)) {
            (Some(target), Some(source), Some(kind)) if attribute.action == Action::Object => {
                merge_object(slots, target, source, kind);
            }
            (Some(target), Some(source), _) if attribute.action == Action::Whole => slots.put_in_front(source, target),
            _ => slots.set(index, patch),
        }
    }
}
