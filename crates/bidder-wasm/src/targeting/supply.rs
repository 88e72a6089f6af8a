//! What the files of publishers and advertising systems say about the way of a request to its SSP (ads.txt 1.1,
//! sellers.json 1.0, `SupplyChain` 1.0).

use core::cell::OnceCell;

use bumpalo::Bump;

use crate::catalog::{Catalog, Place, Relation, SellerType, Supply, SupplyRule, seller_key};
use crate::domain;
use crate::no_bid::{Checked, NoBidReason, require};
use crate::request::{Node, Request, SupplyChain};

use super::facts::Facts;

/// The most sellers of a chain that are looked up.
const MAX_HOPS: usize = 32;

/// The way of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Path {
    /// What the files say.
    pub standing: Standing,
    /// The place of the seller on which that depends, in [`sellers`].
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

/// What the files say about a way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Standing {
    /// The request names no site or app, or no seller, or more sellers than are looked up.
    #[default]
    Untold,
    /// The files were not read for the system.
    OtherSystem,
    /// The site or app has no file.
    NoFile,
    /// The file does not name a seller.
    Unlisted,
    /// The system's sellers.json does not have the seller.
    NoSeller,
    /// The first seller is a reseller.
    Reseller,
    /// The first seller's account belongs to the owner.
    Direct,
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

    /// The way of the request of `facts`, which must be the same each time.
    pub(super) fn path(self, facts: &Facts<'_>) -> &'a Path {
        self.0.map_or(&Path::UNTOLD, |(supply, path)| path.get_or_init(|| Path::of(facts, supply)))
    }
}

/// The paid sellers of a request, as system and account, from the publisher on. Without one in its supply chain, the
/// SSP's own account of the publisher is the only seller.
pub fn sellers<'a>(facts: &Facts<'a>) -> impl Iterator<Item = (&'a str, &'a str)> + Clone {
    let is_bare = !paid(facts.request).any(|_| true);
    let own = is_bare.then(|| (facts.ssp.domain(), facts.channel.publisher_id.trim()));
    paid(facts.request).map(|node| (domain::host(node.asi), node.sid.trim())).chain(own)
}

/// Whether a chain says that it is complete, and ends at the SSP that sends the request (`SupplyChain` 1.0).
pub(super) fn is_whole(facts: &Facts<'_>, chain: &SupplyChain<'_>) -> bool {
    let ssp = facts.ssp.domain();
    let is_sender = |last: &Node<'_>| ssp.is_empty() || domain::is_within(domain::host(last.asi), ssp);
    chain.complete && chain.nodes.last().is_none_or(is_sender)
}

fn paid<'a>(request: &Request<'a>) -> impl Iterator<Item = &'a Node<'a>> + Clone {
    let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
    nodes.iter().filter(|node| node.hp != Some(false))
}

impl Path {
    /// Of a catalog without files.
    const UNTOLD: Path =
        Path { standing: Standing::Untold, seller: 0, seller_type: None, hops: 0, is_whole: false, is_old: false };

    fn of(facts: &Facts<'_>, supply: &Supply<'_>) -> Path {
        let Facts { request, channel, now_ms, .. } = facts;
        let sellers = sellers(facts);
        let is_whole = !paid(request).any(|_| true) || request.schain.is_some_and(|chain| is_whole(facts, &chain));
        let is_old = *now_ms >= supply.old_from_ms();
        let hops = paid(request).count().max(1);
        let path = Path { hops, is_whole, is_old, ..Path::UNTOLD };
        let place = match request {
            Request { site: Some(_), .. } => Place::Site(channel.domain),
            Request { app: Some(_), .. } => Place::App(channel.bundle),
            _ => return path,
        };
        let is_named = sellers.clone().next().is_some_and(|(asi, sid)| !asi.is_empty() && !sid.is_empty());
        let is_placed = !matches!(place, Place::Site("") | Place::App(""));
        if !is_named || !is_placed {
            return path;
        }
        let file = supply.file_of(place);
        // The first seller's type and relation; `None` as long as its system is unknown.
        let mut first = None;
        for (at, (asi, sid)) in sellers.enumerate().take(MAX_HOPS) {
            if sid.is_empty() {
                continue;
            }
            let Some((system, has_sellers)) = supply.system(asi) else { continue };
            let key = seller_key(system, sid);
            let seller_type = supply.seller_type(key);
            let relation = file.and_then(|file| supply.relation(file, key));
            if has_sellers && seller_type.is_none() {
                return Path { standing: Standing::NoSeller, seller: at, ..path };
            }
            if file.is_some() && relation.is_none() {
                return Path { standing: Standing::Unlisted, seller: at, ..path };
            }
            if at == 0 {
                first = Some((seller_type, relation));
            }
        }
        if path.hops > MAX_HOPS {
            return path;
        }
        let Some((seller_type, relation)) = first else { return Path { standing: Standing::OtherSystem, ..path } };
        let standing = match relation {
            None => Standing::NoFile,
            Some(Relation::Reseller) => Standing::Reseller,
            Some(Relation::Direct) => Standing::Direct,
        };
        Path { standing, seller_type, ..path }
    }

    /// Whether a campaign takes this way.
    pub fn check(&self, rule: &SupplyRule<'_>) -> Checked {
        let is_refused = matches!(self.standing, Standing::Unlisted | Standing::NoSeller);
        require(!is_refused, NoBidReason::SupplyUnauthorised)?;
        let is_known = matches!(self.standing, Standing::Reseller | Standing::Direct);
        require(is_known || self.is_old || !rule.required(), NoBidReason::SupplyUnknown)?;
        let is_direct = self.standing == Standing::Direct && self.hops == 1 && self.is_whole;
        require(is_direct || !rule.direct_only(), NoBidReason::SupplyPath)?;
        let types = rule.seller_types();
        let is_listed = types.is_empty() || self.seller_type.is_some_and(|own| types.contains(&own));
        require(is_listed, NoBidReason::SupplyPath)
    }
}
