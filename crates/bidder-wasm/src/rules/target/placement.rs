//! What the impression itself has to be (§3.2.4 to §3.2.7).

use super::at_the_hour;
use crate::catalog::{MetricFloor, Target};
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Metric};
use crate::rules::facts::Facts;
use crate::rules::{Verdict, pod, require};

/// Whether the impression is one that the campaign targets.
pub(in crate::rules) fn check(facts: &Facts<'_>, imp: &Imp<'_>, target: &Target) -> Verdict {
    require(at_the_hour(facts, imp, target), NoBidReason::Hours)?;
    require(target.tagid.allows(|listed| listed == imp.tagid), NoBidReason::Tagid)?;
    require(target.instl.is_none_or(|wanted| imp.instl == wanted), NoBidReason::Instl)?;
    require(target.rwdd.is_none_or(|wanted| imp.rwdd == wanted), NoBidReason::Rwdd)?;
    let positions = [imp.banner.map(|banner| banner.pos), imp.video.map(|video| video.pos)];
    require(target.pos.allows(|pos| positions.contains(&Some(*pos))), NoBidReason::Pos)?;
    let plcmt = imp.video.map(|video| video.plcmt);
    require(target.plcmt.allows(|listed| plcmt == Some(*listed)), NoBidReason::Plcmt)?;
    let delays = [imp.video, imp.audio].map(|offer| offer.and_then(|offer| offer.startdelay));
    require(target.startdelay.allows(|listed| delays.contains(&Some(*listed))), NoBidReason::Startdelay)?;
    let methods = imp.video.map_or(&[][..], |video| video.playbackmethod);
    require(target.playbackmethod.allows(|listed| methods.contains(listed)), NoBidReason::Playbackmethod)?;
    let offers = [imp.video, imp.audio];
    let pods = offers.map(|offer| offer.map(|offer| offer.podseq));
    require(target.podseq.allows(|listed| pods.contains(&Some(*listed))), NoBidReason::Podseq)?;
    let has_slot = |slot: &i64| offers.iter().flatten().any(|offer| pod::has_slot(offer, *slot));
    require(target.slotinpod.allows(has_slot), NoBidReason::Slotinpod)?;
    let topframe = imp.banner.and_then(|banner| banner.topframe);
    require(target.topframe.is_none_or(|wanted| topframe == Some(wanted)), NoBidReason::Topframe)?;
    require(target.metric.iter().all(|floor| reaches(imp.metric, floor)), NoBidReason::Metric)
}

/// What was not measured does not reach anything.
fn reaches(metrics: &[Metric<'_>], floor: &MetricFloor) -> bool {
    metrics.iter().any(|metric| {
        metric.kind.eq_ignore_ascii_case(&floor.kind)
            && (floor.vendor.is_empty() || metric.vendor.eq_ignore_ascii_case(&floor.vendor))
            && metric.value >= floor.min
    })
}
