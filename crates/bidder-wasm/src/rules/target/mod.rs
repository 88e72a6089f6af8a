//! Targeting: what a campaign asks of the request and of the impression, in this order.
//!
//! Unknown values fail an `include` and pass an `exclude`.

mod content;
mod device;
mod person;
mod place;
mod placement;

use super::facts::Facts;
use super::{Verdict, require};
use crate::catalog::Target;
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Request};

pub(super) use placement::check as check_imp;

/// Everything that does not depend on the impression, but for the hours: see [`check_imp`].
pub(super) fn check(facts: &Facts<'_>, target: &Target) -> Verdict {
    channel(facts.request, target)?;
    place::check(facts, target)?;
    device::check(facts, target)?;
    content::check(facts, target)?;
    person::check(facts, target)?;
    schain(facts.request, target)
}

/// Whether the ad is shown at an hour at which the campaign bids: at `imp.dt` where the exchange
/// tells it (§3.2.4), else now.
pub(super) fn at_the_hour(facts: &Facts<'_>, imp: &Imp<'_>, target: &Target) -> bool {
    let at_ms = if imp.dt > 0 { imp.dt } else { facts.now_ms };
    target.hours.include(at_ms, facts.geo.utcoffset)
}

/// A request without any of the three fits only a campaign that takes all of them.
fn channel(request: &Request<'_>, target: &Target) -> Verdict {
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
fn schain(request: &Request<'_>, target: &Target) -> Verdict {
    let Some(wanted) = &target.schain else { return Ok(()) };
    let complete = request.schain.is_some_and(|chain| chain.complete);
    require(complete || !wanted.complete, NoBidReason::SchainIncomplete)?;
    let nodes = request.schain.map(|chain| chain.nodes).unwrap_or_default();
    require(nodes.len() <= wanted.max_nodes, NoBidReason::SchainNodes)?;
    let known = |asi: &str| wanted.asi.allows(|listed| super::domain::is_within(asi, listed));
    let all_known = nodes.iter().all(|node| known(node.asi));
    let told = request.schain.is_some() || wanted.asi.include.is_empty();
    require(told && all_known, NoBidReason::SchainAsi)
}
