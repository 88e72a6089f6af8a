//! Who may sell the request's site or app, by the files in the catalog.

use bidder_wasm::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::auction::Auction;
use super::json::{at, flag, int, list, text, texts};
use super::targeting::{channel, domain, domain_under};

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
    let chain = [at(request, "source/schain"), at(request, "source/ext/schain")].into_iter().find(|one| !one.is_null());
    let nodes = chain.map_or(&[][..], |chain| list(chain, "nodes"));
    let paid = nodes.iter().filter(|node| int(node, "hp") != Some(0));
    let mut sellers: Vec<(&str, &str)> = paid.map(|node| (text(node, "asi"), text(node, "sid"))).collect();
    let is_own = sellers.is_empty();
    if is_own {
        sellers.push((text(auction.ssp(), "domain"), text(place, "publisher/id")));
    }
    let ssp = text(auction.ssp(), "domain");
    let ends_at_ssp = nodes.last().is_none_or(|last| ssp.is_empty() || domain_under(text(last, "asi"), ssp));
    let is_whole = is_own || chain.is_some_and(|chain| flag(chain, "complete")) && ends_at_ssp;
    let place = if name == "site" { domain(place).to_lowercase() } else { text(place, "bundle").to_lowercase() };
    let is_named = !sellers[0].0.is_empty() && !sellers[0].1.is_empty();
    let is_told = ["site", "app"].contains(&name) && !place.is_empty() && is_named;
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
    let first = sellers[0];
    let has_line = |(asi, sid): (&str, &str), letter: char| {
        let wanted = number(asi).map(|number| format!("{number}{letter}:{sid}"));
        file.is_some_and(|line| line.split(',').skip(1).any(|own| Some(own) == wanted.as_deref()))
    };
    let is_unlisted = |seller: &(&str, &str)| {
        file.is_some() && number(seller.0).is_some() && !has_line(*seller, 'D') && !has_line(*seller, 'R')
    };
    let is_refused = |seller: &(&str, &str)| in_sellers(seller) == Some(None) || is_unlisted(seller);
    if is_told && sellers.iter().any(|seller| !seller.1.is_empty() && is_refused(seller)) {
        return Some(Reason::SupplyUnauthorised);
    }
    let is_known = is_told && number(first.0).is_some() && file.is_some();
    let day = DAYS.iter().find(|(date, _)| *date == text(files, "date")).unwrap().1;
    if !is_known && auction.now_ms < day + 15 * DAY_MS && text(rule, "authorised") == "require" {
        return Some(Reason::SupplyUnknown);
    }
    let is_direct = is_known && sellers.len() == 1 && is_whole && has_line(first, 'D');
    let types = texts(rule, "seller_types");
    let own = in_sellers(&first).flatten().filter(|_| is_told);
    let is_listed = own.is_some_and(|own| types.iter().any(|kind| kind.to_uppercase().starts_with(own)));
    let is_refused = at(rule, "direct_only") == true && !is_direct || !types.is_empty() && !is_listed;
    is_refused.then_some(Reason::SupplyPath)
}
