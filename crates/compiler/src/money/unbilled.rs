//! Notes campaigns whose impressions edgebid cannot count at some SSP, because no billing notice reaches it. A budget
//! does not hold such a campaign.
//!
//! If a URL of the campaign replaces edgebid's notice, the markup calls edgebid instead. Only a ready VAST
//! document may have no room for that.

use super::budget;
use crate::drafts::Drafts;
use catalog::{Billing, CampaignDraft, MediaDraft, SspDraft};
use document::decode::Rule;
use notices::Bills;

pub(crate) fn note(drafts: &Drafts<'_>) {
    for (at, entry, campaign) in drafts.campaigns() {
        let mut budget = budget::attribute(entry);
        for (shown, creative) in drafts.shown(entry, &at) {
            let is_unbilled = |ssp: &&SspDraft| !is_billed(ssp.billing, campaign, &creative.media);
            let Some(ssp) = drafts.ssps_of(campaign).find(is_unbilled) else { continue };
            let message = format!(
                "edgebid does not count the impressions of {:?} that {:?} bills, because its VAST document has no room for an Impression; expected an <Impression> in adm",
                creative.crid, ssp.id
            );
            shown.report(Rule::Unbilled, message);
            if let Some(name) = budget.take() {
                let message = format!(
                    "the campaign may spend more, because edgebid does not count all of its impressions; expected {:?} with an <Impression> in adm",
                    creative.crid
                );
                at.attribute(name).report(Rule::Unbilled, message);
            }
        }
    }
}

/// Whether a notice of edgebid bills the ad.
fn is_billed(billing: Billing, campaign: &CampaignDraft, media: &MediaDraft) -> bool {
    let (is_linear, has_room) = match media {
        MediaDraft::Banner(_) | MediaDraft::Native(_) => (false, true),
        MediaDraft::Video(ad) | MediaDraft::Audio(ad) => (true, ad.vast.impression_at > 0),
    };
    let own = campaign.notices.first();
    let [win_taken, bill_taken] = own.map_or([false; 2], |own| [!own.nurl.is_empty(), !own.burl.is_empty()]);
    let bills = Bills::of(billing, is_linear, win_taken, bill_taken);
    bills.by_win || bills.by_burl || bills.in_markup && has_room
}
