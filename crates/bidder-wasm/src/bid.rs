//! A bid, before it is written.

use crate::catalog::{Campaign, Creative};
use crate::price::Price;
use crate::request::{Deal, Imp};

/// One bid, by reference to what it was made of.
#[derive(Debug, Clone, Copy)]
pub struct Bid<'a> {
    /// What is bid on.
    pub imp: &'a Imp<'a>,
    /// The deal that it is made under.
    pub deal: Option<&'a Deal<'a>>,
    /// Who bids.
    pub campaign: Campaign<'a>,
    /// What would be shown.
    pub creative: Creative<'a>,
    /// Per thousand impressions, in the decision's currency.
    pub price: Price,
    /// How many bytes it takes in the answer, and its seat as a string; 0 where the SSP takes answers of any length.
    pub bytes: usize,
    /// See `bytes`.
    pub seat_bytes: usize,
}
