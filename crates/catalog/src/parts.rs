//! The contents of a snapshot.

use super::index::IndexDraft;
use super::{
    AddressesDraft, Budget, BudgetDraft, Campaign, CampaignDraft, ConditionDraft, Creative, CreativeDraft, Lists,
    OrderDraft, SharedListDraft, Spender, Ssp, SspDraft, SupplyDraft, order_key,
};
use base::hash::hash_of;
use base::money::Currency;
use flat::{Flat, Source, Wide, flat};
use openrtb::read::Needs;

flat! {
    /// The contents of a snapshot.
    pub struct Parts from PartsDraft {
        /// See [`Catalog::rates`](super::Catalog).
        pub rates: Vec<(Currency, i64)>,
        /// Our bidder code in Prebid Server, or empty.
        pub prebid_code: String,
        /// Whether every bid carries the catalog's version.
        pub version_in_bids: bool,
        /// See [`Catalog::privacy`](super::Catalog).
        pub privacy: consent::Settings,
        /// See [`Catalog::needs`](super::Catalog).
        pub needs: Needs,
        /// The SSPs, in document order; the number of an SSP is its position here.
        pub ssps: Vec<SspDraft>,
        /// The creatives; the number of a creative is its position here.
        pub creatives: Wide<CreativeDraft>,
        /// The campaigns, by worth (see [`Index::worth`](super::index::Index::worth)), highest first; campaigns of equal worth
        /// in document order.
        pub campaigns: Wide<CampaignDraft>,
        /// The conditions of multipliers. The number of a condition is its position here.
        pub conditions: Wide<ConditionDraft>,
        /// The budgets, sorted by key. Most catalogs have none, so a campaign takes no bytes
        /// for a budget that it does not have.
        pub budgets: Wide<BudgetDraft>,
        /// The lists that rules of campaigns name, in document order; the number of a list is its position here.
        pub lists: Vec<SharedListDraft>,
        /// The paths of first-party data that targets name, as in the document.
        pub paths: Vec<String>,
        /// The orders that have campaigns, in document order.
        pub orders: Wide<OrderDraft>,
        /// Whether a campaign or a creative has a frequency cap.
        pub has_caps: bool,
        /// Whether the household counts for frequency caps if the request has no id.
        pub caps_households: bool,
        /// Whether a campaign has learned shading.
        pub learns: bool,
        /// Who may sell what: one item if a campaign asks for it, else none.
        pub supply: Vec<SupplyDraft>,
        /// The ranges of addresses in lists.
        pub addresses: AddressesDraft,
        /// The categories below those that campaigns target, except where their code shows it: their
        /// [`key`](base::category::key), ascending, and the one that is targeted.
        pub below: Vec<(u64, String)>,
        /// The index of the campaigns.
        pub index: IndexDraft,
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

    /// The campaign or order of this budget. `None` if the bytes are damaged.
    pub fn spender(&self, budget: &Budget<'_>) -> Option<Spender<'s>> {
        let (position, campaigns) = (budget.position() as usize, self.campaigns());
        match position.checked_sub(campaigns.len()) {
            None => campaigns.get(position).map(Spender::Campaign),
            Some(order) => self.orders().get(order).map(Spender::Order),
        }
    }

    /// The key of the budget that a campaign with this id has or would have. It searches all orders.
    pub fn budget_key(&self, cid: &str) -> u64 {
        let is_member = |position: u32| self.campaigns().get(position as usize).is_some_and(|one| one.cid() == cid);
        let order = self.orders().iter().find(|order| order.campaigns().iter().any(is_member));
        order.map_or_else(|| hash_of(cid), |order| order_key(order.id()))
    }
}

impl<'s> Lists<'s> {
    /// The lists of a catalog.
    pub fn of(parts: &Parts<'s>) -> Lists<'s> {
        Lists { all: parts.lists(), values: parts.index().values() }
    }
}
