//! A document and what its entries compile to, for the checks that look at several entries.

use super::references::References;
use catalog::{CampaignDraft, CreativeDraft, SspDraft};
use document::check::At;
use document::{CampaignEntry, Document};

/// A document and what its entries compile to, in the order of the document.
pub(crate) struct Drafts<'d> {
    pub(crate) document: &'d Document,
    pub(crate) references: References<'d>,
    pub(crate) ssps: Vec<SspDraft>,
    /// A creative with an error keeps its position, because campaigns refer to creatives by position.
    pub(super) creatives: Vec<Option<CreativeDraft>>,
    pub(super) campaigns: Vec<CampaignDraft>,
    pub(super) at: At<'d>,
}

impl<'d> Drafts<'d> {
    /// The campaigns, each with its position and its entry.
    pub(crate) fn campaigns(&self) -> impl Iterator<Item = (At<'d>, &'d CampaignEntry, &CampaignDraft)> {
        let all = self.document.campaigns.iter().zip(&self.campaigns).enumerate();
        all.map(|(i, (entry, campaign))| (self.at.item("campaigns", i), entry, campaign))
    }

    /// The creatives without errors that a campaign shows, each with its position in the campaign.
    pub(crate) fn shown(&self, entry: &CampaignEntry, at: &At<'d>) -> impl Iterator<Item = (At<'d>, &CreativeDraft)> {
        let positions = entry.creatives.iter().map(|shown| self.references.crids.get(&shown.crid));
        let shown = positions
            .enumerate()
            .map(|(j, position)| Some((at.item("creatives", j), self.creatives.get(position?)?.as_ref()?)));
        shown.flatten()
    }

    /// The SSPs from which a campaign buys.
    pub(crate) fn ssps_of(&self, campaign: &CampaignDraft) -> impl Iterator<Item = &SspDraft> {
        let numbered = (0..).zip(&self.ssps);
        numbered.filter(|(number, _)| campaign.ssps.is_empty() || campaign.ssps.contains(number)).map(|(_, ssp)| ssp)
    }
}
