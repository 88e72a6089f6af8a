//! The catalog that decisions use: a view of the bytes of a [`Snapshot`].
//!
//! ```text
//! document (JSON) -- compiler --> Snapshot (bytes) -- open --> Catalog (a view of them)
//! ```
//!
//! The structs here define the layout of the bytes. The compiler is another crate: it fills in their drafts and refuses
//! a document with any mistake, so decisions do not validate the catalog again.

mod ad;
mod bounds;
mod budget;
mod campaign;
pub mod index;
mod rule;
mod snapshot;
mod ssp;

pub use ad::*;
pub use bounds::*;
pub use budget::*;
pub use campaign::*;
pub use rule::*;
pub use snapshot::{BadSnapshot, Snapshot};
pub use ssp::*;

use crate::flat::{Flat, Source, Wide, flat};
use crate::limits::max_work;
use crate::money::{Currency, Rates};
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
