//! Settings of the whole catalog: `prebid_code` and `privacy`.

use core::num::NonZeroU16;

use crate::compile::document::{Document, PrivacyEntry, PurposeEntry};
use crate::decode::{Finding, Rule};
use bidder_wasm::privacy::{Fallback, LegalBasis, Purposes, Settings};

/// The privacy settings. A setting that the document does not have keeps its default.
pub(crate) fn privacy(entry: Option<&PrivacyEntry>) -> Settings {
    let mut settings = Settings::default();
    let Some(entry) = entry else { return settings };
    settings.vendor_id = entry.vendor_id.and_then(|id| u16::try_from(id).ok()).and_then(NonZeroU16::new);
    if !entry.contextual.is_empty() {
        settings.contextual = purposes(&entry.contextual);
    }
    if !entry.personal.is_empty() {
        settings.personal = purposes(&entry.personal);
    }
    let fallback = |bid: bool| if bid { Fallback::Contextual } else { Fallback::NoBid };
    settings.unregistered = entry.bid_unregistered.map_or(settings.unregistered, fallback);
    settings.without_string = entry.bid_without_string.map_or(settings.without_string, fallback);
    settings.assume_gdpr = entry.assume_gdpr.unwrap_or(settings.assume_gdpr);
    settings
}

/// Notes a missing vendor id, without which no consent string can name us. An explicit `"bid_unregistered": false`
/// shows that the author left the id out on purpose.
pub(crate) fn note_unregistered(document: &Document, findings: &mut Vec<Finding>) {
    let entry = document.privacy.as_ref();
    if document.campaigns.is_empty() || entry.is_some_and(|entry| entry.vendor_id.is_some()) {
        return;
    }
    let (effect, so_that) = match entry.and_then(|entry| entry.bid_unregistered) {
        Some(false) => return,
        Some(true) => (
            "where GDPR applies, edgebid bids without ids, although no consent string can name you",
            "to stop bidding there",
        ),
        None => ("where GDPR applies, edgebid does not bid", "to hide this note (there are still no bids)"),
    };
    let expected = format!("expected your id on the Global Vendor List, or \"bid_unregistered\": false {so_that}");
    let message = format!("missing: {effect}; {expected}");
    findings.push(Finding::new("privacy.vendor_id".to_owned(), Rule::NotRegistered, message));
}

fn purposes(entries: &[PurposeEntry]) -> Purposes {
    let number = |entry: &PurposeEntry| entry.purpose.and_then(|purpose| u8::try_from(purpose).ok());
    let known =
        entries.iter().filter_map(|entry| Some((number(entry).filter(|number| (1..=11).contains(number))?, entry)));
    known.fold(Purposes::NONE, |purposes, (purpose, entry)| {
        purposes.with(purpose, entry.basis.unwrap_or(LegalBasis::Consent))
    })
}
