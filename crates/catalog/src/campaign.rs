//! Campaigns: their targeting, their prices, and the contents of their bids.

use super::{Advertiser, AdvertiserDraft, BoundsDraft, CapOn, Creative, Per, Prices, RuleDraft, Texts};
use base::money::{Currency, Micros};
use flat::{List, flat};

flat! {
    /// A campaign.
    pub struct Campaign from CampaignDraft {
        /// Its own notice URLs: one item, or none.
        pub notices: Vec<NoticesDraft>,
        /// `bid.cid`.
        pub cid: String,
        /// `seatbid.seat`.
        pub seat: String,
        /// The advertiser of its creatives that have none of their own.
        pub advertiser: AdvertiserDraft,
        /// The most that the campaign pays per thousand impressions, in `cur`.
        pub max_cpm: Micros,
        /// Currency of `max_cpm`; the catalog has its rate.
        pub cur: Currency,
        /// Numbers of the SSPs that the campaign buys from. Empty: all.
        pub ssps: Vec<u32>,
        /// The ids of its deals.
        pub deals: Vec<String>,
        /// Whether the campaign also bids without a deal.
        pub open: bool,
        /// The campaign's targeting of the request, one rule for each dimension, in the order of the checks.
        pub request_rules: Vec<RuleDraft>,
        /// The campaign's targeting of the impression.
        pub imp_rules: Vec<RuleDraft>,
        /// The campaign's targeting of the banner, video or audio that a creative would fill.
        pub spot_rules: Vec<RuleDraft>,
        /// When the campaign runs, and its targeting that the index cannot hold: one item, or none.
        pub bounds: Vec<BoundsDraft>,
        /// The numbers of its creatives; at least one.
        pub creatives: Vec<u32>,
        /// Whether its notice URLs are HTTPS, and whether they have macros of ours.
        pub texts: Texts,
        /// What the campaign bids in first-price auctions, in `cur`: `max_cpm`, or less with shading.
        pub shaded_cpm: Micros,
        /// `bid.exp` in seconds; 0: the SSP's value.
        pub exp: u32,
        /// The declaration of its bids under the Digital Services Act.
        pub dsa: Option<DsaDraft>,
    }
}

flat! {
    /// The notice URLs of a campaign, escaped for a JSON string; empty: none.
    #[derive(Default)]
    pub struct Notices from NoticesDraft {
        /// `bid.nurl`.
        pub nurl: String,
        /// `bid.burl`.
        pub burl: String,
        /// `bid.lurl`.
        pub lurl: String,
    }
}

impl CampaignDraft {
    /// Changes its bounds. If it has none, it gets default bounds first.
    pub fn change_bounds(&mut self, change: impl FnOnce(&mut BoundsDraft)) {
        let mut bounds = self.bounds.pop().unwrap_or_default();
        change(&mut bounds);
        self.bounds.push(bounds);
    }
}

impl<'s> Campaign<'s> {
    /// The IANA name of its time zone, empty if it has none, which means UTC.
    pub fn zone(&self) -> &'s str {
        self.bounds().get(0).map_or("", |bounds| bounds.zone())
    }

    /// Its frequency caps: see [`Bounds::caps`](super::Bounds::caps).
    pub fn caps(&self) -> List<'s, (Per, u32)> {
        self.bounds().get(0).map(|bounds| bounds.caps()).unwrap_or_default()
    }

    /// See [`Bounds::cap_on`](super::Bounds::cap_on).
    pub fn cap_on(&self) -> CapOn {
        self.bounds().get(0).map(|bounds| bounds.cap_on()).unwrap_or_default()
    }

    /// Whether one of its creatives has an advertiser of its own.
    pub fn has_advertisers(&self) -> bool {
        self.bounds().get(0).is_some_and(|bounds| bounds.has_advertisers())
    }

    /// Its prices besides `max_cpm`; `None` if it has none.
    pub fn prices(&self) -> Option<Prices<'s>> {
        self.bounds().get(0).and_then(|bounds| bounds.prices().get(0))
    }
}

impl<'s> Advertiser<'s> {
    /// The advertiser of a campaign's bid with this creative.
    pub fn of(campaign: &Campaign<'s>, creative: &Creative<'s>) -> Advertiser<'s> {
        creative.advertiser().get(0).unwrap_or_else(|| campaign.advertiser())
    }
}

flat! {
    /// The condition of a multiplier: a target. Campaigns share equal conditions.
    #[derive(Default)]
    pub struct Condition from ConditionDraft {
        /// Its rules on the request.
        pub request_rules: Vec<RuleDraft>,
        /// Its rules on the impression.
        pub imp_rules: Vec<RuleDraft>,
        /// Its rules on the banner, video or audio that a creative would fill.
        pub spot_rules: Vec<RuleDraft>,
        /// The parts of the target that are not lists of values: one item, or none.
        pub bounds: Vec<BoundsDraft>,
    }
}

flat! {
    /// `bid.ext.dsa`, as fragments.
    pub struct Dsa from DsaDraft {
        /// Whether the ad shows the information itself.
        pub adrender: bool,
        /// `behalf`, `paid` and `adrender`.
        pub names: String,
        /// `transparency`, or empty.
        pub transparency: String,
    }
}
