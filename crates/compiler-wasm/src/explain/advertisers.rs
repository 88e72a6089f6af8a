//! Both sides of a failed check of the advertiser in words: the advertisers of the campaign's creatives, and the lists of
//! the request or the deal.

use super::rejection::Rejection;
use super::words::{distinct_list, join, list};
use bidder_wasm::catalog::Advertiser;
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::{category, domain};

/// The campaign's value and the request's.
pub(super) fn sides(reason: R, rejection: &Rejection<'_, '_>) -> (String, String) {
    let request = rejection.facts.request;
    let own = |text: &dyn Fn(&Advertiser<'_>) -> String| {
        distinct_list(advertisers(rejection).map(|advertiser| text(&advertiser)))
    };
    let domains = || own(&|advertiser| list(advertiser.adomain().iter()));
    match reason {
        R::Badv => (format!("{} not blocked", domains()), blocked_domains(rejection)),
        R::Bcat => (format!("{} not blocked", own(&cats)), blocked_categories(rejection)),
        R::Bapp => {
            let bundles = own(&|advertiser| advertiser.bundle().to_owned());
            (format!("{bundles} not blocked"), format!("bapp {bundles}"))
        }
        R::Acat => (own(&cats), format!("acat {} (cattax {})", list(request.acat), request.cattax)),
        R::Advertiser => {
            let text = |own: &Advertiser<'_>| format!("{} {}", list(own.adomain().iter()), cats(own));
            (format!("{} not blocked", own(&text)), blocks(rejection))
        }
        _ => (domains(), list(rejection.deal.map(|deal| deal.wadomain).unwrap_or_default())),
    }
}

fn advertisers<'a>(rejection: &Rejection<'a, 'a>) -> impl Iterator<Item = Advertiser<'a>> {
    let campaign = *rejection.campaign;
    rejection.creatives().map(move |creative| Advertiser::of(&campaign, &creative))
}

fn cats(advertiser: &Advertiser<'_>) -> String {
    format!("{} (cattax {})", list(advertiser.cat().iter()), advertiser.cattax())
}

/// The lists of the request and the deal that keep the advertisers out.
fn blocks(rejection: &Rejection<'_, '_>) -> String {
    let request = rejection.facts.request;
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
    format!("badv {}", list(rejection.facts.request.badv.iter().filter(blocks)))
}

/// The entries of `bcat` that block one of the categories; all entries if the taxonomies differ.
fn blocked_categories(rejection: &Rejection<'_, '_>) -> String {
    let request = rejection.facts.request;
    let blocks = |listed: &&&str| {
        advertisers(rejection)
            .any(|own| request.cattax != own.cattax() || own.cat().iter().any(|own| category::is_within(own, listed)))
    };
    format!("bcat {} (cattax {})", list(request.bcat.iter().filter(blocks)), request.cattax)
}
