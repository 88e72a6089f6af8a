//! Settings that hold for the whole catalog: who we are to Prebid Server, how the law is read for us.

use core::num::NonZeroU16;

use super::document::{Document, PrivacyEntry, PurposeEntry};
use super::finding;
use crate::decode::{Finding, Rule};
use bidder_wasm::privacy::{Fallback, LegalBasis, Purposes, Settings};

/// The code that Prebid Server knows us by; empty when not told.
pub(super) fn prebid_code(code: Option<&str>, findings: &mut Vec<Finding>) -> String {
    if code.is_some_and(|code| code.is_empty() || code == "*") {
        wrong("prebid_code", "nobody's code; expected ours, or no attribute".to_owned(), findings);
    }
    code.unwrap_or_default().to_owned()
}

/// The settings, with defaults for what is not told.
pub(super) fn privacy(entry: Option<&PrivacyEntry>, findings: &mut Vec<Finding>) -> Settings {
    let mut settings = Settings::default();
    let Some(entry) = entry else { return settings };
    if let Some(id) = entry.vendor_id {
        settings.vendor_id = u16::try_from(id).ok().and_then(NonZeroU16::new);
        if settings.vendor_id.is_none() {
            wrong("privacy.vendor_id", format!("{id}; expected 1 to 65535"), findings);
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

/// Notes campaigns of a catalog without a vendor id: no consent string names us then. One that says in words that it
/// does not bid there knows.
pub(super) fn note_unregistered(document: &Document, findings: &mut Vec<Finding>) {
    let entry = document.privacy.as_ref();
    if document.campaigns.is_empty() || entry.is_some_and(|entry| entry.vendor_id.is_some()) {
        return;
    }
    let (then, silent) = match entry.and_then(|entry| entry.bid_unregistered) {
        Some(false) => return,
        Some(true) => ("bids are made without ids although no consent string can name us", "to bid nothing there"),
        None => ("nothing is bid", "to silence this note (still no bids there)"),
    };
    let expected = format!("expected our id on the Global Vendor List, or \"bid_unregistered\": false {silent}");
    let message = format!("not told: where GDPR applies, {then}; {expected}");
    findings.push(finding("privacy.vendor_id".to_owned(), Rule::NotRegistered, message));
}

fn purposes(entries: &[PurposeEntry], path: &str, findings: &mut Vec<Finding>) -> Purposes {
    let mut purposes = Purposes::NONE;
    for (i, entry) in entries.iter().enumerate() {
        let number = entry.purpose.unwrap_or_default();
        let Some(purpose) = u8::try_from(number).ok().filter(|purpose| (1..=11).contains(purpose)) else {
            wrong(&format!("{path}[{i}].purpose"), format!("{number}; expected 1 to 11"), findings);
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
                wrong(&format!("{path}[{i}].basis"), format!("{other:?} is unknown; {expected}"), findings);
                continue;
            }
        };
        purposes = purposes.with(purpose, basis);
    }
    purposes
}

fn wrong(path: &str, message: String, findings: &mut Vec<Finding>) {
    findings.push(finding(path.to_owned(), Rule::OutOfRange, message));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::document::CampaignEntry;

    #[test]
    fn a_catalog_without_a_vendor_id_is_noted() {
        let entry =
            |vendor_id, bid_unregistered| PrivacyEntry { vendor_id, bid_unregistered, ..PrivacyEntry::default() };
        let (bare, silent, loud) = (entry(None, None), entry(None, Some(false)), entry(None, Some(true)));
        let registered = entry(Some(42), None);
        for (entry, settled, note) in [
            (None, Fallback::NoBid, Some("false to silence this note (still no bids there)")),
            (Some(bare), Fallback::NoBid, Some("nothing is bid")),
            (Some(silent), Fallback::NoBid, None),
            (Some(loud), Fallback::Contextual, Some("false to bid nothing there")),
            (Some(registered), Fallback::NoBid, None),
        ] {
            let mut findings = Vec::new();
            assert_eq!(privacy(entry.as_ref(), &mut findings).unregistered, settled, "{entry:?}");
            let document = Document { privacy: entry.clone(), ..Document::default() };
            note_unregistered(&document, &mut findings);
            assert!(findings.is_empty(), "nothing is bid without a campaign");
            note_unregistered(&Document { campaigns: vec![CampaignEntry::default()], ..document }, &mut findings);
            assert_eq!(findings.len(), usize::from(note.is_some()), "{entry:?}");
            assert!(findings.iter().all(|found| found.rule.is_note() && found.message.contains(note.unwrap())));
        }
    }

    #[test]
    fn a_code_is_somebodys() {
        for (code, expected, mistakes) in
            [(Some("edgebid"), "edgebid", 0), (None, "", 0), (Some(""), "", 1), (Some("*"), "*", 1)]
        {
            let mut findings = Vec::new();
            assert_eq!((prebid_code(code, &mut findings).as_str(), findings.len()), (expected, mistakes), "{code:?}");
        }
    }
}
