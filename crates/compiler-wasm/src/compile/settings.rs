//! Settings of the whole catalog: `prebid_code` and `privacy`.

use core::num::NonZeroU16;

use super::check::out_of_range;
use super::document::{Document, PrivacyEntry, PurposeEntry};
use crate::decode::{Finding, Rule};
use bidder_wasm::privacy::{Fallback, LegalBasis, Purposes, Settings};

pub(super) fn prebid_code(code: Option<&str>, findings: &mut Vec<Finding>) -> String {
    if code.is_some_and(|code| code.is_empty() || code == "*") {
        let message = "not a name; expected your name in Prebid Server, or leave the attribute out".to_owned();
        out_of_range("prebid_code", message, findings);
    }
    code.unwrap_or_default().to_owned()
}

/// The privacy settings. A setting that the document does not have keeps its default.
pub(super) fn privacy(entry: Option<&PrivacyEntry>, findings: &mut Vec<Finding>) -> Settings {
    let mut settings = Settings::default();
    let Some(entry) = entry else { return settings };
    if let Some(id) = entry.vendor_id {
        settings.vendor_id = u16::try_from(id).ok().and_then(NonZeroU16::new);
        if settings.vendor_id.is_none() {
            out_of_range("privacy.vendor_id", format!("{id}; expected 1 to 65535"), findings);
        }
    }
    if !entry.contextual.is_empty() {
        settings.contextual = purposes(&entry.contextual, "privacy.contextual", findings);
    }
    if !entry.personal.is_empty() {
        settings.personal = purposes(&entry.personal, "privacy.personal", findings);
    }
    let fallback = |bid: bool| if bid { Fallback::Contextual } else { Fallback::NoBid };
    settings.unregistered = entry.bid_unregistered.map_or(settings.unregistered, fallback);
    settings.without_string = entry.bid_without_string.map_or(settings.without_string, fallback);
    settings.assume_gdpr = entry.assume_gdpr.unwrap_or(settings.assume_gdpr);
    settings
}

/// Notes a missing vendor id, without which no consent string can name us. An explicit `"bid_unregistered": false`
/// shows that the author left the id out on purpose.
pub(super) fn note_unregistered(document: &Document, findings: &mut Vec<Finding>) {
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

fn purposes(entries: &[PurposeEntry], path: &str, findings: &mut Vec<Finding>) -> Purposes {
    let mut purposes = Purposes::NONE;
    for (i, entry) in entries.iter().enumerate() {
        let number = entry.purpose.unwrap_or_default();
        let Some(purpose) = u8::try_from(number).ok().filter(|purpose| (1..=11).contains(purpose)) else {
            out_of_range(&format!("{path}[{i}].purpose"), format!("{number}; expected 1 to 11"), findings);
            continue;
        };
        let basis = match entry.basis.as_deref().unwrap_or("consent") {
            "consent" => LegalBasis::Consent,
            "legitimate-interest" => LegalBasis::LegitimateInterest,
            "flexible-consent" => LegalBasis::FlexibleConsent,
            "flexible-interest" => LegalBasis::FlexibleInterest,
            "either" => LegalBasis::Either,
            other => {
                let expected = "expected consent, legitimate-interest, flexible-consent, flexible-interest or either";
                out_of_range(&format!("{path}[{i}].basis"), format!("{other:?} is unknown; {expected}"), findings);
                continue;
            }
        };
        purposes = purposes.with(purpose, basis);
    }
    purposes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::document::CampaignEntry;

    #[test]
    fn a_catalog_without_a_vendor_id_is_noted() {
        let entry =
            |vendor_id, bid_unregistered| PrivacyEntry { vendor_id, bid_unregistered, ..PrivacyEntry::default() };
        let (unset, refused, allowed) = (entry(None, None), entry(None, Some(false)), entry(None, Some(true)));
        let registered = entry(Some(42), None);
        for (entry, settled, note) in [
            (None, Fallback::NoBid, Some("false to hide this note (there are still no bids)")),
            (Some(unset), Fallback::NoBid, Some("edgebid does not bid")),
            (Some(refused), Fallback::NoBid, None),
            (Some(allowed), Fallback::Contextual, Some("false to stop bidding there")),
            (Some(registered), Fallback::NoBid, None),
        ] {
            let mut findings = Vec::new();
            assert_eq!(privacy(entry.as_ref(), &mut findings).unregistered, settled, "{entry:?}");
            let document = Document { privacy: entry.clone(), ..Document::default() };
            note_unregistered(&document, &mut findings);
            assert!(findings.is_empty(), "a catalog without campaigns never bids");
            note_unregistered(&Document { campaigns: vec![CampaignEntry::default()], ..document }, &mut findings);
            assert_eq!(findings.len(), usize::from(note.is_some()), "{entry:?}");
            assert!(findings.iter().all(|found| found.rule.is_note() && found.message.contains(note.unwrap())));
        }
    }

    #[test]
    fn an_empty_code_and_a_star_are_refused() {
        for (code, expected, mistakes) in
            [(Some("edgebid"), "edgebid", 0), (None, "", 0), (Some(""), "", 1), (Some("*"), "*", 1)]
        {
            let mut findings = Vec::new();
            assert_eq!((prebid_code(code, &mut findings).as_str(), findings.len()), (expected, mistakes), "{code:?}");
        }
    }
}
