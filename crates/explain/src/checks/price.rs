//! The price of a campaign and the floors, in words.

use super::super::comparison::Comparison;
use super::super::prices;
use super::super::rejection::{Case, Rejection};
use super::super::words::{distinct_list, list};
use super::check::Check;
use auction::price;
use base::money::{Currency, Micros, Rounding};
use reasons::no_bid::NoBidReason as R;

const FLOORS: &[&str] = &[
    "deal.bidfloor|imp.bidfloor",
    "?deal.bidfloorcur|imp.bidfloorcur",
    "?deal.mincpmpersec|spot.mincpmpersec",
    "?deal.durfloors|spot.durfloors",
];

pub(super) const CHECKS: &[Check] =
    &[(R::FloorUnreadable, FLOORS, unreadable), (R::Rate, FLOORS, rates), (R::Floor, FLOORS, floor)];

/// What the campaign pays at most, and the lowest floor of its creatives, both in the response's currency. An amount in
/// another currency comes first.
fn floor(rejection: &Rejection<'_, '_>) -> Comparison {
    let Rejection { case: &Case { ref facts, catalog, cur, .. }, deal, .. } = *rejection;
    let imp = rejection.imp();
    let floors = rejection.creatives().filter_map(|creative| {
        let floor = price::floor_in(&catalog.rates, facts, &imp, deal, &creative, cur).ok()?;
        Some((floor, price::floor(facts, &imp, deal, &creative)))
    });
    let found = floors.min_by_key(|(floor, _)| *floor).map_or_else(String::new, |(floor, (own, from))| {
        // A request can have several objects for one deal. Then the floor may come from another of these objects, and `own`
        // is not its amount.
        let is_own = from != cur && catalog.rates.convert(own, from, cur, Rounding::Up) == Some(floor);
        let own = if is_own { format!("{own} {} = ", from.as_str()) } else { String::new() };
        format!("at least {own}{floor} {}", cur.as_str())
    });
    (format!("at most {}", prices::most(rejection)), found)
}

/// The floors' currencies that have no rate, and all currencies that have a rate. The campaign's currency has a rate,
/// or the catalog does not compile.
fn rates(rejection: &Rejection<'_, '_>) -> Comparison {
    let rates = &rejection.catalog.rates;
    let without_rate = floors(rejection)
        .filter(|(floor, cur)| *floor > Micros::ZERO && *cur != rejection.cur && !rates.has(*cur))
        .map(|(_, cur)| format!("the floor's {}", cur.as_str()));
    let with_rate = list(rates.iter().map(|(cur, _)| cur.as_str().to_owned()));
    (format!("a rate for {}", distinct_list(without_rate)), format!("rates for {with_rate}"))
}

/// The floors whose amount or currency cannot be read.
fn unreadable(rejection: &Rejection<'_, '_>) -> Comparison {
    let unreadable = floors(rejection).filter_map(|(floor, cur)| match floor {
        Micros::UNREADABLE => Some("a floor that is not a number".to_owned()),
        _ if cur == Currency::UNKNOWN => Some(format!("a floor of {floor} whose bidfloorcur is not a currency")),
        _ => None,
    });
    ("a floor that is a number, in a currency (ISO 4217)".into(), distinct_list(unreadable))
}

/// The floor of each of the campaign's creatives, and its currency.
fn floors<'p>(rejection: &'p Rejection<'_, '_>) -> impl Iterator<Item = (Micros, Currency)> + 'p {
    let creatives = rejection.imp.map(|_| rejection.creatives());
    let imp = rejection.imp();
    creatives.into_iter().flatten().map(move |creative| price::floor(&rejection.facts, &imp, rejection.deal, &creative))
}
