//! What the impression itself has to be (§3.2.4 to §3.2.7).

use super::at_the_hour;
use crate::catalog::{Bounds, MetricFloor, Target};
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Metric};
use crate::rules::facts::Facts;
use crate::rules::{Verdict, pod, require};

/// Whether the impression is one that the campaign targets, as far as the catalog's index tells.
pub(in crate::rules) fn check(imp: &Imp<'_>, target: &Target<'_>) -> Verdict {
    require(target.tagid.allows(|listed| listed == imp.tagid), NoBidReason::Tagid)?;
    require(target.instl.is_none_or(|wanted| imp.instl == wanted), NoBidReason::Instl)?;
    require(target.rwdd.is_none_or(|wanted| imp.rwdd == wanted), NoBidReason::Rwdd)?;
    let positions = [imp.banner.as_ref().map(|banner| banner.pos), imp.video.map(|video| video.pos)];
    require(target.pos.allows(|pos| positions.contains(&Some(pos))), NoBidReason::Pos)?;
    let plcmt = imp.video.map(|video| video.plcmt);
    require(target.plcmt.allows(|listed| plcmt == Some(listed)), NoBidReason::Plcmt)?;
    let delayed = |listed| imp.linear().any(|offer| offer.startdelay == Some(listed));
    require(target.startdelay.allows(delayed), NoBidReason::Startdelay)?;
    let methods = imp.video.map_or(&[][..], |video| video.playbackmethod);
    require(target.playbackmethod.allows(|listed| methods.contains(&listed)), NoBidReason::Playbackmethod)?;
    let in_pod = |listed| imp.linear().any(|offer| offer.podseq == listed);
    require(target.podseq.allows(in_pod), NoBidReason::Podseq)?;
    let has_slot = |slot| imp.linear().any(|offer| pod::has_slot(offer, slot));
    require(target.slotinpod.allows(has_slot), NoBidReason::Slotinpod)?;
    let topframe = imp.banner.as_ref().and_then(|banner| banner.topframe);
    require(target.topframe.is_none_or(|wanted| topframe == Some(wanted)), NoBidReason::Topframe)
}

/// Whether it is, as far as the index does not tell.
pub(in crate::rules) fn check_bounds(facts: &Facts<'_>, imp: &Imp<'_>, bounds: &Bounds<'_>) -> Verdict {
    require(at_the_hour(facts, imp, bounds), NoBidReason::Hours)?;
    require(bounds.metric.iter().all(|floor| reaches(imp.metric, &floor)), NoBidReason::Metric)
}

/// What was not measured does not reach anything.
fn reaches(metrics: &[Metric<'_>], floor: &MetricFloor<'_>) -> bool {
    metrics.iter().any(|metric| {
        metric.kind.eq_ignore_ascii_case(floor.kind())
            && (floor.vendor().is_empty() || metric.vendor.eq_ignore_ascii_case(floor.vendor()))
            && metric.value >= floor.min()
    })
}
