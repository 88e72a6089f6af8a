//! Settings of the whole catalog: `prebid_code` and `privacy`.

use core::num::NonZeroU16;

use crate::compile::check::At;
use crate::compile::document::{Document, PrivacyEntry, PurposeEntry};
use crate::decode::Rule;
use bidder_wasm::privacy::{Fallback, LegalBasis, Purposes, Settings};

/// The privacy settings. A setting that the document does not have keeps its default.
pub(crate) fn privacy(entry: &PrivacyEntry) -> Settings {
    let default = Settings::default();
    let of = |given: &[PurposeEntry], default| if given.is_empty() { default } else { purposes(given) };
    let fallback = |bid: bool| if bid { Fallback::Contextual } else { Fallback::NoBid };
    Settings {
        vendor_id: entry.vendor_id.and_then(|id| u16::try_from(id).ok()).and_then(NonZeroU16::new),
        contextual: of(&entry.contextual, default.contextual),
        personal: of(&entry.personal, default.personal),
        unregistered: entry.bid_unregistered.map_or(default.unregistered, fallback),
        without_string: entry.bid_without_string.map_or(default.without_string, fallback),
        assume_gdpr: entry.assume_gdpr,
    }
}

/// Notes a missing vendor id, without which no consent string can name us. An explicit `"bid_unregistered": false`
/// shows that the author left the id out on purpose.
pub(crate) fn note_unregistered(document: &Document, at: &At<'_>) {
    let entry = &document.privacy;
    if document.campaigns.is_empty() || entry.vendor_id.is_some() {
        return;
    }
    let (effect, so_that) = match entry.bid_unregistered {
        Some(false) => return,
        Some(true) => (
            "where GDPR applies, edgebid bids without ids, although no consent string can name you",
            "to stop bidding there",
        ),
        None => ("where GDPR applies, edgebid does not bid", "to hide this note (there are still no bids)"),
    };
    let expected = format!("expected your id on the Global Vendor List, or \"bid_unregistered\": false {so_that}");
    at.attribute("privacy")
        .attribute("vendor_id")
        .report(Rule::NotRegistered, format!("missing: {effect}; {expected}"));
}

fn purposes(entries: &[PurposeEntry]) -> Purposes {
    let known = entries.iter().filter_map(|entry| Some((u8::try_from(entry.purpose).ok()?, entry.basis)));
    let known = known.filter(|(purpose, _)| (1..=11).contains(purpose));
    known
        .fold(Purposes::NONE, |purposes, (purpose, basis)| purposes.with(purpose, basis.unwrap_or(LegalBasis::Consent)))
}
