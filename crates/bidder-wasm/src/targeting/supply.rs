//! What the files of publishers and advertising systems say about the way of a request to its SSP (ads.txt 1.1,
//! sellers.json 1.0, `SupplyChain` 1.0).

use crate::catalog::{Place, Relation, SellerType, Ssp, Supply, SupplyRule, seller_key};
use crate::no_bid::{Checked, NoBidReason, require};
use crate::request::{Channel, Request};

/// The most sellers of a chain that are looked up.
const MAX_HOPS: usize = 32;

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
    /// Whether the request names all of them.
    pub is_whole: bool,
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
    /// The file does not name a seller.
    Unlisted,
    /// The system's sellers.json does not have the seller.
    NoSeller,
    /// The first seller is a reseller.
    Reseller,
    /// The first seller's account belongs to the owner.
    Direct,
}

impl<'a> Path<'a> {
    /// The way of a request. `channel` is that of [`Facts`](super::Facts). Without a paid seller in a supply chain, the
    /// SSP's own account of the publisher is the only seller.
    pub fn of(
        request: &Request<'a>,
        channel: &Channel<'a>,
        ssp: Ssp<'a>,
        supply: &Supply<'_>,
        now_ms: i64,
    ) -> Path<'a> {
        let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
        let paid = nodes.iter().filter(|node| node.hp != Some(false));
        let paid = paid.map(|node| (node.asi.trim_end_matches('.'), node.sid.trim()));
        let own = if paid.clone().next().is_none() { Some((ssp.domain(), channel.publisher_id.trim())) } else { None };
        let is_whole = own.is_some() || request.schain.is_some_and(|chain| chain.complete);
        let hops = paid.chain(own);
        let path =
            Path { hops: hops.clone().count(), is_whole, is_old: now_ms >= supply.old_from_ms(), ..Path::default() };
        let Some((asi, sid)) = hops.clone().next() else { return path };
        let path = Path { asi, sid, ..path };
        let place = match request {
            Request { site: Some(_), .. } => Place::Site(channel.domain),
            Request { app: Some(_), .. } => Place::App(channel.bundle),
            _ => return path,
        };
        let is_told = !asi.is_empty() && !sid.is_empty() && !matches!(place, Place::Site("") | Place::App(""));
        if !is_told || path.hops > MAX_HOPS {
            return path;
        }
        let file = supply.file_of(place);
        for (asi, sid) in hops.filter(|(_, sid)| !sid.is_empty()) {
            let Some((system, has_sellers)) = supply.system(asi) else { continue };
            let seller = seller_key(system, sid);
            let refused = if has_sellers && supply.seller_type(seller).is_none() {
                Some(Standing::NoSeller)
            } else {
                file.filter(|file| supply.relation(*file, seller).is_none()).map(|_| Standing::Unlisted)
            };
            if let Some(standing) = refused {
                return Path { standing, asi, sid, ..path };
            }
        }
        let Some((system, _)) = supply.system(asi) else { return Path { standing: Standing::OtherSystem, ..path } };
        let seller = seller_key(system, sid);
        let path = Path { seller_type: supply.seller_type(seller), ..path };
        let Some(file) = file else { return Path { standing: Standing::NoFile, ..path } };
        let is_direct = supply.relation(file, seller) == Some(Relation::Direct);
        Path { standing: if is_direct { Standing::Direct } else { Standing::Reseller }, ..path }
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
