//! The catalog as it serves: views of the bytes of a [`Snapshot`], and the index of its campaigns.
//!
//! ```text
//! document (JSON) -- compiler --> Snapshot (bytes) -- open --> Catalog (a view of them)
//! ```
//!
//! The structs here are the layout of the bytes. The compiler, a crate of its own, fills in their drafts and refuses a document
//! with any mistake, so decisions check nothing again. A snapshot is immutable.

mod ad;
mod among;
mod dsa;
mod hours;
pub mod index;
mod rule;
mod snapshot;
mod ssp;

pub use ad::{
    Banner, BannerDraft, Companion, CompanionDraft, CompanionsDraft, Creative, CreativeDraft, Img, ImgDraft, Linear,
    LinearDraft, Media, MediaDraft, MediaFile, MediaFileDraft, Native, NativeDraft, Phrase, PhraseDraft, Shape,
    VastDraft,
};
pub use among::{Among, AmongDraft};
pub use dsa::{Dsa, DsaDraft};
pub use hours::{Hours, HoursDraft};
pub use rule::{Bounds, BoundsDraft, Circle, MetricFloor, MetricFloorDraft, Rule, RuleDraft, Schain, SchainDraft};
pub use snapshot::{BadSnapshot, Snapshot};
pub use ssp::{PRICE_MACRO, Ssp, SspDraft};

use crate::flat::{Flat, Source, Wide, flat};
use crate::limits::max_work;
use crate::money::{Currency, Micros, Rates};
use crate::privacy;
use crate::read::{Needs, Wants};
use index::{IndexDraft, Opened};

flat! {
    /// What lies in a snapshot.
    pub struct Parts from PartsDraft {
        /// See [`Catalog::rates`].
        pub rates: Vec<(Currency, i64)>,
        /// The code that Prebid Server knows us by, or empty.
        pub prebid_code: String,
        /// Whether every bid tells the catalog's version.
        pub version_in_bids: bool,
        /// See [`Catalog::privacy`].
        pub privacy: privacy::Settings,
        /// See [`Catalog::needs`].
        pub needs: Needs,
        /// The exchanges, in document order; an SSP's number is its place here.
        pub ssps: Vec<SspDraft>,
        /// What can be shown.
        pub creatives: Wide<CreativeDraft>,
        /// Seconds that any video or audio ad among them takes; 0 where there is none.
        pub shortest: i64,
        /// The campaigns, the one that would pay the most first (in US dollars; equal ones in
        /// document order).
        pub campaigns: Wide<CampaignDraft>,
        /// Who may bid where.
        pub index: IndexDraft,
    }
}

/// Everything that a decision needs to know besides the request: a view of a snapshot.
#[derive(Debug, Clone)]
pub struct Catalog<'s> {
    /// Currency rates.
    pub rates: Rates,
    /// What the law lets us do with whose data.
    pub privacy: privacy::Settings,
    /// What the campaigns can ask of a request.
    pub needs: Needs,
    /// Most work of one decision, in the units of [`crate::limits::max_work`].
    pub max_work: usize,
    /// The index of the campaigns.
    pub index: Opened<'s>,
    source: Source<'s>,
    /// Where the parts start.
    at: usize,
}

flat! {
    /// A biddable unit.
    pub struct Campaign from CampaignDraft {
        /// `nurl`, `burl` and `lurl` of its bids: members of JSON, each with a comma in front, as in the next two.
        pub notices: String,
        /// `adomain` and `bundle`, which campaigns of an advertiser share.
        pub advertised: String,
        /// `cat` and `cattax`, which many more do.
        pub categories: String,
        /// `bid.cid`.
        pub cid: String,
        /// `seatbid.seat`.
        pub seat: String,
        /// `bid.adomain`, lower case.
        pub adomain: Vec<String>,
        /// `bid.bundle`; empty when no app is advertised.
        pub bundle: String,
        /// `bid.cat`.
        pub cat: Vec<String>,
        /// Taxonomy of `cat`.
        pub cattax: i64,
        /// The most it pays per thousand impressions, in `cur`.
        pub max_cpm: Micros,
        /// Currency of `max_cpm`; the catalog has its rate.
        pub cur: Currency,
        /// Numbers of the SSPs it buys from. Empty: all.
        pub ssps: Vec<u32>,
        /// Deals that it may bid under.
        pub deals: Vec<String>,
        /// Whether it bids without a deal too.
        pub open: bool,
        /// Its targeting of the request, a dimension each, in the order of the checks.
        pub request_rules: Vec<RuleDraft>,
        /// Its targeting of the impression.
        pub imp_rules: Vec<RuleDraft>,
        /// Its targeting of the banner, video or audio that a creative would fill.
        pub spot_rules: Vec<RuleDraft>,
        /// The checks of its target that no index can hold.
        pub bounds: BoundsDraft,
        /// Places of what it shows in the catalog's `creatives`; at least one.
        pub creatives: Vec<u32>,
        /// Whether all of its notice URLs are HTTPS.
        pub secure: bool,
        /// What it bids in first-price auctions, in `cur`; `max_cpm` without shading. Never more.
        pub shaded_cpm: Micros,
        /// `bid.exp` in seconds; 0: as long as the exchange asks.
        pub exp: i64,
        /// What its bids tell under the Digital Services Act.
        pub dsa: Option<DsaDraft>,
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
            index: Opened::new(parts.index()),
            source,
            at,
        }
    }

    /// What to read of a request in order to decide on it.
    #[must_use]
    pub fn wants(&self) -> Wants<'s> {
        Wants { prebid_code: self.parts().prebid_code(), needs: self.needs }
    }

    /// What lies in the snapshot.
    #[must_use]
    pub fn parts(&self) -> Parts<'s> {
        PartsDraft::view(self.source, self.at)
    }
}

impl<'s> Parts<'s> {
    /// The exchange of a number. One that is not in the catalog has no ways of its own.
    #[must_use]
    pub fn ssp(&self, number: usize) -> Ssp<'s> {
        self.ssps().get(number).unwrap_or_else(|| SspDraft::view(Source::default(), 0))
    }

    /// What a campaign may show, in its order.
    pub fn creatives_of<'c>(
        &self,
        campaign: &Campaign<'c>,
    ) -> impl Iterator<Item = Creative<'s>> + Clone + use<'s, 'c> {
        let all = self.creatives();
        campaign.creatives().iter().filter_map(move |place| all.get(place as usize))
    }
}
