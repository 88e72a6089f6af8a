//! What the ad is shown on (§3.2.18).

use core::cmp::Ordering;

use crate::catalog::{Bounds, Target};
use crate::no_bid::NoBidReason;
use crate::rules::facts::Facts;
use crate::rules::{Verdict, require};

pub(super) fn check(facts: &Facts<'_>, target: &Target<'_>) -> Verdict {
    let device = &facts.request.device;
    require(target.devicetype.allows(|kind| kind == device.devicetype), NoBidReason::Devicetype)?;
    require(target.make.allows_text(device.make), NoBidReason::Make)?;
    require(target.model.allows_text(facts.model), NoBidReason::Model)?;
    require(target.os.allows_text(facts.os), NoBidReason::Os)?;
    let is_browser = |listed: &str| facts.browsers().any(|browser| browser.eq_ignore_ascii_case(listed));
    require(target.browser.allows(is_browser), NoBidReason::Browser)?;
    let language = language(device.language, device.langb);
    require(target.language.allows_text(language), NoBidReason::Language)?;
    require(target.connectiontype.allows(|kind| kind == device.connectiontype), NoBidReason::Connectiontype)?;
    require(target.carrier.allows_text(device.carrier), NoBidReason::Carrier)
}

pub(super) fn check_version(facts: &Facts<'_>, bounds: &Bounds<'_>) -> Verdict {
    let (lowest, highest) = bounds.osv;
    let in_range = (lowest.is_empty()
        || matches!(compare(facts.osv(), lowest), Some(Ordering::Greater | Ordering::Equal)))
        && (highest.is_empty() || matches!(compare(facts.osv(), highest), Some(Ordering::Less | Ordering::Equal)));
    require(in_range, NoBidReason::Osv)
}

/// The language proper: `en` of `en-US`.
pub(crate) fn language<'a>(language: &'a str, langb: &'a str) -> &'a str {
    let told = if language.is_empty() { langb } else { language };
    told.split(['-', '_']).next().unwrap_or_default()
}

/// A version against a bound, as far as the bound is written; parts that the version lacks are 0.
/// `None` when the version is unknown or a part of either is no number.
fn compare<'a>(mut version: impl Iterator<Item = &'a str>, bound: &str) -> Option<Ordering> {
    let mut part = Some(version.next()?);
    for wanted in bound.split('.') {
        let has: u64 = part.unwrap_or("0").parse().ok()?;
        match has.cmp(&wanted.parse().ok()?) {
            Ordering::Equal => {}
            other => return Some(other),
        }
        part = version.next();
    }
    Some(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_far_as_the_bound_is_written() {
        for (version, bound, order) in [
            ("17.5", "17", Some(Ordering::Equal)),
            ("17", "17.0", Some(Ordering::Equal)),
            ("17", "17.1", Some(Ordering::Less)),
            ("9.3", "10", Some(Ordering::Less)),
            ("10.15.7", "10.15.6", Some(Ordering::Greater)),
            ("unknown", "10", None),
            ("", "10", None),
        ] {
            let parts = version.split('.').filter(|part| !part.is_empty());
            assert_eq!(compare(parts, bound), order, "{version} {bound}");
        }
    }
}
