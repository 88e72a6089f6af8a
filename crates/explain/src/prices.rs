//! What a campaign offers, in words: its `max_cpm`, each factor, and the result.

use super::rejection::{Case, Rejection};
use super::words::{distinct_list, join};
use auction::offer::Offers;
use base::money::{Micros, Rounding};
use catalog::{Campaign, Catalog, Media};
use openrtb::request::{Deal, Imp};
use rules::imp::is_offered;
use rules::targeting::Facts;
use rules::work::Meter;

/// The offers of a campaign on an impression, under a deal or without one.
pub(super) fn offers<'a>(
    facts: &Facts<'_>,
    imp: &'a Imp<'a>,
    deal: Option<&Deal<'_>>,
    campaign: &Campaign<'a>,
    catalog: &'a Catalog<'a>,
) -> Offers<'a> {
    Offers::of(facts, imp, deal, campaign, &catalog.parts(), &Meter::unlimited())
}

/// How the offer for an ad of this type comes about: `max_cpm 1.8 USD × 1.25 (bids[0]) = 2.25 USD`. Empty if it is
/// `max_cpm` as it is.
pub(super) fn steps(offers: &Offers<'_>, media: &Media<'_>) -> String {
    let cur = offers.base.cur.as_str();
    let factors =
        offers.factors(media).map(|(position, factor)| format!(" × {} (bids[{position}])", Micros(factor.into())));
    let factors = join(factors, "");
    match (offers.is_of_deal, factors.is_empty()) {
        (true, _) => format!("max_cpm {} {cur} of the deal", offers.base.most),
        (false, true) => String::new(),
        (false, false) => {
            let own = offers.with(media);
            let at_ceiling = if own.most == offers.ceiling() { " (max_cpm_ceiling)" } else { "" };
            format!("max_cpm {} {cur}{factors} = {} {cur}{at_ceiling}", offers.base.most, own.most)
        }
    }
}

/// The most that the campaign pays for its ads that the impression takes, also in the response's currency.
pub(super) fn most(rejection: &Rejection<'_, '_>) -> String {
    let Rejection { case: &Case { ref facts, catalog, cur, .. }, deal, campaign, .. } = *rejection;
    let Some(imp) = rejection.imp else { return String::new() };
    let offers = offers(facts, imp, deal, campaign, catalog);
    let media = rejection.creatives().map(|creative| creative.media()).filter(|media| is_offered(imp, media));
    distinct_list(media.map(|media| {
        let own = offers.with(&media);
        let steps = steps(&offers, &media);
        let converted = catalog.rates.convert(own.most, own.cur, cur, Rounding::Down).filter(|_| own.cur != cur);
        let converted = converted.map_or_else(String::new, |most| format!(" = {most} {}", cur.as_str()));
        let most = format!("{} {}{converted}", own.most, own.cur.as_str());
        if steps.is_empty() { most } else { format!("{most} ({steps})") }
    }))
}
