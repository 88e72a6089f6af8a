//! What a campaign offers for an impression, in its own currency. The floor and the auction come later: `price.rs`.

use crate::catalog::Campaign;
use crate::money::{Currency, Micros};
use crate::request::Deal;

/// An offer per thousand impressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The most that the campaign pays.
    pub most: Micros,
    /// What the campaign bids in a first-price auction: `most`, or less with shading.
    pub shaded: Micros,
    /// The currency of both.
    pub cur: Currency,
}

impl Offer {
    /// The campaign's offer under `deal`, or without a deal. A deal's own price is taken as it is.
    #[must_use]
    pub fn of(campaign: &Campaign<'_>, deal: Option<&Deal<'_>>) -> Offer {
        let cur = campaign.cur();
        match deal.and_then(|deal| own_price(campaign, deal)) {
            Some(own) => Offer { most: own, shaded: own, cur },
            None => Offer { most: campaign.max_cpm(), shaded: campaign.shaded_cpm(), cur },
        }
    }
}

/// The campaign's price for this deal; `None` if the deal has no price of its own.
fn own_price(campaign: &Campaign<'_>, deal: &Deal<'_>) -> Option<Micros> {
    campaign.prices()?.deals().iter().find(|(id, _)| *id == deal.id.value).map(|(_, own)| own)
}
