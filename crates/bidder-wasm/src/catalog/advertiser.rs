//! Who advertises with a bid: the creative's own advertiser, else that of the campaign.

use super::{Campaign, Creative};
use crate::flat::flat;

flat! {
    /// What a bid says about its advertiser, and what requests may block.
    #[derive(Default)]
    pub struct Advertiser from AdvertiserDraft {
        /// `adomain` and `bundle`, as a fragment. Stored once for all advertisers with the same fragment.
        pub advertised: String,
        /// `cat` and `cattax`, as a fragment. Not part of `advertised`, because more advertisers share it.
        pub categories: String,
        /// `bid.adomain`, lower case.
        pub adomain: Vec<String>,
        /// `bid.bundle`; empty if no app is advertised.
        pub bundle: String,
        /// `bid.cat`.
        pub cat: Vec<String>,
        /// Taxonomy of `cat`.
        pub cattax: i64,
    }
}

impl<'s> Advertiser<'s> {
    /// The advertiser of a campaign's bid with this creative.
    pub fn of(campaign: &Campaign<'s>, creative: &Creative<'s>) -> Advertiser<'s> {
        creative.advertiser().get(0).unwrap_or_else(|| campaign.advertiser())
    }
}
