//! Who the ad is shown to (§3.2.20 to §3.2.22, §3.2.27). Without a personal verdict nothing is known.

use crate::catalog::Target;
use crate::no_bid::NoBidReason;
use crate::request::Data;
use crate::rules::facts::Facts;
use crate::rules::{Verdict, require};

pub(super) fn check(facts: &Facts<'_>, target: &Target) -> Verdict {
    let person = &facts.person;
    let is_in = |(provider, id): &(String, String)| {
        let told_by = |data: &&Data<'_>| data.id == provider.as_str() || data.name == provider.as_str();
        person.data.iter().filter(told_by).any(|data| data.segment.contains(&id.as_str()))
    };
    require(target.segment.allows(is_in), NoBidReason::Segment)?;
    let usable = person.eids.iter().filter(|eid| target.mm.allows(|method| *method == eid.mm));
    let has_id = |source: &String| usable.clone().any(|eid| eid.source.eq_ignore_ascii_case(source));
    require(target.eids.allows(has_id), NoBidReason::Eids)?;
    require(!target.buyeruid || !person.buyeruid.is_empty(), NoBidReason::Buyeruid)?;
    let of_age = target.yob.is_none_or(|(first, last)| person.yob > 0 && (first..=last).contains(&person.yob));
    require(of_age, NoBidReason::Yob)
}
