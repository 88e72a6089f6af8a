//! Checks `skadn` of a campaign (IAB community extension `skadnetwork`) and makes it ready to serve.

use bidder_wasm::catalog::{CampaignDraft, CreativeDraft, SkadnDraft};

use crate::compile::allowed::is_number;
use crate::compile::check::out_of_range;
use crate::compile::document::{CampaignEntry, SkadnEntry};
use crate::decode::{Finding, Rule};

pub(crate) fn compile(
    campaign: &CampaignEntry,
    entry: &SkadnEntry,
    path: &str,
    findings: &mut Vec<Finding>,
) -> SkadnDraft {
    let itunesitem = entry.itunesitem.clone().unwrap_or_default();
    if let Some(bundle) = campaign
        .bundle
        .as_ref()
        .filter(|bundle| **bundle != itunesitem && [bundle, &itunesitem].into_iter().all(|id| is_number(id)))
    {
        let message = format!("{itunesitem}, but the campaign's bundle is {bundle}; expected the same app");
        out_of_range(&format!("{path}.itunesitem"), message, findings);
    }
    if entry.sourceidentifier.is_none() && entry.campaign.is_none() {
        let message = "has no number of the campaign; expected sourceidentifier (SKAdNetwork 4.0), campaign (2.0 to 3.0), or both";
        findings.push(Finding::new(path.to_owned(), Rule::Missing, message.to_owned()));
    }
    SkadnDraft {
        required: entry.required.unwrap_or(false),
        network: entry.network.clone().unwrap_or_default(),
        list_id: entry.list_id.unwrap_or_default(),
        itunesitem,
        sourceidentifier: entry.sourceidentifier.clone().unwrap_or_default(),
        campaign: entry.campaign.clone().unwrap_or_default(),
    }
}

/// Refuses creatives that advertise another app than the campaign's `skadn`: Apple would count the wrong app.
pub(crate) fn check_creatives(
    campaigns: &[CampaignDraft],
    creatives: &[Option<CreativeDraft>],
    findings: &mut Vec<Finding>,
) {
    for (i, campaign) in campaigns.iter().enumerate() {
        let Some(skadn) = campaign.bounds.first().and_then(|bounds| bounds.skadn.as_ref()) else { continue };
        for (j, place) in campaign.creatives.iter().enumerate() {
            let shown = creatives.get(*place as usize).and_then(Option::as_ref);
            let Some(bundle) = shown.and_then(|shown| Some(&shown.advertiser.first()?.bundle)) else { continue };
            if is_number(bundle) && *bundle != skadn.itunesitem {
                let message = format!(
                    "its bundle is {bundle}, but skadn.itunesitem of the campaign is {}; expected a campaign for each app",
                    skadn.itunesitem
                );
                out_of_range(&format!("campaigns[{i}].creatives[{j}]"), message, findings);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    #[test]
    fn creatives_advertise_the_same_app() {
        let skadn = r#""network":"abc123.skadnetwork","itunesitem":"1","campaign":"45""#;
        let of = |bundle: &str| {
            let document = format!(
                r#"{{"format":1,"privacy":{{"vendor_id":1}},"ssps":[{{"id":"a"}}],"creatives":[{{"crid":"b",{bundle}"banner":{{"w":1,"h":1,"adm":"<b>"}}}}],
                "campaigns":[{{"cid":"c","seat":"s","adomain":["x.example"],"max_cpm":"1","creatives":["b"],"skadn":{{{skadn}}}}}]}}"#
            );
            let findings = compile(document.as_bytes(), &[]).err().unwrap_or_default();
            findings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of(""), [""; 0]);
        assert_eq!(of(r#""adomain":["y.example"],"#), [""; 0]);
        assert_eq!(of(r#""adomain":["y.example"],"bundle":"1","#), [""; 0]);
        assert_eq!(
            of(r#""adomain":["y.example"],"bundle":"2","#),
            [
                "campaigns[0].creatives[0]: its bundle is 2, but skadn.itunesitem of the campaign is 1; expected a campaign for each app"
            ]
        );
    }
}
