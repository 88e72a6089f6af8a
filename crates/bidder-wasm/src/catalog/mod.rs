//! The catalog that decisions use: a view of the bytes of a [`Snapshot`].
//!
//! ```text
//! document (JSON) -- compiler --> Snapshot (bytes) -- open --> Catalog (a view of them)
//! ```
//!
//! The structs here define the layout of the bytes. The compiler is another crate: it fills in their drafts and refuses
//! a document with any mistake, so decisions do not validate the catalog again.

mod ad;
mod advertiser;
mod billing;
mod budget;
mod caps;
mod dsa;
mod hours;
pub mod index;
mod lists;
mod prices;
mod rule;
mod skadn;
mod snapshot;
mod ssp;
mod texts;

pub use ad::{
    Banner, BannerDraft, Companion, CompanionDraft, Companions, CompanionsDraft, Creative, CreativeDraft, Img,
    ImgDraft, Linear, LinearDraft, Media, MediaDraft, MediaFile, MediaFileDraft, Native, NativeDraft, Phrase,
    PhraseDraft, Shape, Vast, VastDraft,
};
pub use advertiser::{Advertiser, AdvertiserDraft};
pub use billing::{Auction, Billing, Codec, Costs, Floors, PriceMissing};
pub use budget::{Budget, BudgetDraft, Budgets, Order, OrderDraft, Spender, order_key};
pub use caps::{CapOn, Per};
pub use dsa::{Dsa, DsaDraft};
pub use hours::{Hours, HoursDraft};
pub use lists::{ListUse, ListUseDraft, Lists, SharedList, SharedListDraft};
pub use prices::{Condition, ConditionDraft, Prices, PricesDraft};
pub use rule::{
    Bounds, BoundsDraft, Circle, IncludeExclude, MetricFloor, MetricFloorDraft, Rule, RuleDraft, Schain, SchainDraft,
    Side, allows,
};
pub use skadn::{Skadn, SkadnDraft};
pub use snapshot::{BadSnapshot, Snapshot};
pub use ssp::{PRICE_MACRO, Ssp, SspDraft};
pub use texts::Texts;

use crate::flat::{Flat, List, Source, Wide, flat};
use crate::limits::max_work;
use crate::money::{Currency, Micros, Rates};
use crate::privacy;
use crate::read::{Needs, Wants};
use index::{IndexDraft, LoadedIndex};

flat! {
    /// The content of a snapshot.
    pub struct Parts from PartsDraft {
        /// See [`Catalog::rates`].
        pub rates: Vec<(Currency, i64)>,
        /// Our bidder code in Prebid Server, or empty.
        pub prebid_code: String,
        /// Whether every bid carries the catalog's version.
        pub version_in_bids: bool,
        /// See [`Catalog::privacy`].
        pub privacy: privacy::Settings,
        /// See [`Catalog::needs`].
        pub needs: Needs,
        /// The SSPs, in document order; the number of an SSP is its position here.
        pub ssps: Vec<SspDraft>,
        /// The creatives; the number of a creative is its position here.
        pub creatives: Wide<CreativeDraft>,
        /// The campaigns, by worth (see [`Index::worth`](index::Index::worth)), highest first; campaigns of equal worth
        /// in document order.
        pub campaigns: Wide<CampaignDraft>,
        /// The conditions of multipliers. The number of a condition is its position here.
        pub conditions: Wide<ConditionDraft>,
        /// The budgets, sorted by key. Most catalogs have none, so a campaign takes no bytes
        /// for a budget that it does not have.
        pub budgets: Wide<BudgetDraft>,
        /// The lists that rules of campaigns name, in document order; the number of a list is its position here.
        pub lists: Vec<SharedListDraft>,
        /// The orders that have campaigns, in document order.
        pub orders: Wide<OrderDraft>,
        /// Whether a campaign or a creative has a frequency cap.
        pub has_caps: bool,
        /// The index of the campaigns.
        pub index: IndexDraft,
    }
}

/// Everything that a decision needs to know besides the request: a view of a snapshot.
#[derive(Debug, Clone)]
pub struct Catalog<'s> {
    /// Currency rates.
    pub rates: Rates,
    /// How privacy signals are interpreted.
    pub privacy: privacy::Settings,
    /// The parts of a request that a decision can need.
    pub needs: Needs,
    /// The most work of one decision: see [`crate::limits::max_work`].
    pub max_work: usize,
    /// The index of the campaigns.
    pub index: LoadedIndex<'s>,
    /// Which campaigns have a budget.
    pub budgets: Budgets,
    source: Source<'s>,
    /// Offset of the [`Parts`].
    at: usize,
}

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
        /// What its bids declare under the Digital Services Act.
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
    /// Changes its bounds, which it gets if it has none.
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

    /// Its frequency caps: see [`Bounds::caps`].
    pub fn caps(&self) -> List<'s, (Per, u32)> {
        self.bounds().get(0).map(|bounds| bounds.caps()).unwrap_or_default()
    }

    /// What its caps and those of its creatives count.
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

    /// Its own `nurl`, empty if it has none.
    pub fn nurl(&self) -> &'s str {
        self.notices().get(0).map_or("", |own| own.nurl())
    }

    /// Its own `burl`, empty if it has none.
    pub fn burl(&self) -> &'s str {
        self.notices().get(0).map_or("", |own| own.burl())
    }

    /// Its own `lurl`, empty if it has none.
    pub fn lurl(&self) -> &'s str {
        self.notices().get(0).map_or("", |own| own.lurl())
    }
}

impl<'s> Catalog<'s> {
    fn new(source: Source<'s>, at: usize) -> Catalog<'s> {
        let parts = PartsDraft::view(source, at);
        Catalog {
            rates: parts.rates().iter().collect(),
            privacy: parts.privacy(),
            needs: parts.needs(),
            max_work: max_work(parts.campaigns().len()),
            index: LoadedIndex::new(parts.index()),
            budgets: Budgets::of(parts),
            source,
            at,
        }
    }

    /// The parts of a request to read for a decision.
    pub fn wants(&self) -> Wants<'s> {
        Wants { prebid_code: self.parts().prebid_code(), needs: self.needs }
    }

    /// The content of the snapshot.
    pub fn parts(&self) -> Parts<'s> {
        PartsDraft::view(self.source, self.at)
    }
}

impl<'s> Parts<'s> {
    /// The SSP with this number. If the catalog has no such SSP, an SSP with default settings.
    pub fn ssp(&self, number: usize) -> Ssp<'s> {
        self.ssps().get(number).unwrap_or_else(|| SspDraft::view(Source::default(), 0))
    }

    /// The creatives of a campaign.
    pub fn creatives_of<'c>(
        &self,
        campaign: &Campaign<'c>,
    ) -> impl Iterator<Item = Creative<'s>> + Clone + use<'s, 'c> {
        let all = self.creatives();
        campaign.creatives().iter().filter_map(move |number| all.get(number as usize))
    }
}
