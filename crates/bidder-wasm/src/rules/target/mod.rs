//! Targeting: what a campaign asks of the request, of the impression and of the object in it that a creative would fill,
//! in this order.
//!
//! Unknown values fail an `include` and pass an `exclude`.

mod content;
mod device;
mod person;
mod place;
mod placement;

use super::facts::Facts;
use super::{Verdict, require};
use crate::catalog::{Bounds, Schain, Target};
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Request};

pub(crate) use content::{genres, keywords};
pub(crate) use device::language;
pub(crate) use placement::Spot;
pub(super) use placement::{check as check_imp, check_bounds as check_imp_bounds, check_spot};

/// What the catalog's index tells and does not depend on the impression.
pub(super) fn check(facts: &Facts<'_>, target: &Target<'_>) -> Verdict {
    channel(facts.request, target)?;
    place::check(facts, target)?;
    device::check(facts, target)?;
    content::check(facts, target)?;
    person::check(facts, target)
}

/// What the index does not tell and does not depend on the impression.
pub(super) fn check_bounds(facts: &Facts<'_>, bounds: &Bounds<'_>) -> Verdict {
    person::check_ids(facts, bounds)?;
    place::check_radius(facts, bounds)?;
    device::check_version(facts, bounds)?;
    person::check_age(facts, bounds)?;
    bounds.schain.map_or(Ok(()), |wanted| schain(facts.request, &wanted))
}

/// Whether the ad is shown at an hour at which the campaign bids: at `imp.dt` where the exchange
/// tells it (§3.2.4), else now.
pub(super) fn at_the_hour(facts: &Facts<'_>, imp: &Imp<'_>, bounds: &Bounds<'_>) -> bool {
    let at_ms = if imp.dt > 0 { imp.dt } else { facts.now_ms };
    bounds.hours.include(at_ms, facts.geo.utcoffset)
}

/// A request without any of the three fits only a campaign that takes all of them.
fn channel(request: &Request<'_>, target: &Target<'_>) -> Verdict {
    let kinds = [
        (request.site.is_some(), target.channel.site),
        (request.app.is_some(), target.channel.app),
        (request.dooh.is_some(), target.channel.dooh),
    ];
    let fits = if kinds.iter().any(|(present, _)| *present) {
        kinds.iter().all(|(present, wanted)| !present || *wanted)
    } else {
        kinds.iter().all(|(_, wanted)| *wanted)
    };
    require(fits, NoBidReason::Channel)
}

/// A chain that is not told is neither complete nor of known systems; it has no nodes too many.
fn schain(request: &Request<'_>, wanted: &Schain<'_>) -> Verdict {
    let complete = request.schain.is_some_and(|chain| chain.complete);
    require(complete || !wanted.complete(), NoBidReason::SchainIncomplete)?;
    let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
    require(nodes.len() <= wanted.max_nodes() as usize, NoBidReason::SchainNodes)?;
    let known = |asi: &str| wanted.asi().allows(|listed| super::domain::is_within(asi, listed));
    let all_known = nodes.iter().all(|node| known(node.asi));
    let told = request.schain.is_some() || wanted.asi().include.is_empty();
    require(told && all_known, NoBidReason::SchainAsi)
}
