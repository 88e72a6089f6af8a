//! The EU's Digital Services Act (DSA): whether a campaign has the information that the exchange requires, and the
//! information in a bid (IAB community extension `dsa_transparency`, as Prebid Server checks it).

use super::{Checked, require};
use catalog::Campaign;
use openrtb::request::Dsa;
use reasons::no_bid::NoBidReason;

/// Values of `dsarequired`.
const SUPPORTED: i64 = 1;
const REQUIRED: i64 = 2;
const REQUIRED_BY_PLATFORM: i64 = 3;

/// Values of `pubrender`: whether the publisher shows the information.
const CANNOT: i64 = 0;
const COULD: i64 = 1;
const WILL: i64 = 2;

/// Value of `datatopub`: the publisher needs no data.
const NO_DATA: i64 = 0;

/// Whether the campaign's ads meet the requirements of `regs.dsa`.
pub(super) fn check(asked: &Dsa, campaign: &Campaign<'_>) -> Checked {
    let adrender = campaign.dsa().map(|dsa| dsa.adrender());
    let is_refused = |pubrender: i64| refused(adrender).contains(&pubrender);
    require(!required(asked).is_some_and(is_refused), NoBidReason::Dsa)
}

/// `pubrender` if the exchange requires the information, else `None`. An unknown `pubrender` counts as 1.
pub fn required(asked: &Dsa) -> Option<i64> {
    let required = [REQUIRED, REQUIRED_BY_PLATFORM].contains(&asked.dsarequired);
    required.then(|| asked.pubrender.filter(|pubrender| [CANNOT, WILL].contains(pubrender)).unwrap_or(COULD))
}

/// The values of `pubrender` that refuse a campaign: either the ad or the publisher must show the information, not
/// both. `adrender` says whether the campaign's ads show it; `None` if the campaign has no information.
pub fn refused(adrender: Option<bool>) -> &'static [i64] {
    match adrender {
        None => &[CANNOT, COULD, WILL],
        Some(false) => &[CANNOT],
        Some(true) => &[WILL],
    }
}

/// The information that a bid sends, and whether it includes `transparency`.
pub fn disclosed<'c>(asked: &Dsa, campaign: &Campaign<'c>) -> Option<(catalog::Dsa<'c>, bool)> {
    let dsa = campaign.dsa()?;
    let wants_data = asked.datatopub.is_some_and(|datatopub| datatopub > NO_DATA);
    let is_asked = wants_data || (SUPPORTED..=REQUIRED_BY_PLATFORM).contains(&asked.dsarequired);
    // If nothing is required, send nothing rather than contradict the publisher.
    let fits = !asked.pubrender.is_some_and(|pubrender| refused(Some(dsa.adrender())).contains(&pubrender));
    // A publisher that shows the information needs `transparency` too.
    let renders = asked.pubrender.is_some_and(|pubrender| pubrender > CANNOT);
    (is_asked && fits).then_some((dsa, renders || asked.datatopub != Some(NO_DATA)))
}
