//! What the impression has to be (§3.2.4, §3.2.5), and the object of it that a creative would fill (§3.2.6 to §3.2.8).

use super::at_the_hour;
use crate::catalog::{Bounds, Media, MetricFloor, Placement, Target};
use crate::no_bid::NoBidReason;
use crate::request::{Imp, Linear, Metric};
use crate::rules::facts::Facts;
use crate::rules::{Verdict, pod, require};

/// Whether the impression is one that the campaign targets, as far as the catalog's index tells.
pub(in crate::rules) fn check(imp: &Imp<'_>, target: &Target<'_>) -> Verdict {
    require(target.tagid.allows(|listed| listed == imp.tagid), NoBidReason::Tagid)?;
    require(target.gpid.allows(|listed| listed == imp.gpid), NoBidReason::Gpid)?;
    require(target.instl.is_none_or(|wanted| imp.instl == wanted), NoBidReason::Instl)?;
    require(target.rwdd.is_none_or(|wanted| imp.rwdd == wanted), NoBidReason::Rwdd)
}

/// What the object that a creative would fill tells of itself. What such an object does not have is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spot<'a> {
    pub(crate) pos: Option<i64>,
    pub(crate) topframe: Option<bool>,
    pub(crate) video: Option<&'a Linear<'a>>,
    /// Video or audio: what is in pods, and beside content.
    pub(crate) linear: Option<&'a Linear<'a>>,
}

impl<'a> Spot<'a> {
    /// Where the impression would show this.
    pub(crate) fn of(imp: &Imp<'a>, media: &Media<'_>) -> Spot<'a> {
        match media {
            Media::Banner(_) => Spot {
                pos: imp.banner.map(|banner| banner.pos),
                topframe: imp.banner.and_then(|banner| banner.topframe),
                ..Spot::default()
            },
            Media::Video(_) => {
                Spot { pos: imp.video.map(|video| video.pos), video: imp.video, linear: imp.video, ..Spot::default() }
            }
            Media::Audio(_) => Spot { linear: imp.audio, ..Spot::default() },
            Media::Native(_) => Spot::default(),
        }
    }
}

/// Whether a creative would be shown where the campaign wants it.
pub(in crate::rules) fn check_spot(spot: &Spot<'_>, wanted: &Placement<'_>) -> Verdict {
    require(wanted.pos.allows(|listed| spot.pos == Some(listed)), NoBidReason::Pos)?;
    let plcmt = spot.video.map(|video| video.plcmt);
    require(wanted.plcmt.allows(|listed| plcmt == Some(listed)), NoBidReason::Plcmt)?;
    let startdelay = spot.linear.and_then(|offer| offer.startdelay);
    require(wanted.startdelay.allows(|listed| startdelay == Some(listed)), NoBidReason::Startdelay)?;
    let methods = spot.video.map_or(&[][..], |video| video.playbackmethod);
    require(wanted.playbackmethod.allows(|listed| methods.contains(&listed)), NoBidReason::Playbackmethod)?;
    let podseq = spot.linear.map(|offer| offer.podseq);
    require(wanted.podseq.allows(|listed| podseq == Some(listed)), NoBidReason::Podseq)?;
    let has_slot = |slot| spot.linear.is_some_and(|offer| pod::has_slot(offer, slot));
    require(wanted.slotinpod.allows(has_slot), NoBidReason::Slotinpod)?;
    require(wanted.topframe.is_none_or(|topframe| spot.topframe == Some(topframe)), NoBidReason::Topframe)
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
