//! What the files of publishers and advertising systems say about the way of a request to its SSP (ads.txt 1.1,
//! sellers.json 1.0, `SupplyChain` 1.0).

use crate::catalog::{Place, Relation, SellerType, Ssp, Supply, SupplyRule, seller_key};
use crate::no_bid::{Checked, NoBidReason, require};
use crate::request::{Channel, Request};

/// The way of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Path<'a> {
    /// What the files say.
    pub standing: Standing,
    /// The system and the account on which that depends; empty if the request names none.
    pub asi: &'a str,
    /// See `asi`.
    pub sid: &'a str,
    /// The type of the first seller; `None` if unknown.
    pub seller_type: Option<SellerType>,
    /// How many sellers are paid.
    pub hops: usize,
    /// Whether the files are so old that they cannot say that something is unknown.
    pub is_old: bool,
}

/// What the files say about a way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Standing {
    /// The request names no site or app, or no seller.
    #[default]
    Untold,
    /// The files were not read for the system.
    OtherSystem,
    /// The site or app has no file.
    NoFile,
    /// The file does not name the first seller.
    Unlisted,
    /// The system's sellers.json does not have the seller.
    NoSeller,
    /// The first seller is a reseller.
    Reseller,
    /// The first seller's account belongs to the owner.
    Direct,
}

impl<'a> Path<'a> {
    /// The way of a request. `channel` is that of [`Facts`](super::Facts). Without a supply chain, the SSP's own account
    /// of the publisher is the only seller.
    pub fn of(
        request: &Request<'a>,
        channel: &Channel<'a>,
        ssp: Ssp<'a>,
        supply: &Supply<'_>,
        now_ms: i64,
    ) -> Path<'a> {
        let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
        let paid = nodes.iter().filter(|node| node.hp != Some(false) && !node.asi.is_empty() && !node.sid.is_empty());
        let own = Some((ssp.domain(), channel.publisher_id)).filter(|(asi, sid)| !asi.is_empty() && !sid.is_empty());
        let own = if nodes.is_empty() { own } else { None };
        let hops = paid.map(|node| (node.asi, node.sid)).chain(own);
        let is_old = now_ms >= supply.old_from_ms();
        let path = Path { hops: hops.clone().count(), is_old, ..Path::default() };
        let Some((asi, sid)) = hops.clone().next() else { return path };
        let path = Path { asi, sid, ..path };
        let place = match request {
            Request { site: Some(_), .. } => Place::Site(channel.domain),
            Request { app: Some(_), .. } => Place::App(channel.bundle),
            _ => return path,
        };
        if matches!(place, Place::Site("") | Place::App("")) {
            return path;
        }
        // A system's own answer about a seller counts also where the site has no file.
        let unknown = hops.clone().find(|(asi, sid)| {
            supply
                .system(asi)
                .is_some_and(|(system, is_told)| is_told && supply.seller_type(seller_key(system, sid)).is_none())
        });
        if let Some((asi, sid)) = unknown {
            return Path { standing: Standing::NoSeller, asi, sid, ..path };
        }
        let Some((system, _)) = supply.system(asi) else { return Path { standing: Standing::OtherSystem, ..path } };
        let seller = seller_key(system, sid);
        let path = Path { seller_type: supply.seller_type(seller), ..path };
        let Some(file) = supply.file_of(place) else { return Path { standing: Standing::NoFile, ..path } };
        let standing = match supply.relation(file, seller) {
            None => Standing::Unlisted,
            Some(Relation::Reseller) => Standing::Reseller,
            Some(Relation::Direct) => Standing::Direct,
        };
        Path { standing, ..path }
    }

    /// Whether a campaign takes this way.
    pub fn check(&self, rule: &SupplyRule<'_>) -> Checked {
        let is_refused = matches!(self.standing, Standing::Unlisted | Standing::NoSeller);
        require(!is_refused, NoBidReason::SupplyUnauthorised)?;
        let is_known = matches!(self.standing, Standing::Reseller | Standing::Direct);
        require(is_known || self.is_old || !rule.required(), NoBidReason::SupplyUnknown)?;
        let is_direct = self.standing == Standing::Direct && self.hops == 1;
        require(is_direct || !rule.direct_only(), NoBidReason::SupplyPath)?;
        let types = rule.seller_types();
        let is_listed = types.is_empty() || self.seller_type.is_some_and(|own| types.contains(&own));
        require(is_listed, NoBidReason::SupplyPath)
    }
}
