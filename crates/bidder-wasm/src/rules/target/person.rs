//! Who the ad is shown to (§3.2.20 to §3.2.22, §3.2.27). Without a personal verdict nothing is known.

use crate::catalog::{Bounds, Target};
use crate::no_bid::NoBidReason;
use crate::request::{Data, Eid};
use crate::rules::facts::Facts;
use crate::rules::{Verdict, require};

pub(super) fn check(facts: &Facts<'_>, target: &Target<'_>) -> Verdict {
    let person = &facts.request.user;
    let is_in = |(provider, id): (&str, &str)| {
        let told_by = |data: &&Data<'_>| !provider.is_empty() && (data.id == provider || data.name == provider);
        person.data.iter().filter(told_by).any(|data| data.segment.contains(&id))
    };
    require(target.segment.allows(is_in), NoBidReason::Segment)?;
    let usable = || person.eids.iter().filter(|eid| eid.is_usable());
    let has_id = |source: &str| usable().any(|eid| eid.source.eq_ignore_ascii_case(source));
    require(target.eids.allows(has_id), NoBidReason::Eids)?;
    require(!target.buyeruid || !person.buyeruid.is_empty(), NoBidReason::Buyeruid)
}

/// Where a campaign says how ids have to be matched, the others do not count.
pub(super) fn check_ids(facts: &Facts<'_>, bounds: &Bounds<'_>) -> Verdict {
    let counts = |eid: &&Eid<'_>| eid.is_usable() && bounds.mm.allows(|method| method == eid.mm);
    let counting = facts.request.user.eids.iter().filter(counts);
    let has_id = |source: &str| counting.clone().any(|eid| eid.source.eq_ignore_ascii_case(source));
    require(bounds.eids.allows(has_id), NoBidReason::Mm)
}

pub(super) fn check_age(facts: &Facts<'_>, bounds: &Bounds<'_>) -> Verdict {
    let yob = facts.request.user.yob;
    let of_age = bounds.yob.is_none_or(|(first, last)| yob > 0 && (first..=last).contains(&yob));
    require(of_age, NoBidReason::Yob)
}
