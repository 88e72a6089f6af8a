//! Checks `skadn` of a campaign (IAB community extension `skadnetwork`) and makes it ready to serve.

use catalog::SkadnDraft;

use crate::drafts::Drafts;
use document::check::At;
use document::decode::Rule;
use document::is_number;
use document::{CampaignEntry, SkadnEntry};

pub(crate) fn compile(campaign: &CampaignEntry, entry: &SkadnEntry, at: &At<'_>) -> SkadnDraft {
    let SkadnEntry { itunesitem, sourceidentifier, .. } = entry;
    let are_ids = |bundle: &String| is_number(bundle) && is_number(itunesitem);
    if let Some(bundle) = campaign.bundle.as_ref().filter(|bundle| *bundle != itunesitem && are_ids(bundle)) {
        let message = format!("{itunesitem}, but the campaign's bundle is {bundle}; expected the same app");
        at.attribute("itunesitem").error(message);
    }
    if sourceidentifier.is_empty() && entry.campaign.is_empty() {
        let message = "has no number of the campaign; expected sourceidentifier (SKAdNetwork 4.0), campaign (2.0 to 3.0), or both";
        at.report(Rule::Missing, message);
    }
    SkadnDraft {
        required: entry.required,
        network: entry.network.clone(),
        list_id: entry.list_id,
        itunesitem: itunesitem.clone(),
        sourceidentifier: sourceidentifier.clone(),
        campaign: entry.campaign.clone(),
    }
}

/// Refuses creatives that advertise another app than the campaign's `skadn`: Apple would count the wrong app.
pub(crate) fn check_creatives(drafts: &Drafts<'_>) {
    for (at, entry, campaign) in drafts.campaigns() {
        let Some(skadn) = campaign.bounds.first().and_then(|bounds| bounds.skadn.as_ref()) else { continue };
        for (at, creative) in drafts.shown(entry, &at) {
            let Some(bundle) = creative.advertiser.first().map(|own| &own.bundle) else { continue };
            if is_number(bundle) && *bundle != skadn.itunesitem {
                let message = format!(
                    "its bundle is {bundle}, but skadn.itunesitem of the campaign is {}; expected a campaign for each app",
                    skadn.itunesitem
                );
                at.error(message);
            }
        }
    }
}
