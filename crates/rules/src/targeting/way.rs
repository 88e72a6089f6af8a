//! The way of a request to its SSP, and which campaigns take it.

use core::cell::OnceCell;

use bumpalo::Bump;

use catalog::{Catalog, SellerType, Supply, SupplyRule};
use reasons::no_bid::{Checked, NoBidReason, require};

/// The way of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Path {
    /// What the files say about the first of the sellers with the worst `Verdict`.
    pub standing: Standing,
    /// The place of this seller, in [`sellers`](super::supply::sellers).
    pub seller: usize,
    /// The type of the first seller; `None` if unknown.
    pub seller_type: Option<SellerType>,
    /// How many sellers are paid.
    pub hops: usize,
    /// Whether the request names all of them: it has no chain, or one that is complete and ends at its SSP.
    pub is_whole: bool,
    /// Whether the files are so old that they cannot say that something is unknown.
    pub is_old: bool,
}

/// What the files say about a seller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Standing {
    /// The request does not name the system and the account.
    #[default]
    Unnamed,
    /// The files were not read for the system.
    OtherSystem,
    /// The request names no site or app.
    NoPlace,
    /// The site or app has no file, or the partner that its file names has none.
    NoFile,
    /// The file does not name the seller.
    Unlisted,
    /// The system's sellers.json does not have the seller.
    NoSeller,
    /// The request has more sellers than are looked up.
    TooMany,
    /// A reseller.
    Reseller,
    /// The account belongs to the owner.
    Direct,
}

/// What a standing means, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Authorised,
    Unknown,
    Refused,
}

impl Standing {
    pub(super) fn verdict(self) -> Verdict {
        match self {
            Standing::Direct | Standing::Reseller => Verdict::Authorised,
            Standing::Unnamed | Standing::OtherSystem | Standing::NoPlace | Standing::NoFile => Verdict::Unknown,
            Standing::Unlisted | Standing::NoSeller | Standing::TooMany => Verdict::Refused,
        }
    }
}

impl Path {
    /// Of a catalog without files.
    pub(super) const UNKNOWN: Path =
        Path { standing: Standing::Unnamed, seller: 0, seller_type: None, hops: 0, is_whole: false, is_old: false };

    /// Whether a campaign takes this way.
    pub fn check(&self, rule: &SupplyRule<'_>) -> Checked {
        let verdict = self.standing.verdict();
        require(verdict != Verdict::Refused, NoBidReason::SupplyUnauthorised)?;
        let is_known = verdict == Verdict::Authorised;
        require(is_known || self.is_old || !rule.required(), NoBidReason::SupplyUnknown)?;
        let is_direct = self.standing == Standing::Direct && self.hops == 1 && self.is_whole;
        require(is_direct || !rule.direct_only(), NoBidReason::SupplyPath)?;
        let types = rule.seller_types();
        let is_listed = types.is_empty() || self.seller_type.is_some_and(|own| types.contains(&own));
        require(is_listed, NoBidReason::SupplyPath)
    }
}

/// The files of a catalog, and the way of a request once a campaign has asked for it. Most requests never get that far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Way<'a>(Option<&'a (Supply<'a>, OnceCell<Path>)>);

impl<'a> Way<'a> {
    /// With the files of the catalog, if it has any.
    pub fn of(catalog: &Catalog<'a>, arena: &'a Bump) -> Way<'a> {
        let supply = catalog.parts().supply().get(0);
        Way(supply.map(|supply| &*arena.alloc((supply, OnceCell::new()))))
    }

    /// The way of the request, which must be the same each time. `find` finds it in the files of the catalog.
    pub(super) fn path(self, find: impl FnOnce(&Supply<'a>) -> Path) -> &'a Path {
        self.0.map_or(&Path::UNKNOWN, |(supply, path)| path.get_or_init(|| find(supply)))
    }
}
