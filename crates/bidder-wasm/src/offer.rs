//! What a campaign offers for an impression, in its own currency. The floor and the auction come later: `price.rs`.
//!
//! The offer is `max_cpm` times all multipliers whose conditions hold, or the own price of a deal, which no multiplier
//! changes.

use crate::catalog::{Campaign, ConditionDraft, Lists, Media, Parts};
use crate::flat::List;
use crate::money::{Currency, Micros};
use crate::multipliers::{holds, holds_on, times};
use crate::request::{Deal, Imp};
use crate::targeting::{Facts, Spot};
use crate::work::Meter;

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

/// The offers of a campaign on one impression, under one deal or without a deal.
#[derive(Debug, Clone, Copy)]
pub struct Offers<'a> {
    imp: &'a Imp<'a>,
    /// The offer before multipliers.
    pub base: Offer,
    /// Whether `base` is the deal's own price.
    pub is_of_deal: bool,
    /// The multipliers in the order of the document: the number of each condition, and the factor in millionths.
    multipliers: List<'a, (u32, u32)>,
    conditions: List<'a, ConditionDraft>,
    /// The bits of the multipliers whose conditions hold, apart from what they ask of the ad object.
    holding: u32,
    /// Multipliers raise an offer up to this amount.
    ceiling: Micros,
}

impl<'a> Offers<'a> {
    /// The offers of `campaign`, which is one of `parts`.
    pub fn of(
        facts: &Facts<'_>,
        imp: &'a Imp<'a>,
        deal: Option<&Deal<'_>>,
        campaign: &Campaign<'a>,
        parts: &Parts<'a>,
        meter: &Meter,
    ) -> Offers<'a> {
        let prices = campaign.prices();
        let own =
            deal.zip(prices).and_then(|(deal, prices)| prices.deals().iter().find(|(id, _)| *id == deal.id.value));
        let (most, shaded) = own.map_or((campaign.max_cpm(), campaign.shaded_cpm()), |(_, own)| (own, own));
        let multipliers = prices.filter(|_| own.is_none()).map(|prices| prices.multipliers()).unwrap_or_default();
        let (conditions, lists) = (parts.conditions(), Lists::of(parts));
        let is_met =
            |number: u32| conditions.get(number as usize).is_some_and(|one| holds(facts, imp, &one, lists, meter));
        let bits = multipliers.iter().zip(0..u32::BITS).filter(|((number, _), _)| is_met(*number));
        Offers {
            imp,
            base: Offer { most, shaded, cur: campaign.cur() },
            is_of_deal: own.is_some(),
            multipliers,
            conditions,
            holding: bits.fold(0, |holding, (_, bit)| holding | 1 << bit),
            ceiling: prices.map_or(Micros::MAX, |prices| prices.ceiling()),
        }
    }

    /// The multipliers that hold for an ad of this type: their places in the campaign's `bids`, and their factors in
    /// millionths.
    pub fn factors(&self, media: &Media<'_>) -> impl Iterator<Item = (u32, u32)> {
        let spot = Spot::of(self.imp, media);
        let Offers { multipliers, conditions, holding, .. } = *self;
        let all = (0..u32::BITS).zip(multipliers.iter()).filter(move |(bit, _)| holding >> bit & 1 == 1);
        let is_met = move |number: u32| conditions.get(number as usize).is_some_and(|one| holds_on(&spot, &one));
        all.filter(move |(_, (number, _))| is_met(*number)).map(|(place, (_, factor))| (place, factor))
    }

    /// The most that multipliers raise an offer to.
    pub fn ceiling(&self) -> Micros {
        self.ceiling
    }

    /// The offer for an ad of this type.
    pub fn with(&self, media: &Media<'_>) -> Offer {
        if self.holding == 0 {
            return self.base;
        }
        let Offer { most, shaded, cur } = self.factors(media).fold(self.base, |offer, (_, factor)| Offer {
            most: times(offer.most, factor),
            shaded: times(offer.shaded, factor),
            ..offer
        });
        Offer { most: most.min(self.ceiling), shaded: shaded.min(self.ceiling), cur }
    }
}
