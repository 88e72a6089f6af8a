//! A bid, before it is written.

use crate::price::Price;
use catalog::{Campaign, CapOn, Creative};
use openrtb::request::{Deal, Imp};
use rules::frequency::{Frequency, Subject};

/// One bid: references to the objects that it was made from, and its price.
#[derive(Debug, Clone, Copy)]
pub struct Bid<'a> {
    /// The impression.
    pub imp: &'a Imp<'a>,
    /// The deal, if the bid is made under one.
    pub deal: Option<&'a Deal<'a>>,
    /// The campaign that bids.
    pub campaign: Campaign<'a>,
    /// The number of the campaign's budget; `None` if it has none.
    pub budget: Option<u32>,
    /// The creative to show.
    pub creative: Creative<'a>,
    /// The price per thousand impressions, in the response's currency.
    pub price: Price,
    /// The SSP's name of the campaign's seat.
    pub seat: &'a str,
    /// The values that no other bid on the pod may have: see `pod::marks`.
    pub marks: &'a [u64],
    /// The length of the bid's JSON in bytes; 0 if the SSP takes answers of any length.
    pub bytes: usize,
    /// The length of the seat's JSON string in bytes; 0 if the SSP takes answers of any length.
    pub seat_bytes: usize,
}

impl Bid<'_> {
    /// Whether the campaign or the creative has macros of ours.
    pub fn has_macros(&self) -> bool {
        self.creative.texts().macros || self.campaign.texts().macros
    }

    /// Whether the campaign or the creative has a frequency cap.
    pub fn has_caps(&self) -> bool {
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
    pub fn counts_on_bill(&self) -> bool {
        self.has_caps() && self.campaign.cap_on() == CapOn::Bill
    }
}
