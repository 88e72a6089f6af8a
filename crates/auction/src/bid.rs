//! A bid, before it is written.

use crate::price::Price;
use catalog::{Campaign, Creative};
use openrtb::request::{Deal, Imp};

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
}
