//! The frequency caps of a bid.

use crate::bid::Bid;
use catalog::CapOn;
use rules::frequency::{Frequency, Subject};

impl Bid<'_> {
    /// Whether the campaign or the creative has a frequency cap.
    pub(crate) fn has_caps(&self) -> bool {
        !self.campaign.caps().is_empty() || !self.creative.caps().is_empty()
    }

    /// What has the caps: the campaign, the creative, or both.
    pub(crate) fn capped(&self) -> impl Iterator<Item = Subject> {
        let campaign = (!self.campaign.caps().is_empty()).then(|| Subject::of_campaign(&self.campaign));
        let creative = (!self.creative.caps().is_empty()).then(|| Subject::of_creative(&self.creative));
        campaign.into_iter().chain(creative)
    }

    /// Whether it may be sent together with the `others` on the request: if the cap counts bids, there may be only as
    /// many as the person may still see.
    pub(crate) fn is_allowed_beside(&self, others: &[Bid<'_>], frequency: Frequency<'_>) -> bool {
        let Frequency::Only(allowed) = frequency else { return true };
        self.campaign.cap_on() == CapOn::Bill
            || self.capped().all(|subject| {
                let counted = |other: &&Bid<'_>| {
                    other.campaign.cap_on() == CapOn::Bid && other.capped().any(|own| own == subject)
                };
                let left = allowed.iter().find(|(known, _)| *known == subject).map_or(0, |(_, left)| *left);
                others.iter().filter(counted).count() < left as usize
            })
    }

    /// Whether the billed impression counts for a frequency cap.
    pub(crate) fn counts_on_bill(&self) -> bool {
        self.has_caps() && self.campaign.cap_on() == CapOn::Bill
    }
}
