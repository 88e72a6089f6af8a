//! What a campaign pays and what the floors ask for, in words.

use super::rejection::Rejection;
use super::words::{few, list};
use bidder_wasm::money::{Currency, Micros};
use bidder_wasm::price;

/// The least floor that one of the campaign's creatives would meet, and the most that it pays.
pub(super) fn sides(rejection: &Rejection<'_, '_>) -> (String, String) {
    let floor = floors(rejection).min_by_key(|(floor, _)| *floor);
    let found = floor.map_or_else(String::new, |(floor, cur)| format!("at least {floor} {}", cur.as_str()));
    (format!("at most {} {}", rejection.campaign.max_cpm(), rejection.campaign.cur().as_str()), found)
}

/// The currencies of the floors that have no rate, and those that have one. A campaign's has one, or the catalog is refused.
pub(super) fn rates(rejection: &Rejection<'_, '_>) -> (String, String) {
    let rates = &rejection.catalog.rates;
    let lacking = floors(rejection)
        .filter(|(floor, cur)| *floor > Micros::ZERO && *cur != rejection.cur && !rates.has(*cur))
        .map(|(_, cur)| format!("the floor's {}", cur.as_str()));
    let known = list(rates.iter().map(|(cur, _)| cur.as_str().to_owned()));
    (format!("a rate for {}", few(lacking)), format!("rates for {known}"))
}

/// Whether the amount or the currency of a floor cannot be read.
pub(super) fn unreadable(rejection: &Rejection<'_, '_>) -> (String, String) {
    let told = floors(rejection).filter_map(|(floor, cur)| match floor {
        Micros::UNREADABLE => Some("a floor that is no number".to_owned()),
        _ if cur == Currency::UNKNOWN => Some(format!("a floor of {floor} whose bidfloorcur is no currency")),
        _ => None,
    });
    ("a floor that is a number, in a currency (ISO 4217)".into(), few(told))
}

/// The floor of each of the campaign's creatives, and its currency.
fn floors<'p>(rejection: &'p Rejection<'_, '_>) -> impl Iterator<Item = (Micros, Currency)> + 'p {
    let creatives = rejection.imp.map(|_| rejection.creatives());
    let imp = rejection.imp.copied().unwrap_or_default();
    creatives.into_iter().flatten().map(move |creative| price::floor(&imp, rejection.deal, &creative))
}
