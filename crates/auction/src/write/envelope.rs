//! What all bids of a response share, and the ids that follow from it.

use crate::bid::Bid;
use crate::context::Context;
use base::hash::hex;
use base::money::{Currency, Micros};
use catalog::{Catalog, Ssp};
use notices::UNSHADED;
use openrtb::request::{Imp, Request};
use rules::targeting::Facts;

/// The inputs that all bids of a response share.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    /// The currency of every price.
    pub cur: Currency,
    /// Whether the auction is a test, which is not billed (§3.2.1).
    pub test: bool,
    /// The request, without the data that privacy forbids to use, and the SSP that gets the response.
    pub facts: &'a Facts<'a>,
    /// The catalog of the campaigns.
    pub catalog: &'a Catalog<'a>,
    /// The time, the seed of the bid ids, and the settings of notices.
    pub context: &'a Context<'a>,
    /// Whether the bids are only measured: their notice URLs then have no signature.
    pub is_draft: bool,
}

impl<'a> Envelope<'a> {
    /// The envelope of the response to a request, as a draft.
    pub fn new(
        facts: &'a Facts<'a>,
        cur: Currency,
        catalog: &'a Catalog<'a>,
        context: &'a Context<'a>,
    ) -> Envelope<'a> {
        Envelope { cur, test: is_test(facts.request, facts.ssp), facts, catalog, context, is_draft: true }
    }

    /// When the bids are made, in seconds since the Unix epoch.
    pub(super) fn issued_s(&self) -> u32 {
        u32::try_from(self.context.now_ms / 1000).unwrap_or_default()
    }

    /// What a bid is compared with: see [`Token::arm`](notices::Token::arm). Bids whose price is not learned, such as those under deals, are in
    /// both groups of learned shading alike.
    pub(super) fn arm_of(&self, bid: &Bid<'_>) -> u8 {
        let learns = self.facts.shade.is_control && bid.campaign.prices().is_some_and(|prices| prices.learned());
        if learns { UNSHADED } else { self.context.arm }
    }

    /// Whether one showing of an ad may count for several impressions: the request says so, or is for a screen in a public
    /// place, whose exchange may say so later.
    pub(super) fn is_multiplied(&self, imp: &Imp<'_>) -> bool {
        self.facts.request.dooh.is_some() || imp.multiplier > Micros::ZERO
    }
}

/// Whether an auction is a test: the request says so, or the catalog marks all auctions of the SSP as tests.
pub fn is_test(request: &Request<'_>, ssp: Ssp<'_>) -> bool {
    request.test || ssp.test()
}

/// Appends the id of the bid at a place.
pub(crate) fn bid_id(out: &mut String, place: usize, envelope: &Envelope<'_>) {
    auction_id(out, envelope);
    hex(out, place as u64, 2);
}

/// Appends `BidResponse.bidid`, which is the beginning of the ids of all its bids.
pub(super) fn auction_id(out: &mut String, envelope: &Envelope<'_>) {
    out.push_str(if envelope.test { "test-" } else { "" });
    hex(out, envelope.context.seed, 16);
}
