//! The checks of a campaign that the index cannot hold: when it runs, ranges, circles, hours, and lists that must match
//! as a whole.

use core::cmp::Ordering;

use super::facts::Facts;
use super::supply::is_whole;
use super::{radius, version};
use base::domain;
use catalog::{Bounds, Circle, DataRule, MetricFloor, Schain, allows};
use openrtb::request::{Eid, Imp, Metric};
use reasons::no_bid::{Checked, NoBidReason, require};

/// Checks the request.
pub fn check_request(facts: &Facts<'_>, bounds: &Bounds<'_>) -> Checked {
    require(!bounds.paused(), NoBidReason::Paused)?;
    let flights = bounds.flights();
    let runs = flights.is_empty() || flights.iter().any(|(start, end)| (start..end).contains(&facts.now_ms));
    require(runs, NoBidReason::Flight)?;
    if bounds.has_rare_checks() {
        check_rare(facts, bounds)?;
    }
    bounds.supply().map_or(Ok(()), |rule| facts.path().check(&rule))
}

fn check_rare(facts: &Facts<'_>, bounds: &Bounds<'_>) -> Checked {
    require(has_matched_id(facts, bounds), NoBidReason::Mm)?;
    let is_near = |circle: Circle| facts.geo.point.is_some_and(|point| radius::is_within(point, &circle));
    let has_point = facts.geo.point.is_some() || !bounds.needs_point();
    require(has_point && allows(bounds.radius(), is_near), NoBidReason::Radius)?;
    require(is_version_in_range(facts, bounds), NoBidReason::Osv)?;
    let yob = facts.request.user.yob;
    let is_of_age = bounds.yob().is_none_or(|(first, last)| yob > 0 && (first..=last).contains(&yob));
    require(is_of_age, NoBidReason::Yob)?;
    bounds.schain().map_or(Ok(()), |wanted| check_schain(facts, &wanted))
}

/// Checks the impression.
pub fn check_imp(facts: &Facts<'_>, imp: &Imp<'_>, bounds: &Bounds<'_>) -> Checked {
    // `imp.dt` says when the ad will be shown (§3.2.4).
    let at_ms = if imp.dt > 0 { imp.dt } else { facts.now_ms };
    require(bounds.hours().include(at_ms, facts.geo.utcoffset), NoBidReason::Hours)?;
    require(bounds.metric().iter().all(|floor| reaches(imp.metric, &floor)), NoBidReason::Metric)?;
    require(bounds.data().iter().all(|rule| fits_data(facts, imp, &rule)), NoBidReason::Data)
}

/// Only extended ids with an accepted match method (`eids.mm`) count.
fn has_matched_id(facts: &Facts<'_>, bounds: &Bounds<'_>) -> bool {
    let counts = |eid: &&Eid<'_>| eid.is_usable() && allows(bounds.mm(), |method| method == eid.mm);
    let counting = facts.request.user.eids.iter().filter(counts);
    let is_known = !bounds.needs_eids() || counting.clone().any(|eid| !eid.source.is_empty());
    is_known && allows(bounds.eids(), |source| counting.clone().any(|eid| eid.source.eq_ignore_ascii_case(source)))
}

fn is_version_in_range(facts: &Facts<'_>, bounds: &Bounds<'_>) -> bool {
    let (lowest, highest) = bounds.osv();
    let is_high_enough = || matches!(version::compare(facts.osv(), lowest), Some(Ordering::Greater | Ordering::Equal));
    let is_low_enough = || matches!(version::compare(facts.osv(), highest), Some(Ordering::Less | Ordering::Equal));
    (lowest.is_empty() || is_high_enough()) && (highest.is_empty() || is_low_enough())
}

/// A request without a supply chain fails `complete` and an `include` of systems; it passes the other checks.
fn check_schain(facts: &Facts<'_>, wanted: &Schain<'_>) -> Checked {
    let request = facts.request;
    let complete = request.schain.is_some_and(|chain| is_whole(facts, &chain));
    require(complete || !wanted.complete(), NoBidReason::SchainIncomplete)?;
    let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
    require(nodes.len() <= wanted.max_nodes() as usize, NoBidReason::SchainNodes)?;
    let (include, exclude) = wanted.asi();
    let is_any = include.is_empty() && exclude.is_empty();
    let is_allowed = |asi: &str| allows((include, exclude), |listed| domain::is_within(asi, listed));
    let has_chain = request.schain.is_some() || include.is_empty();
    let is_told = || !nodes.is_empty() && nodes.iter().all(|node| !node.asi.is_empty());
    require(!wanted.needs_asi() || is_told(), NoBidReason::SchainAsi)?;
    require(
        has_chain && (is_any || nodes.iter().all(|node| is_allowed(domain::host(node.asi)))),
        NoBidReason::SchainAsi,
    )
}

/// Whether the first-party data say what a campaign wants.
pub fn fits_data(facts: &Facts<'_>, imp: &Imp<'_>, rule: &DataRule<'_>) -> bool {
    let (include, exclude) = rule.values();
    let (mut is_known, mut is_included) = (false, include.is_empty());
    // The list of values may be long, so it is read once.
    for value in facts.first_party.values(rule, facts.request, imp).0 {
        let is = |listed: &str| value.eq_ignore_ascii_case(listed);
        if exclude.iter().any(is) {
            return false;
        }
        is_included = is_included || include.iter().any(is);
        is_known = true;
    }
    is_included && (is_known || !rule.is_needed())
}

/// Whether a metric is at least the campaign's minimum. A metric that the request does not have fails.
fn reaches(metrics: &[Metric<'_>], floor: &MetricFloor<'_>) -> bool {
    metrics.iter().any(|metric| {
        metric.kind.eq_ignore_ascii_case(floor.kind())
            && (floor.vendor().is_empty() || metric.vendor.eq_ignore_ascii_case(floor.vendor()))
            && metric.value >= floor.min()
    })
}
