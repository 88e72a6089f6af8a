//! Notes campaigns whose impressions edgebid cannot count at some SSP, because no billing notice reaches it. A budget
//! does not hold such a campaign.
//!
//! If a URL of the campaign takes the place of edgebid's notice, the markup calls edgebid instead. Only a ready VAST
//! document may have no place for that.

use super::budget;
use super::document::Document;
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{Billing, CampaignDraft, CreativeDraft, MediaDraft, SspDraft};
use bidder_wasm::notices::{Bills, Notice};

/// `campaigns` are in the order of the document.
pub(super) fn note(
    document: &Document,
    ssps: &[SspDraft],
    creatives: &[Option<CreativeDraft>],
    campaigns: &[CampaignDraft],
    findings: &mut Vec<Finding>,
) {
    for ((i, campaign), entry) in campaigns.iter().enumerate().zip(&document.campaigns) {
        let mut budget = budget::attribute(entry);
        let buys = |place: usize| {
            campaign.ssps.is_empty() || campaign.ssps.iter().any(|own| usize::try_from(*own) == Ok(place))
        };
        let ssps = || ssps.iter().enumerate().filter(|(place, _)| buys(*place)).map(|(_, ssp)| ssp);
        for (j, place) in campaign.creatives.iter().enumerate() {
            let Some(Some(creative)) = creatives.get(*place as usize) else { continue };
            let Some(ssp) = ssps().find(|ssp| !is_billed(ssp.billing, campaign, &creative.media)) else { continue };
            let message = format!(
                "edgebid does not count the impressions of {:?} that {:?} bills, because its VAST document has no place for an Impression; expected an <Impression> in adm",
                creative.crid, ssp.id
            );
            findings.push(Finding::new(format!("campaigns[{i}].creatives[{j}]"), Rule::Unbilled, message));
            if let Some(name) = budget.take() {
                let message = format!(
                    "the campaign may spend more, because edgebid does not count all of its impressions; expected {:?} with an <Impression> in adm",
                    creative.crid
                );
                findings.push(Finding::new(format!("campaigns[{i}].{name}"), Rule::Unbilled, message));
            }
        }
    }
}

/// Whether a notice of edgebid bills the ad.
fn is_billed(billing: Billing, campaign: &CampaignDraft, media: &MediaDraft) -> bool {
    let (is_linear, has_place) = match media {
        MediaDraft::Banner(_) | MediaDraft::Native(_) => (false, true),
        MediaDraft::Video(ad) | MediaDraft::Audio(ad) => (true, ad.vast.impression_at > 0),
    };
    let is_taken = |notice| {
        campaign.notices.iter().any(|own| match notice {
            Notice::Win => !own.nurl.is_empty(),
            Notice::Bill => !own.burl.is_empty(),
            Notice::Loss | Notice::Imp => false,
        })
    };
    let bills = Bills::of(billing, is_linear, is_taken);
    bills.by_win || bills.by_burl || bills.in_markup && has_place
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// The notes on a campaign with a banner or this VAST document, these attributes, and an SSP with this setting.
    fn noted(attributes: &str, billing: &str, adm: Option<&str>) -> Vec<String> {
        let media = adm.map_or(r#""banner":{"w":1,"h":1,"adm":"a"}"#.to_owned(), |adm| {
            let adm = bidder_wasm::write::literal(adm);
            format!(r#""video":{{"dur":15,"protocol":3,"w":1,"h":1,"mimes":["video/mp4"],"adm":"{adm}"}}"#)
        });
        let document = format!(
            r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"s","billing":"{billing}"}}],
            "creatives":[{{"crid":"c",{media}}}],"campaigns":[{{"cid":"c","seat":"s","adomain":["a.example"],
            "max_cpm":"1","creatives":["c"]{attributes}}}]}}"#
        );
        compile(document.as_bytes(), &[]).unwrap().notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_campaign_that_edgebid_cannot_bill_is_noted() {
        let vast = |inline: &str| format!(r#"<VAST version="3.0"><Ad><InLine>{inline}</InLine></Ad></VAST>"#);
        let (good, bad) = (vast("<AdSystem>x</AdSystem>"), vast(""));
        let (nurl, burl) = (r#","nurl":"https://t.example/n""#, r#","burl":"https://t.example/b""#);
        for (attributes, billing, adm, is_noted) in [
            ("", "openrtb", None, false),
            (burl, "openrtb", None, false),
            (burl, "openrtb", Some(&good), false),
            ("", "openrtb", Some(&bad), true),
            ("", "impression", Some(&bad), true),
            ("", "burl", Some(&bad), false),
            (burl, "burl", Some(&bad), true),
            (burl, "burl", Some(&good), false),
            ("", "both", Some(&bad), false),
            (burl, "both", Some(&bad), true),
            (burl, "win", Some(&bad), false),
            (nurl, "win", Some(&bad), true),
            (nurl, "win", None, false),
        ] {
            let found = noted(attributes, billing, adm.map(String::as_str));
            let are_right =
                found.iter().all(|note| note.starts_with("campaigns[0].creatives[0]: edgebid does not count"));
            assert!(are_right && found.len() == usize::from(is_noted), "{attributes} {billing} {adm:?}: {found:?}");
        }
        let budget = r#","budget":{"daily":"5"}"#;
        assert_eq!(noted(budget, "openrtb", Some(&good)), Vec::<String>::new());
        let notes = noted(budget, "openrtb", Some(&bad));
        assert!(
            notes.len() == 2 && notes[1].starts_with("campaigns[0].budget: the campaign may spend more"),
            "{notes:?}"
        );
    }
}
