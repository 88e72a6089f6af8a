//! Checks a campaign's target and makes it ready to serve. `dimensions.rs` makes the rules of the dimensions.

use super::{dimensions, hours, values};
use crate::references::References;
use base::limits::MAX_DATA_PATHS;
use base::money::{Micros, Rounding};
use catalog::{
    BoundsDraft, Circle, ConditionDraft, DataRuleDraft, IncludeExclude, MetricFloorDraft, RuleDraft, SchainDraft, Side,
    SupplyRuleDraft,
};
use document::check::At;
use document::choices::Authorised;
use document::decode::Rule;
use document::scalars::Degrees;
use document::{
    CircleEntry, CirclesEntry, DataRuleEntry, NumbersEntry, SchainEntry, SupplyRuleEntry, TargetEntry, TextsEntry,
};
use flat::Laid;
use reasons::no_bid::NoBidReason;

/// Compiles the target at this position.
pub(crate) fn compile(entry: &TargetEntry, references: &References<'_>, at: &At<'_>) -> ConditionDraft {
    let mut condition = dimensions::rules(entry, references, at);
    let mut bounds = bounds(entry, references, at);
    if bounds.mm != IncludeExclude::default() {
        let has_lists = |eids: &TextsEntry| !eids.include_lists.is_empty() || !eids.exclude_lists.is_empty();
        if entry.eids.as_ref().is_some_and(has_lists) {
            at.attribute("eids").error("names lists beside mm; expected include and exclude");
        }
        count_by_method(&mut bounds, &mut condition.request_rules);
    }
    bounds.has_rare_checks = has_rare_checks(&bounds);
    for rule in [&condition.request_rules, &condition.imp_rules, &condition.spot_rules].into_iter().flatten() {
        values::check(rule, at);
    }
    condition.bounds = given(bounds).into_iter().collect();
    condition
}

/// The bounds, unless they are those of a campaign without any.
pub(crate) fn given(bounds: BoundsDraft) -> Option<BoundsDraft> {
    let bytes = |draft| {
        let Laid { records, text, .. } = Laid::<BoundsDraft>::out(draft);
        (records, text)
    };
    (bytes(&bounds) != bytes(&BoundsDraft::default())).then_some(bounds)
}

fn has_rare_checks(bounds: &BoundsDraft) -> bool {
    bounds.eids != IncludeExclude::default()
        || bounds.mm != IncludeExclude::default()
        || bounds.needs_eids
        || bounds.radius != IncludeExclude::default()
        || bounds.needs_point
        || bounds.osv != Default::default()
        || bounds.yob.is_some()
        || bounds.schain.is_some()
}

/// With `mm`, the sources of extended ids count only together with the match method, so the bounds check both.
fn count_by_method(bounds: &mut BoundsDraft, rules: &mut Vec<RuleDraft>) {
    let is_eids = |rule: &&RuleDraft| rule.reason() == NoBidReason::Eids;
    let of = |side| rules.iter().filter(is_eids).filter(move |rule| rule.side() == side);
    let sources = |side| of(side).flat_map(RuleDraft::values).map(|(source, _)| source.to_owned()).collect();
    bounds.eids = (sources(Side::Include), sources(Side::Exclude));
    bounds.needs_eids = of(Side::Known).next().is_some();
    rules.retain(|rule| !is_eids(&rule) || rule.side() != Side::Exclude);
}

/// What no dimension checks.
fn bounds(entry: &TargetEntry, references: &References<'_>, at: &At<'_>) -> BoundsDraft {
    let metric = entry.metric.iter().enumerate().map(|(i, metric)| {
        let min = Micros::parse(metric.min.as_deref().unwrap_or_default(), Rounding::Up);
        if min.is_none() {
            let message = "not a number; expected a decimal string such as \"0.7\"";
            at.item("metric", i).attribute("min").error(message);
        }
        MetricFloorDraft {
            kind: metric.kind.clone().unwrap_or_default(),
            vendor: metric.vendor.clone().unwrap_or_default(),
            min: min.unwrap_or_default(),
        }
    });
    let yob = entry.yob.as_ref().filter(|range| range.min.is_some() || range.max.is_some());
    let yob = yob.map(|range| (range.min.unwrap_or(i64::MIN), range.max.unwrap_or(i64::MAX)));
    if yob.is_some_and(|(min, max)| min > max) {
        at.attribute("yob").error("min is above max; expected min not above max");
    }
    let osv = entry.osv.clone().unwrap_or_default();
    BoundsDraft {
        mm: methods(entry.mm.as_ref()),
        needs_point: entry.radius.as_ref().is_some_and(|rule| rule.exclude_unknown == Some(true)),
        radius: circles(entry.radius.as_ref()),
        osv: (osv.min.unwrap_or_default(), osv.max.unwrap_or_default()),
        metric: metric.collect(),
        data: entry.data.iter().enumerate().map(|(i, rule)| data(rule, references, &at.item("data", i))).collect(),
        yob,
        hours: hours::compile(&entry.hours, entry.zone.as_deref(), references.zones, at),
        schain: entry.schain.as_ref().map(schain),
        supply: entry.supply.as_ref().map(supply),
        ..BoundsDraft::default()
    }
}

fn data(entry: &DataRuleEntry, references: &References<'_>, at: &At<'_>) -> DataRuleDraft {
    let place = references.paths.iter().position(|path| entry.path.as_deref() == Some(*path)).unwrap_or_default();
    if place >= MAX_DATA_PATHS {
        let message = format!("path {} of the catalog; expected at most {MAX_DATA_PATHS} different paths", place + 1);
        at.attribute("path").error(message);
    }
    let is_needed = entry.exclude_unknown == Some(true);
    if entry.include.is_empty() && entry.exclude.is_empty() && !is_needed && !at.is_found() {
        let message = "it takes any value and none; expected include, exclude or \"exclude_unknown\": true";
        at.report(Rule::Ambiguous, message);
    }
    let values = (entry.include.clone(), entry.exclude.clone());
    let object = entry.path.as_deref().and_then(openrtb::data::object).unwrap_or_default();
    let number = |place| u32::try_from(place).unwrap_or_default();
    DataRuleDraft { object: u8::try_from(object).unwrap_or_default(), path: number(place), values, is_needed }
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
    let asi = entry.asi.clone().unwrap_or_default();
    SchainDraft {
        complete: entry.complete.unwrap_or(false),
        max_nodes: entry.max_nodes.map_or(u32::MAX, |most| u32::try_from(most.max(0)).unwrap_or(u32::MAX)),
        needs_asi: asi.exclude_unknown == Some(true),
        asi: (asi.include, asi.exclude),
    }
}

fn supply(entry: &SupplyRuleEntry) -> SupplyRuleDraft {
    SupplyRuleDraft {
        required: entry.authorised == Authorised::Require,
        direct_only: entry.direct_only,
        seller_types: entry.seller_types.clone(),
    }
}

/// Match methods. Method 0 says nothing.
fn methods(entry: Option<&NumbersEntry>) -> IncludeExclude<i64> {
    let Some(rule) = entry else { return IncludeExclude::default() };
    let unknown = (rule.exclude_unknown == Some(true)).then_some(0);
    (rule.include.clone(), rule.exclude.iter().copied().chain(unknown).collect())
}
