//! Notes campaigns whose impressions edgebid cannot count at some SSP, because no billing notice reaches it.

use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{Billing, CampaignDraft, CreativeDraft, MediaDraft, SspDraft};

/// The attribute of the campaign that takes the place of edgebid's own notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blocker {
    Nurl,
    Burl,
    /// A ready document without a place for an `Impression`.
    Vast,
}

/// `campaigns` are in the order of the document.
pub(super) fn note(
    ssps: &[SspDraft],
    creatives: &[Option<CreativeDraft>],
    campaigns: &[CampaignDraft],
    findings: &mut Vec<Finding>,
) {
    for (i, campaign) in campaigns.iter().enumerate() {
        let buys = |ssp: &(usize, &SspDraft)| {
            campaign.ssps.is_empty() || campaign.ssps.iter().any(|place| *place as usize == ssp.0)
        };
        let media =
            || campaign.creatives.iter().filter_map(|place| Some(&creatives.get(*place as usize)?.as_ref()?.media));
        let first = ssps.iter().enumerate().filter(buys).find_map(|(_, ssp)| {
            let blocker = media().find_map(|media| blocker(ssp.billing, campaign, media))?;
            Some((ssp, blocker))
        });
        let Some((ssp, blocker)) = first else { continue };
        let (attribute, why, instead) = match blocker {
            Blocker::Nurl => ("nurl", "the SSP calls this URL in place of edgebid's", "no nurl"),
            Blocker::Burl => (
                "burl",
                "the SSP calls this URL in place of edgebid's",
                "no burl, or an SSP with \"billing\": \"both\"",
            ),
            Blocker::Vast => {
                ("creatives", "a VAST document has no place for an Impression", "an <Impression> in its adm")
            }
        };
        let message = format!(
            "edgebid does not count the impressions that {:?} bills, because {why}; expected {instead}",
            ssp.id
        );
        findings.push(Finding::new(format!("campaigns[{i}].{attribute}"), Rule::Unbilled, message));
    }
}

/// What keeps edgebid from counting; `None` if a notice of edgebid bills.
fn blocker(billing: Billing, campaign: &CampaignDraft, media: &MediaDraft) -> Option<Blocker> {
    let burl = (!campaign.burl.is_empty()).then_some(Blocker::Burl);
    let (is_linear, markup) = match media {
        MediaDraft::Banner(_) | MediaDraft::Native(_) => (false, None),
        MediaDraft::Video(ad) | MediaDraft::Audio(ad) => (true, (ad.vast.impression_at == 0).then_some(Blocker::Vast)),
    };
    match billing {
        Billing::Win => (!campaign.nurl.is_empty()).then_some(Blocker::Nurl),
        Billing::Burl => burl,
        Billing::Impression => markup,
        Billing::Both => burl.and(markup),
        Billing::OpenRtb => {
            if is_linear {
                markup
            } else {
                burl
            }
        }
    }
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
        for (attributes, billing, adm, noted_at) in [
            ("", "openrtb", None, None),
            (nurl, "openrtb", None, None),
            (burl, "openrtb", None, Some("campaigns[0].burl: ")),
            (burl, "openrtb", Some(&good), None),
            ("", "openrtb", Some(&bad), Some("campaigns[0].creatives: ")),
            (burl, "burl", Some(&good), Some("campaigns[0].burl: ")),
            (burl, "impression", None, None),
            (burl, "both", None, None),
            (burl, "both", Some(&bad), Some("campaigns[0].creatives: ")),
            (burl, "win", None, None),
            (nurl, "win", None, Some("campaigns[0].nurl: ")),
        ] {
            let found = noted(attributes, billing, adm.map(String::as_str));
            let starts: Vec<bool> = found.iter().map(|note| noted_at.is_some_and(|at| note.starts_with(at))).collect();
            assert_eq!(
                starts,
                vec![true; usize::from(noted_at.is_some())],
                "{attributes} {billing} {adm:?}: {found:?}"
            );
        }
    }
}
