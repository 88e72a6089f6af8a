//! The rules that compare a campaign with the whole request and with an impression.

use reasons::no_bid::NoBidReason as Reason;
use serde_json::Value;

use super::eligible::has_advertisers;
use super::generate::words::{ENDS, STARTS};
use super::json::{at, codes, flag, has, int, ints, list, text, text_of, texts};
use super::money::Exact;
use super::odd::Item;
use super::pair::Auction;
use super::positions::{chain, geo};
use super::privacy::{Verdict, verdict};
use super::targeting::{
    allows, allows_code, category_under, category_under_6, domain_under, excludes_unknown, failures, same,
};

/// The checks of the whole request that the campaign fails.
pub fn of_request<'p>(campaign: &'p Value, auction: &Auction<'p>) -> Vec<Reason> {
    let request = auction.request;
    let ssps = texts(campaign, "ssps");
    let (seat, wseat) = (auction.seat(campaign), texts(request, "wseat"));
    let target = at(campaign, "target");
    let rules = [
        (Reason::Stopped, !auction.is("stopped", campaign)),
        (Reason::Ssp, ssps.is_empty() || ssps.contains(&auction.ssp)),
        (Reason::Seat, (wseat.is_empty() || wseat.contains(&seat)) && !texts(request, "bseat").contains(&seat)),
    ];
    let of_seller = rules.into_iter().filter(|(_, met)| !met).map(|(reason, _)| reason);
    let dsa = super::bid_ext::dsa_refuses(campaign, request).then_some(Reason::Dsa);
    // If its creatives have different advertisers, each creative is checked.
    let blocked = if has_advertisers(campaign, auction) { vec![] } else { blocked(campaign, request) };
    let sellers = schain(target, auction).or_else(|| super::supply::supply(target, auction));
    let more = sellers.into_iter().chain(blocked).chain(dsa);
    let runs =
        [(Reason::Paused, at(campaign, "paused") != true), (Reason::Flight, is_in_flight(campaign, auction.now_ms))];
    let idle = runs.into_iter().filter(|(_, met)| !met).map(|(reason, _)| reason);
    of_seller.chain(failures(target, request, auction.settings)).chain(more).chain(idle).collect()
}

/// Whether the time is in one of the campaign's flights. An end is not included.
fn is_in_flight(campaign: &Value, now_ms: i64) -> bool {
    let ms = |of: &Value, key: &str| {
        let mut instants = STARTS.iter().chain(ENDS);
        has(of, key).then(|| instants.find(|(written, _)| *written == text(of, key)).unwrap().1)
    };
    let is_in = |of: &Value| {
        ms(of, "start").is_none_or(|start| start <= now_ms) && ms(of, "end").is_none_or(|end| now_ms < end)
    };
    let flights = list(campaign, "flights");
    is_in(campaign) && (flights.is_empty() || flights.iter().any(is_in))
}

pub fn schain(target: &Value, auction: &Auction<'_>) -> Option<Reason> {
    let request = auction.request;
    let wanted = at(target, "schain");
    let chain = &chain(request);
    let nodes = list(chain, "nodes");
    let systems: Vec<&str> = nodes.iter().map(|node| text(node, "asi")).collect();
    let ssp = text(auction.ssp(), "domain");
    let is_whole =
        flag(chain, "complete") && systems.last().is_none_or(|last| ssp.is_empty() || domain_under(last, ssp));
    let listed = |key: &str, system: &str| texts(wanted, key).iter().any(|entry| domain_under(system, entry));
    let all_included = !systems.is_empty() && systems.iter().all(|system| listed("asi/include", system));
    let none_excluded = !systems.iter().any(|system| listed("asi/exclude", system));
    if at(wanted, "complete") == true && !is_whole {
        return Some(Reason::SchainIncomplete);
    }
    if int(wanted, "max_nodes").is_some_and(|most| usize::try_from(most).unwrap() < nodes.len()) {
        return Some(Reason::SchainNodes);
    }
    let included = texts(wanted, "asi/include").is_empty() || all_included;
    let is_told = !systems.is_empty() && !systems.contains(&"");
    let told = is_told || !excludes_unknown(at(wanted, "asi"));
    (!included || !none_excluded || !told).then_some(Reason::SchainAsi)
}

/// The checks of an advertiser that fail on the request.
pub fn blocked(advertiser: &Value, request: &Value) -> Vec<Reason> {
    let (badv, bcat, acat) = (texts(request, "badv"), codes(request, "bcat"), codes(request, "acat"));
    // Without a number, the taxonomy is unknown.
    let listed_in = match at(request, "cattax") {
        absent if absent.is_null() || absent == "" => Some(1),
        given => Item::Value(given).int(),
    };
    let comparable = listed_in == Some(int(advertiser, "cattax").unwrap_or(1));
    let (ours, adomain) = (texts(advertiser, "cat"), texts(advertiser, "adomain"));
    let bundle = text(advertiser, "bundle");
    let under = if int(advertiser, "cattax") == Some(6) { category_under_6 } else { category_under };
    let listed = |list: &[&str], category: &str| list.iter().any(|entry| under(category, entry));
    let all_allowed = !ours.is_empty() && ours.iter().all(|category| comparable && listed(&acat, category));
    let rules = [
        (Reason::Badv, adomain.iter().any(|ours| badv.iter().any(|entry| blocks(entry, ours)))),
        (Reason::Bcat, !bcat.is_empty() && ours.iter().any(|category| !comparable || listed(&bcat, category))),
        (Reason::Acat, !acat.is_empty() && !all_allowed),
        (Reason::Bapp, !bundle.is_empty() && codes(request, "bapp").iter().any(|app| same(app, bundle))),
    ];
    rules.into_iter().filter(|(_, broken)| *broken).map(|(reason, _)| reason).collect()
}

/// Whether an entry of `badv` names the domain or a parent of it. An entry may have several names, each with a scheme,
/// path, port, wildcard or final dot.
fn blocks(entry: &str, ours: &str) -> bool {
    entry.split([',', ' ']).any(|word| {
        let (_, rest) = word.split_once("https://").filter(|(before, _)| before.is_empty()).unwrap_or(("", word));
        let name = rest.trim_start_matches("*.").split(['/', ':']).next().unwrap().trim_end_matches('.');
        !name.is_empty() && domain_under(ours, name)
    })
}

/// The checks of the impression that the campaign fails, apart from deals and creatives.
pub fn of_imp(campaign: &Value, imp: &Value, auction: &Auction<'_>) -> Vec<Reason> {
    let target = at(campaign, "target");
    let tagid: Vec<String> =
        Some(text(imp, "tagid").to_owned()).filter(|tagid| !tagid.is_empty()).into_iter().collect();
    let gpid = text_of(imp, &["ext/gpid", "ext/data/pbadslot"]);
    let gpid: Vec<String> = Some(gpid.to_owned()).filter(|gpid| !gpid.is_empty()).into_iter().collect();
    let rewarded = int(imp, "rwdd").or_else(|| int(imp, "ext/prebid/is_rewarded_inventory")) == Some(1);
    let is = |key: &str| at(target, key).as_bool().is_none_or(|wanted| wanted == flag(imp, key));
    let max_exp = int(campaign, "exp").unwrap_or(i64::MAX);
    let personal = verdict(auction.request, auction.settings) == Verdict::Free;
    let app = text(campaign, "skadn/itunesitem");
    let is_blocked = codes(auction.request, "bapp").iter().any(|blocked| same(blocked, app));
    let rules = [
        (Reason::Hours, bids_now(target, imp, &geo(auction.request), auction.now_ms)),
        (Reason::Tagid, allows(at(target, "tagid"), &tagid, |value, entry| value == entry)),
        (Reason::Instl, is("instl")),
        (Reason::Gpid, allows(at(target, "gpid"), &gpid, |value, entry| value == entry)),
        (Reason::Sourcetype, allows_code(at(target, "sourcetype"), &Vec::from_iter(int(imp, "qty/sourcetype")))),
        (Reason::QtyVendor, allows(at(target, "qty_vendor"), &[text(imp, "qty/vendor").to_owned()], same)),
        (Reason::Rwdd, at(target, "rwdd").as_bool().is_none_or(|wanted| wanted == rewarded)),
        (Reason::Metric, list(target, "metric").iter().all(|wanted| metric_reached(wanted, imp))),
        (Reason::Data, list(target, "data").iter().all(|rule| allows(rule, &data(rule, imp, auction, personal), same))),
        (Reason::Skadn, !super::bid_ext::skadn_refuses(campaign, imp) && !is_blocked),
        (Reason::Exp, int(imp, "exp").is_none_or(|seconds| seconds <= max_exp)),
        (Reason::Frequency, !(personal && auction.is("capped", campaign))),
    ];
    rules.into_iter().filter(|(_, met)| !met).map(|(reason, _)| reason).collect()
}

/// The values of first-party data at the path of a rule.
fn data(rule: &Value, imp: &Value, auction: &Auction<'_>, personal: bool) -> Vec<String> {
    let (object, names) = text(rule, "path").split_once(".ext.data.").unwrap();
    let holder = match object {
        "imp" => imp,
        "user" if !personal => &Value::Null,
        name => at(auction.request, name),
    };
    let value = at(holder, &format!("ext/data/{}", names.replace('.', "/")));
    let scalar = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    value.as_array().map_or_else(|| scalar(value).into_iter().collect(), |all| all.iter().filter_map(scalar).collect())
}

fn metric_reached(wanted: &Value, imp: &Value) -> bool {
    let value = |metric: &Value| at(metric, "value").to_string();
    list(imp, "metric").iter().any(|metric| {
        same(text(metric, "type"), text(wanted, "type"))
            && (!has(wanted, "vendor") || same(text(metric, "vendor"), text(wanted, "vendor")))
            && Exact::parse(&value(metric)).at_least(Exact::parse(text(wanted, "min")))
    })
}

const MS_PER_MINUTE: i64 = 60_000;
const MS_PER_HOUR: i64 = 3_600_000;
const MS_PER_DAY: i64 = 86_400_000;

/// The start and end of summer time in Europe: the last Sundays of March and October 2026, 01:00 UTC.
pub const SUMMER_2026: (i64, i64) = (1_774_746_000_000, 1_792_890_000_000);

/// Whether the ad would be shown in one of the target's hours.
pub fn bids_now(target: &Value, imp: &Value, geo: &Value, now_ms: i64) -> bool {
    let parts = list(target, "hours");
    if parts.is_empty() {
        return true;
    }
    let when = at(imp, "dt").as_f64().map_or(now_ms, truncated);
    let Some(offset) = offset(text(target, "zone"), geo, when) else { return false };
    let local = when + offset * MS_PER_MINUTE;
    let hour = local.rem_euclid(MS_PER_DAY) / MS_PER_HOUR;
    // The epoch was a Thursday.
    let day = (local.div_euclid(MS_PER_DAY) + 3).rem_euclid(7) + 1;
    parts.iter().any(|part| {
        let days = ints(part, "days");
        (days.is_empty() || days.contains(&day))
            && int(part, "from").unwrap() <= hour
            && hour < int(part, "to").unwrap()
    })
}

/// The offset from UTC in minutes.
fn offset(zone: &str, geo: &Value, when: i64) -> Option<i64> {
    match zone {
        "" => int(geo, "utcoffset"),
        "Asia/Kolkata" => Some(330),
        // Europe/Berlin; only times of 2026 are generated.
        _ => Some(if (SUMMER_2026.0..SUMMER_2026.1).contains(&when) { 120 } else { 60 }),
    }
}

#[allow(clippy::cast_possible_truncation)]
fn truncated(ms: f64) -> i64 {
    ms as i64
}
