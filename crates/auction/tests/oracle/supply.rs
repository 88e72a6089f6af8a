//! Who may sell the request's site or app, by the files in the catalog.

use reasons::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::json::{at, flag, has, int, list, text, texts};
use super::pair::Auction;
use super::positions::{chain, channel};
use super::targeting::{domain, domain_under};

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
    let (name, position) = channel(request);
    let chain = &chain(request);
    let nodes = list(chain, "nodes");
    let paid = nodes.iter().filter(|node| int(node, "hp") != Some(0));
    let mut sellers: Vec<(&str, &str)> = paid.map(|node| (text(node, "asi"), text(node, "sid"))).collect();
    let is_own = sellers.is_empty();
    if is_own {
        sellers.push((text(auction.ssp(), "domain"), text(position, "publisher/id")));
    }
    let ssp = text(auction.ssp(), "domain");
    let ends_at_ssp = nodes.last().is_none_or(|last| ssp.is_empty() || domain_under(text(last, "asi"), ssp));
    let is_whole = is_own || flag(chain, "complete") && ends_at_ssp;

    let partner = text(position, "inventorypartnerdomain");
    let own = match name {
        "site" => file_of(texts(files, "ads"), &domain(position).to_lowercase(), true),
        "app" => file_of(texts(files, "app_ads"), &text(position, "bundle").to_lowercase(), false),
        _ => None,
    };
    let has_partner = own.is_some_and(|own| own.split(',').any(|part| part == format!("={partner}")));
    let partners = file_of(texts(files, "ads"), partner, true).filter(|_| has_partner);
    let verdicts = sellers.iter().map(|(asi, sid)| {
        let systems = list(files, "systems");
        let number = systems.iter().position(|system| text(system, "domain") == *asi);
        let number = number.filter(|_| !asi.is_empty() && !sid.is_empty());
        let Some(number) = number else { return Seller { is_known: false, ..Seller::default() } };
        let kind = kind_of(&systems[number], sid);
        let is_missing = has(&systems[number], "sellers") && kind.is_none();
        let names = |file: &str, letter: char| {
            let wanted = format!("{number}{letter}:{sid}");
            file.split(',').skip(1).any(|own| own == wanted)
        };
        // If a file names an account twice, the account is the owner's.
        let relations = [own, partners].into_iter().flatten().map(|file| (names(file, 'D'), names(file, 'R')));
        let relation = relations.clone().find(|(direct, reseller)| *direct || *reseller);
        let has_all_files = own.is_some() && (!has_partner || partners.is_some());
        Seller {
            is_refused: is_missing || has_all_files && relation.is_none(),
            is_known: relation.is_some(),
            is_direct: relation.is_some_and(|(direct, _)| direct),
            kind,
        }
    });
    let verdicts: Vec<Seller<'_>> = verdicts.collect();
    if sellers.len() > 32 || verdicts.iter().any(|seller| seller.is_refused) {
        return Some(Reason::SupplyUnauthorised);
    }
    let is_known = verdicts.iter().all(|seller| seller.is_known);
    let day = DAYS.iter().find(|(date, _)| *date == text(files, "date")).unwrap().1;
    if !is_known && auction.now_ms < day + 15 * DAY_MS && text(rule, "authorised") == "require" {
        return Some(Reason::SupplyUnknown);
    }
    let is_direct = is_known && sellers.len() == 1 && is_whole && verdicts[0].is_direct;
    let types = texts(rule, "seller_types");
    let is_listed = verdicts[0].kind.is_some_and(|own| types.iter().any(|kind| kind.to_uppercase().starts_with(own)));
    let is_refused = at(rule, "direct_only") == true && !is_direct || !types.is_empty() && !is_listed;
    is_refused.then_some(Reason::SupplyPath)
}

/// What the files say about one seller.
#[derive(Default)]
struct Seller<'f> {
    is_refused: bool,
    is_known: bool,
    is_direct: bool,
    /// The letter of its type.
    kind: Option<&'f str>,
}

/// The letter of an account's type in sellers.json.
fn kind_of<'f>(system: &'f Value, sid: &str) -> Option<&'f str> {
    let accounts = texts(system, "sellers").into_iter().filter_map(|seller| seller.split_once(':'));
    accounts.filter(|(_, own)| *own == sid).map(|(kind, _)| kind).next()
}

/// The entry of a site or an app. The longest name is the nearest domain.
fn file_of<'f>(files: Vec<&'f str>, position: &str, is_site: bool) -> Option<&'f str> {
    let is_of = |line: &&str| {
        let of = line.split(',').next().unwrap();
        !position.is_empty() && (of == position || is_site && position.ends_with(&format!(".{of}")))
    };
    files.into_iter().filter(is_of).max_by_key(|line| line.split(',').next().unwrap().len())
}
