//! Settings of the whole catalog: `prebid_code` and `privacy`.

use core::num::NonZeroU16;

use consent::{Fallback, LegalBasis, Purposes, Settings};
use document::check::At;
use document::decode::Rule;
use document::{CampaignEntry, Document, PrivacyEntry, PurposeEntry};

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

/// Countries and territories in which the GDPR of the EU or of the United Kingdom applies.
const GDPR: &str = "ALA AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GBR GGY GIB GLP GRC GUF HRV HUN IMN IRL ISL ITA JEY \
    LIE LTU LUX LVA MAF MLT MTQ MYT NLD NOR POL PRT REU ROU SVK SVN SWE";

/// Notes a missing vendor id, without which no consent string can name us, unless all campaigns are for countries
/// without GDPR. An explicit `"bid_unregistered": false` shows that the author left the id out on purpose.
pub(crate) fn note_unregistered(document: &Document, at: &At<'_>) {
    let entry = &document.privacy;
    if document.campaigns.is_empty() || entry.vendor_id.is_some() {
        return;
    }
    if !entry.assume_gdpr && document.campaigns.iter().all(is_elsewhere) {
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

/// Whether a campaign is only for countries in which GDPR does not apply.
fn is_elsewhere(campaign: &CampaignEntry) -> bool {
    let country = campaign.target.as_ref().and_then(|target| target.country.as_ref());
    let Some(country) = country.filter(|country| country.include_lists.is_empty()) else { return false };
    let is_under = |code: &String| GDPR.split(' ').any(|one| one.eq_ignore_ascii_case(code));
    !country.include.is_empty() && !country.include.iter().any(is_under)
}

fn purposes(entries: &[PurposeEntry]) -> Purposes {
    let known = entries.iter().filter_map(|entry| Some((u8::try_from(entry.purpose).ok()?, entry.basis)));
    let known = known.filter(|(purpose, _)| (1..=11).contains(purpose));
    known
        .fold(Purposes::NONE, |purposes, (purpose, basis)| purposes.with(purpose, basis.unwrap_or(LegalBasis::Consent)))
}
