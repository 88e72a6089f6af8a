//! The checks of an advertiser: the advertisers of the campaign's creatives, and the lists of the request or the deal.

use super::super::rejection::Rejection;
use super::super::words::{distinct_list, join, list};
use super::check::Check;
use base::{category, domain};
use catalog::Advertiser;
use openrtb::request::{Request, UNKNOWN_TAXONOMY};
use reasons::no_bid::NoBidReason as R;

pub(super) const CHECKS: &[Check] = &[
    (R::Badv, &["badv"], |r| (format!("{} not blocked", own(r, domains)), blocked_domains(r))),
    (R::Bcat, &["bcat", "?cattax"], |r| (format!("{} not blocked", own(r, cats)), blocked_categories(r))),
    (R::Bapp, &["bapp"], |r| {
        let bundles = own(r, |advertiser| advertiser.bundle().to_owned());
        (format!("{bundles} not blocked"), format!("bapp {bundles}"))
    }),
    (R::Acat, &["acat", "?cattax"], |r| {
        (own(r, cats), format!("acat {} (cattax {})", list(r.request().acat), taxonomy(r.request())))
    }),
    (R::DealWadomain, &["deal.wadomain"], |r| {
        (own(r, domains), list(r.deal.map(|deal| deal.wadomain).unwrap_or_default()))
    }),
    (R::Advertiser, &["?badv", "?bcat", "?bapp", "?acat", "?deal.wadomain"], |r| {
        let text = |own: &Advertiser<'_>| format!("{} {}", domains(own), cats(own));
        (format!("{} not blocked", own(r, text)), blocks(r))
    }),
];

/// `text` of each advertiser of the campaign's creatives.
fn own(rejection: &Rejection<'_, '_>, text: fn(&Advertiser<'_>) -> String) -> String {
    distinct_list(advertisers(rejection).map(|advertiser| text(&advertiser)))
}

fn domains(advertiser: &Advertiser<'_>) -> String {
    list(advertiser.adomain().iter())
}

fn advertisers<'a>(rejection: &Rejection<'a, 'a>) -> impl Iterator<Item = Advertiser<'a>> {
    let campaign = *rejection.campaign;
    rejection.creatives().map(move |creative| Advertiser::of(&campaign, &creative))
}

fn cats(advertiser: &Advertiser<'_>) -> String {
    format!("{} (cattax {})", list(advertiser.cat().iter().map(category::code)), advertiser.cattax())
}

/// The lists of the request and the deal that keep the advertisers out.
fn blocks(rejection: &Rejection<'_, '_>) -> String {
    let request = rejection.request();
    let wadomain = rejection.deal.map(|deal| deal.wadomain).unwrap_or_default();
    let lists = [("badv", request.badv), ("bcat", request.bcat), ("bapp", request.bapp), ("acat", request.acat)];
    let given = lists.into_iter().chain([("wadomain", wadomain)]).filter(|(_, listed)| !listed.is_empty());
    join(given.map(|(name, listed)| format!("{name} {}", list(listed))), ", ")
}

/// The entries of `badv` that block one of the domains.
fn blocked_domains(rejection: &Rejection<'_, '_>) -> String {
    let blocks = |entry: &&&str| {
        let blocks = |own: &str| domain::hosts(entry).any(|listed| domain::is_within(own, listed));
        advertisers(rejection).any(|own| own.adomain().iter().any(blocks))
    };
    format!("badv {}", list(rejection.request().badv.iter().filter(blocks)))
}

/// The entries of `bcat` that block one of the categories; all entries if the taxonomies differ.
fn blocked_categories(rejection: &Rejection<'_, '_>) -> String {
    let request = rejection.request();
    let blocks = |listed: &&&str| {
        advertisers(rejection)
            .any(|own| request.cattax != own.cattax() || own.cat().iter().any(|own| category::is_within(own, listed)))
    };
    format!("bcat {} (cattax {})", list(request.bcat.iter().filter(blocks)), taxonomy(request))
}

/// The taxonomy of `bcat` and `acat`.
fn taxonomy(of: &Request<'_>) -> String {
    if of.cattax == UNKNOWN_TAXONOMY { "unreadable".into() } else { of.cattax.to_string() }
}
