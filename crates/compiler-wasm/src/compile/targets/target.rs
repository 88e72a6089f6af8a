//! Checks a campaign's target and makes it ready to serve. `dimensions.rs` makes the rules of the dimensions.

use super::dimensions;
use super::hours::{self, Zone};
use crate::compile::check::Names;
use crate::compile::check::out_of_range;
use crate::compile::document::{
    CampaignEntry, CircleEntry, CirclesEntry, NumbersEntry, SchainEntry, SystemsEntry, TargetEntry,
};
use crate::compile::scalars::Degrees;
use crate::decode::Finding;
use bidder_wasm::catalog::{BoundsDraft, Circle, IncludeExclude, MetricFloorDraft, RuleDraft, SchainDraft, Side};
use bidder_wasm::domain::MAX_DOMAIN_BYTES;
use bidder_wasm::money::{Micros, Rounding};
use bidder_wasm::no_bid::NoBidReason;

/// A compiled target.
#[derive(Default)]
pub(crate) struct Compiled {
    pub(crate) request_rules: Vec<RuleDraft>,
    pub(crate) imp_rules: Vec<RuleDraft>,
    pub(crate) spot_rules: Vec<RuleDraft>,
    /// `None` if the target has no attribute that [`bounds`] compiles.
    pub(crate) bounds: Option<BoundsDraft>,
}

/// Compiles a target, and adds findings with paths under `path`.
pub(crate) fn compile(
    entry: &TargetEntry,
    lists: &Names<'_>,
    zones: &[Zone],
    path: &str,
    findings: &mut Vec<Finding>,
) -> Compiled {
    let mut report = |at: &str, message: String| {
        out_of_range(&format!("{path}.{at}"), message, findings);
    };
    let rules = dimensions::rules(entry);
    let bounds = bounds(entry, &rules.of(NoBidReason::Eids), zones, &mut report);
    let counts_by_method = bounds.as_ref().is_some_and(|bounds| bounds.mm != IncludeExclude::default());
    let dimensions::Rules { mut request, imp, spot } = rules;
    for rule in &mut request {
        if rule.reason == NoBidReason::Domain {
            let listed = rule.include.iter().chain(&rule.exclude).map(|(name, _)| name);
            for name in listed.filter(|name| name.len() > MAX_DOMAIN_BYTES) {
                let message = format!("{name:?} is too long for a domain; expected at most {MAX_DOMAIN_BYTES} bytes");
                report("domain", message);
            }
        }
        // With `mm`, the sources count only together with the match method: `bounds` checks both.
        if rule.reason == NoBidReason::Eids && counts_by_method {
            rule.exclude.clear();
            if rule.lists().next().is_some() {
                report("eids", "names lists beside mm; expected include and exclude".to_owned());
            }
        }
    }
    let mut drafts = |rules: Vec<dimensions::Rule>| -> Vec<RuleDraft> {
        rules.into_iter().flat_map(|rule| drafts(rule, lists, path, findings)).collect()
    };
    let [request_rules, imp_rules, spot_rules] = [request, imp, spot].map(&mut drafts);
    Compiled { request_rules, imp_rules, spot_rules, bounds }
}

/// The `target` of a campaign and the `when` of its `bids`, each with its path. The campaign is at place `i` of the
/// document.
pub(crate) fn all(campaign: &CampaignEntry, i: usize) -> impl Iterator<Item = (String, &TargetEntry)> {
    let own = campaign.target.iter().map(move |target| (format!("campaigns[{i}].target"), target));
    let bids = campaign.bids.iter().enumerate().filter_map(|(j, bid)| Some((j, bid.when.as_ref()?)));
    own.chain(bids.map(move |(j, when)| (format!("campaigns[{i}].bids[{j}].when"), when)))
}

/// A rule for each side that the target asks for.
fn drafts(rule: dimensions::Rule, lists: &Names<'_>, path: &str, findings: &mut Vec<Finding>) -> Vec<RuleDraft> {
    let mut named = |side: &str, names: &[String]| -> Vec<(u32, String)> {
        if names.is_empty() {
            return Vec::new();
        }
        let path = format!("{path}.{}.{side}", dimensions::name_of(rule.reason));
        let places = lists.places(names.iter().map(String::as_str), &path, findings);
        places.into_iter().map(|place| (place, rule.second.clone())).collect()
    };
    let included = named("include_lists", &rule.include_lists);
    let excluded = named("exclude_lists", &rule.exclude_lists);
    let listed = [(Side::Include, included, rule.include), (Side::Exclude, excluded, rule.exclude)];
    let listed = listed.into_iter().filter(|(_, lists, values)| !lists.is_empty() || !values.is_empty());
    let taxonomy = |known: String| (!known.is_empty()).then(|| (String::new(), known)).into_iter().collect();
    let known = rule.known.map(|known| (Side::Known, Vec::new(), taxonomy(known)));
    listed.chain(known).map(|(side, lists, values)| RuleDraft::new(rule.reason, side, lists, values)).collect()
}

/// `None` if the target has none of the attributes below.
fn bounds(
    entry: &TargetEntry,
    eids: &dimensions::Rule,
    zones: &[Zone],
    report: &mut impl FnMut(&str, String),
) -> Option<BoundsDraft> {
    let metric = entry.metric.iter().enumerate().map(|(i, metric)| {
        let min = Micros::parse(metric.min.as_deref().unwrap_or_default(), Rounding::Up);
        if min.is_none() {
            report(&format!("metric[{i}].min"), "not a number; expected a decimal string such as \"0.7\"".to_owned());
        }
        MetricFloorDraft {
            kind: metric.kind.clone().unwrap_or_default(),
            vendor: metric.vendor.clone().unwrap_or_default(),
            min: min.unwrap_or_default(),
        }
    });
    let metric = metric.collect();
    let yob = entry.yob.as_ref().filter(|range| range.min.is_some() || range.max.is_some());
    let yob = yob.map(|range| (range.min.unwrap_or(i64::MIN), range.max.unwrap_or(i64::MAX)));
    if yob.is_some_and(|(min, max)| min > max) {
        report("yob", "min is above max; expected min not above max".to_owned());
    }
    let osv =
        entry.osv.as_ref().map(|range| (range.min.clone().unwrap_or_default(), range.max.clone().unwrap_or_default()));
    let mm = methods(entry.mm.as_ref());
    let sources = |values: &[(String, String)]| values.iter().map(|(source, _)| source.clone()).collect();
    let bounds = BoundsDraft {
        eids: if mm == IncludeExclude::default() {
            IncludeExclude::default()
        } else {
            (sources(&eids.include), sources(&eids.exclude))
        },
        needs_eids: eids.known.is_some() && mm != IncludeExclude::default(),
        mm,
        needs_point: entry.radius.as_ref().is_some_and(|rule| rule.exclude_unknown == Some(true)),
        radius: circles(entry.radius.as_ref()),
        osv: osv.unwrap_or_default(),
        metric,
        yob,
        hours: hours::compile(&entry.hours, entry.zone.as_deref(), zones, report),
        schain: entry.schain.as_ref().map(schain),
        ..BoundsDraft::default()
    };
    let has_osv = !bounds.osv.0.is_empty() || !bounds.osv.1.is_empty();
    let has_any = bounds.mm != IncludeExclude::default()
        || bounds.radius != IncludeExclude::default()
        || bounds.needs_point
        || has_osv
        || !bounds.metric.is_empty()
        || bounds.yob.is_some()
        || !bounds.hours.week.is_empty()
        || bounds.schain.is_some();
    has_any.then_some(bounds)
}

fn circles(entry: Option<&CirclesEntry>) -> IncludeExclude<Circle> {
    let degrees = |value: Option<Degrees>| value.map_or(0, |degrees| degrees.0);
    let circle = |circle: &CircleEntry| Circle {
        lat: degrees(circle.lat),
        lon: degrees(circle.lon),
        metres: circle.metres.unwrap_or_default(),
    };
    let of = |list: &[CircleEntry]| list.iter().map(circle).collect();
    entry.map(|rule| (of(&rule.include), of(&rule.exclude))).unwrap_or_default()
}

fn schain(entry: &SchainEntry) -> SchainDraft {
    SchainDraft {
        complete: entry.complete.unwrap_or(false),
        max_nodes: entry.max_nodes.map_or(u32::MAX, |most| u32::try_from(most.max(0)).unwrap_or(u32::MAX)),
        asi: texts(entry.asi.as_ref()),
        needs_asi: entry.asi.as_ref().is_some_and(|rule| rule.exclude_unknown == Some(true)),
    }
}

fn texts(entry: Option<&SystemsEntry>) -> IncludeExclude<String> {
    entry.map(|rule| (rule.include.clone(), rule.exclude.clone())).unwrap_or_default()
}

/// Match methods. Method 0 says nothing.
fn methods(entry: Option<&NumbersEntry>) -> IncludeExclude<i64> {
    let Some(rule) = entry else { return IncludeExclude::default() };
    let unknown = (rule.exclude_unknown == Some(true)).then_some(0);
    (rule.include.clone(), rule.exclude.iter().copied().chain(unknown).collect())
}
