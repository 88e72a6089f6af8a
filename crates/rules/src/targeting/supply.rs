//! What the files of publishers and advertising systems say about the way of a request to its SSP (ads.txt 1.1,
//! sellers.json 1.0, `SupplyChain` 1.0).

use base::domain;
use catalog::{Place, Relation, SellerType, Supply, seller_key};
use openrtb::request::{Node, Request, SupplyChain};

use super::facts::Facts;
pub use super::way::{Path, Standing, Way};

/// The most sellers of a request that are looked up.
const MAX_HOPS: usize = 32;

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

impl<'a> Facts<'a> {
    /// The way of the request to its SSP; nothing is known about it if the catalog has no files.
    pub fn path(&self) -> &'a Path {
        self.supply.path(|supply| Path::of(self, supply))
    }
}

impl Path {
    fn of(facts: &Facts<'_>, supply: &Supply<'_>) -> Path {
        let request = facts.request;
        let is_whole = !paid(request).any(|_| true) || request.schain.is_some_and(|chain| is_whole(facts, &chain));
        let is_old = facts.now_ms >= supply.old_from_ms();
        let hops = paid(request).count().max(1);
        let mut path = Path { hops, is_whole, is_old, ..Path::UNKNOWN };
        if hops > MAX_HOPS {
            // One of the others may be refused.
            return Path { standing: Standing::TooMany, ..path };
        }
        let files = Files::of(facts, supply);
        for (at, (asi, sid)) in sellers(facts).enumerate() {
            let (standing, seller_type) = files.ask(supply, asi, sid);
            if at == 0 {
                path = Path { standing, seller_type, ..path };
            } else if standing.verdict() > path.standing.verdict() {
                path = Path { standing, seller: at, ..path };
            }
        }
        path
    }
}

/// The files that name the sellers of a site or an app: its own one, and that of the owner of its content, if the request
/// and the own file name this partner (`inventorypartnerdomain` of ads.txt 1.1, section 3.5).
struct Files {
    keys: [Option<u64>; 2],
    /// The standing of an account that no file names.
    other: Standing,
}

impl Files {
    fn of(facts: &Facts<'_>, supply: &Supply<'_>) -> Files {
        let channel = &facts.channel;
        let site = facts.site_domain();
        let place = if site.is_empty() { Place::App(channel.bundle) } else { Place::Site(site) };
        if let Place::App("") = place {
            return Files { keys: [None; 2], other: Standing::NoPlace };
        }
        let own = supply.file_of(place);
        let partner = domain::host(channel.inventorypartnerdomain);
        let has_partner = own.is_some_and(|own| supply.names_partner(own, partner));
        let partners = if has_partner { supply.file_of(Place::Site(partner)) } else { None };
        let is_missing = own.is_none() || has_partner && partners.is_none();
        Files { keys: [own, partners], other: if is_missing { Standing::NoFile } else { Standing::Unlisted } }
    }

    /// The standing of an account, and its type.
    fn ask(&self, supply: &Supply<'_>, asi: &str, sid: &str) -> (Standing, Option<SellerType>) {
        if asi.is_empty() || sid.is_empty() {
            return (Standing::Unnamed, None);
        }
        let Some((system, has_sellers)) = supply.system(asi) else { return (Standing::OtherSystem, None) };
        let key = seller_key(system, sid);
        let seller_type = supply.seller_type(key);
        if has_sellers && seller_type.is_none() {
            return (Standing::NoSeller, None);
        }
        let relation = self.keys.into_iter().flatten().find_map(|file| supply.relation(file, key));
        let standing = match relation {
            None => self.other,
            Some(Relation::Reseller) => Standing::Reseller,
            Some(Relation::Direct) => Standing::Direct,
        };
        (standing, seller_type)
    }
}
