//! Rules between a campaign and a whole request, and between a campaign and an impression.

use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::Value;

use super::json::{at, flag, has, int, list, text, text_of, texts};
use super::money::Exact;
use super::privacy::{Verdict, geo, verdict};
use super::who::{allows, category_under, domain_under, failures, same};
use super::world::World;

/// Why the campaign stays out of the whole request.
pub fn of_request<'p>(campaign: &'p Value, world: &World<'p>) -> Vec<Why> {
    let request = world.request;
    let ssps = texts(campaign, "ssps");
    let (seat, wseat) = (world.seat(campaign), texts(request, "wseat"));
    let target = at(campaign, "target");
    let rules = [
        (Why::Ssp, ssps.is_empty() || ssps.contains(&world.ssp)),
        (Why::Seat, (wseat.is_empty() || wseat.contains(&seat)) && !texts(request, "bseat").contains(&seat)),
    ];
    let of_rules = rules.into_iter().filter(|(_, met)| !met).map(|(why, _)| why);
    let untold = super::dsa::is_refused(campaign, request).then_some(Why::Dsa);
    let more = chain(target, request).into_iter().chain(blocked(campaign, request)).chain(untold);
    of_rules.chain(failures(target, request, world.settings)).chain(more).collect()
}

fn chain(target: &Value, request: &Value) -> Option<Why> {
    let wanted = at(target, "schain");
    let chain =
        [at(request, "source/schain"), at(request, "source/ext/schain")].into_iter().find(|chain| !chain.is_null());
    let chain = chain.unwrap_or(&Value::Null);
    let nodes = list(chain, "nodes");
    let systems: Vec<&str> = nodes.iter().map(|node| text(node, "asi")).collect();
    let listed = |key: &str, system: &str| texts(wanted, key).iter().any(|entry| domain_under(system, entry));
    let all_included = !systems.is_empty() && systems.iter().all(|system| listed("asi/include", system));
    let none_excluded = !systems.iter().any(|system| listed("asi/exclude", system));
    if at(wanted, "complete") == true && !flag(chain, "complete") {
        return Some(Why::SchainIncomplete);
    }
    if int(wanted, "max_nodes").is_some_and(|most| usize::try_from(most).unwrap() < nodes.len()) {
        return Some(Why::SchainNodes);
    }
    let included = texts(wanted, "asi/include").is_empty() || all_included;
    (!included || !none_excluded).then_some(Why::SchainAsi)
}

fn blocked(campaign: &Value, request: &Value) -> Vec<Why> {
    let (badv, bcat, acat) = (texts(request, "badv"), texts(request, "bcat"), texts(request, "acat"));
    let comparable = int(campaign, "cattax").unwrap_or(1) == int(request, "cattax").unwrap_or(1);
    let (ours, adomain, bundle) = (texts(campaign, "cat"), texts(campaign, "adomain"), text(campaign, "bundle"));
    let listed = |list: &[&str], category: &str| list.iter().any(|entry| category_under(category, entry));
    let all_allowed = !ours.is_empty() && ours.iter().all(|category| comparable && listed(&acat, category));
    let rules = [
        (Why::Badv, adomain.iter().any(|ours| badv.iter().any(|entry| names(entry, ours)))),
        (Why::Bcat, !bcat.is_empty() && ours.iter().any(|category| !comparable || listed(&bcat, category))),
        (Why::Acat, !acat.is_empty() && !all_allowed),
        (Why::Bapp, !bundle.is_empty() && texts(request, "bapp").iter().any(|app| same(app, bundle))),
    ];
    rules.into_iter().filter(|(_, broken)| *broken).map(|(why, _)| why).collect()
}

/// Whether an entry of a block list names a domain or what it lies under: its words are compared letter by letter, without
/// what may stand before and behind a name in them.
fn names(entry: &str, ours: &str) -> bool {
    entry.split([',', ' ']).any(|word| {
        let (_, rest) = word.split_once("https://").filter(|(before, _)| before.is_empty()).unwrap_or(("", word));
        let name = rest.trim_start_matches("*.").split(['/', ':']).next().unwrap().trim_end_matches('.');
        !name.is_empty() && domain_under(ours, name)
    })
}

/// Why the campaign stays out of an impression, whatever the deal and the creative.
pub fn of_imp(campaign: &Value, imp: &Value, world: &World<'_>) -> Vec<Why> {
    let target = at(campaign, "target");
    let tagid: Vec<String> =
        Some(text(imp, "tagid").to_owned()).filter(|tagid| !tagid.is_empty()).into_iter().collect();
    let gpid = text_of(imp, &["ext/gpid", "ext/data/pbadslot"]);
    let gpid: Vec<String> = Some(gpid.to_owned()).filter(|gpid| !gpid.is_empty()).into_iter().collect();
    let rewarded = int(imp, "rwdd").or_else(|| int(imp, "ext/prebid/is_rewarded_inventory")) == Some(1);
    let is = |key: &str| at(target, key).as_bool().is_none_or(|wanted| wanted == flag(imp, key));
    let patience = int(campaign, "exp").unwrap_or(i64::MAX);
    let personal = verdict(world.request, world.settings) == Verdict::Free;
    let rules = [
        (Why::Hours, super::hours::bids_now(target, imp, geo(world.request), world.now_ms)),
        (Why::Tagid, allows(at(target, "tagid"), &tagid, |value, entry| value == entry)),
        (Why::Instl, is("instl")),
        (Why::Gpid, allows(at(target, "gpid"), &gpid, |value, entry| value == entry)),
        (Why::Rwdd, at(target, "rwdd").as_bool().is_none_or(|wanted| wanted == rewarded)),
        (Why::Metric, list(target, "metric").iter().all(|wanted| measured(wanted, imp))),
        (Why::Exp, int(imp, "exp").is_none_or(|seconds| seconds <= patience)),
        (Why::Frequency, !(personal && world.capped(campaign))),
    ];
    rules.into_iter().filter(|(_, met)| !met).map(|(why, _)| why).collect()
}

fn measured(wanted: &Value, imp: &Value) -> bool {
    let enough = |metric: &Value| at(metric, "value").to_string();
    list(imp, "metric").iter().any(|metric| {
        same(text(metric, "type"), text(wanted, "type"))
            && (!has(wanted, "vendor") || same(text(metric, "vendor"), text(wanted, "vendor")))
            && Exact::parse(&enough(metric)).at_least(Exact::parse(text(wanted, "min")))
    })
}
