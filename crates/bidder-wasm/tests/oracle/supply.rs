//! Who may sell the request's site or app, by the files in the catalog.

use bidder_wasm::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::auction::Auction;
use super::json::{at, int, list, text, texts};
use super::targeting::{channel, domain};

/// The last millisecond of a day, and of the days after it, is not old yet.
const DAYS: [(&str, i64); 2] = [("2026-03-20", 1_773_964_800_000), ("2026-01-05", 1_767_571_200_000)];
const DAY_MS: i64 = 86_400_000;

/// Why the target refuses the sellers of the request.
pub fn supply(target: &Value, auction: &Auction<'_>) -> Option<Reason> {
    let rule = at(target, "supply");
    if rule.is_null() {
        return None;
    }
    let files = at(auction.catalog, "supply");
    let request = auction.request;
    let (name, place) = channel(request);
    let chain = [at(request, "source/schain"), at(request, "source/ext/schain")];
    let nodes = chain.into_iter().find(|chain| !chain.is_null()).map_or(&[][..], |chain| list(chain, "nodes"));
    let paid = nodes.iter().filter(|node| int(node, "hp") != Some(0));
    let mut sellers: Vec<(&str, &str)> = paid.map(|node| (text(node, "asi"), text(node, "sid"))).collect();
    if nodes.is_empty() {
        sellers.push((text(auction.ssp(), "domain"), text(place, "publisher/id")));
    }
    sellers.retain(|(asi, sid)| !asi.is_empty() && !sid.is_empty());
    let place = if name == "site" { domain(place).to_lowercase() } else { text(place, "bundle").to_lowercase() };
    let is_told = ["site", "app"].contains(&name) && !place.is_empty() && !sellers.is_empty();
    let number = |asi: &str| list(files, "systems").iter().position(|system| text(system, "domain") == asi);
    let in_sellers = |(asi, sid): &(&str, &str)| {
        let sellers = at(&list(files, "systems")[number(asi)?], "sellers").as_array()?;
        Some(
            sellers
                .iter()
                .find_map(|seller| seller.as_str()?.split_once(':').filter(|(_, own)| own == sid))
                .map(|(kind, _)| kind),
        )
    };
    let file = texts(files, if name == "site" { "ads" } else { "app_ads" }).into_iter().filter(|line| {
        let of = line.split(',').next().unwrap();
        of == place || name == "site" && place.ends_with(&format!(".{of}"))
    });
    // The longest name is the nearest one.
    let file = file.max_by_key(|line| line.split(',').next().unwrap().len());
    let first = sellers.first().copied().unwrap_or_default();
    let lines = |letter: char| {
        let wanted = number(first.0).map(|number| format!("{number}{letter}:{}", first.1));
        file.is_some_and(|line| line.split(',').skip(1).any(|own| Some(own) == wanted.as_deref()))
    };
    let is_known = is_told && number(first.0).is_some() && file.is_some();
    let is_refused = is_told && sellers.iter().any(|seller| in_sellers(seller) == Some(None))
        || is_known && !lines('D') && !lines('R');
    if is_refused {
        return Some(Reason::SupplyUnauthorised);
    }
    let day = DAYS.iter().find(|(date, _)| *date == text(files, "date")).unwrap().1;
    if !is_known && auction.now_ms < day + 15 * DAY_MS && text(rule, "authorised") == "require" {
        return Some(Reason::SupplyUnknown);
    }
    let is_direct = is_known && sellers.len() == 1 && lines('D');
    let types = texts(rule, "seller_types");
    let own = in_sellers(&first).flatten().filter(|_| is_told);
    let is_listed = own.is_some_and(|own| types.iter().any(|kind| kind.to_uppercase().starts_with(own)));
    let is_refused = at(rule, "direct_only") == true && !is_direct || !types.is_empty() && !is_listed;
    is_refused.then_some(Reason::SupplyPath)
}
