//! Rules between a campaign and a whole request, and between a campaign and an impression.

use bidder_wasm::no_bid::NoBidReason as Why;
use serde_json::Value;

use super::json::{at, flag, has, int, ints, list, text, texts};
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
        (Why::Badv, adomain.iter().any(|ours| badv.iter().any(|theirs| domain_under(ours, theirs)))),
        (Why::Bcat, !bcat.is_empty() && ours.iter().any(|category| !comparable || listed(&bcat, category))),
        (Why::Acat, !acat.is_empty() && !all_allowed),
        (Why::Bapp, !bundle.is_empty() && texts(request, "bapp").iter().any(|app| same(app, bundle))),
    ];
    rules.into_iter().filter(|(_, broken)| *broken).map(|(why, _)| why).collect()
}

/// Why the campaign stays out of an impression, whatever the deal and the creative.
pub fn of_imp(campaign: &Value, imp: &Value, world: &World<'_>) -> Vec<Why> {
    let target = at(campaign, "target");
    let media = ["video", "audio", "banner"];
    let number = |key: &str| -> Vec<String> {
        let told = media.iter().find_map(|medium| int(imp, &format!("{medium}/{key}")));
        told.map(|number| number.to_string()).into_iter().collect()
    };
    let tagid: Vec<String> =
        Some(text(imp, "tagid").to_owned()).filter(|tagid| !tagid.is_empty()).into_iter().collect();
    let is = |key: &str| at(target, key).as_bool().is_none_or(|wanted| wanted == flag(imp, key));
    let patience = int(campaign, "exp").unwrap_or(i64::MAX);
    let personal = verdict(world.request, world.settings) == Verdict::Free;
    let rules = [
        (Why::Hours, super::hours::bids_now(target, imp, geo(world.request), world.now_ms)),
        (Why::Tagid, allows(at(target, "tagid"), &tagid, |value, entry| value == entry)),
        (Why::Instl, is("instl")),
        (Why::Rwdd, is("rwdd")),
        (Why::Pos, allows(at(target, "pos"), &number("pos"), same)),
        (Why::Plcmt, allows(at(target, "plcmt"), &number("plcmt"), same)),
        (Why::Startdelay, allows(at(target, "startdelay"), &number("startdelay"), same)),
        (Why::Playbackmethod, allows(at(target, "playbackmethod"), &played(imp), same)),
        (Why::Podseq, allows(at(target, "podseq"), &in_pod(imp, "podseq"), same)),
        (Why::Slotinpod, allows(at(target, "slotinpod"), &slots(imp), same)),
        (
            Why::Topframe,
            at(target, "topframe")
                .as_bool()
                .is_none_or(|wanted| int(imp, "banner/topframe") == Some(i64::from(wanted))),
        ),
        (Why::Metric, list(target, "metric").iter().all(|wanted| measured(wanted, imp))),
        (Why::Exp, int(imp, "exp").is_none_or(|seconds| seconds <= patience)),
        (Why::Frequency, !(personal && world.capped(campaign))),
    ];
    rules.into_iter().filter(|(_, met)| !met).map(|(why, _)| why).collect()
}

/// The ways in which playback may start; only a video tells.
fn played(imp: &Value) -> Vec<String> {
    ints(imp, "video/playbackmethod").iter().map(i64::to_string).collect()
}

/// An attribute of the pod, 0 where nothing is told; only video and audio are in one.
fn in_pod(imp: &Value, key: &str) -> Vec<String> {
    let offers = ["video", "audio"].into_iter().filter(|medium| has(imp, medium));
    offers.map(|medium| int(imp, &format!("{medium}/{key}")).unwrap_or(0).to_string()).collect()
}

/// 2 stands for the first and the last slot.
fn slots(imp: &Value) -> Vec<String> {
    let told = in_pod(imp, "slotinpod").into_iter();
    told.flat_map(|slot| if slot == "2" { vec!["-1".to_owned(), "1".to_owned(), slot] } else { vec![slot] }).collect()
}

fn measured(wanted: &Value, imp: &Value) -> bool {
    let enough = |metric: &Value| at(metric, "value").to_string();
    list(imp, "metric").iter().any(|metric| {
        same(text(metric, "type"), text(wanted, "type"))
            && (!has(wanted, "vendor") || same(text(metric, "vendor"), text(wanted, "vendor")))
            && Exact::parse(&enough(metric)).at_least(Exact::parse(text(wanted, "min")))
    })
}
