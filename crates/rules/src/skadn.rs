//! Apple's SKAdNetwork: whether the impression takes the campaign's signed ad (IAB community extension `skadnetwork`).

use super::{Checked, require};
use catalog::{Bounds, Skadn};
use openrtb::request::{self, Imp, Request};
use reasons::no_bid::NoBidReason;

/// The versions that bids are written in, newest first.
const VERSIONS: [&str; 5] = [FOUR, "3.0", "2.2", "2.1", "2.0"];

/// The version with `sourceidentifier`; the ones before have `campaign`.
pub const FOUR: &str = "4.0";

/// Whether the campaign may bid: its app is not in `bapp`, and it does not need SKAdNetwork or the bid can carry it.
pub(super) fn check(request: &Request<'_>, imp: &Imp<'_>, bounds: &Bounds<'_>, signs: bool) -> Checked {
    let Some(skadn) = bounds.skadn() else { return Ok(()) };
    let is_blocked = request.bapp.iter().any(|listed| listed.eq_ignore_ascii_case(skadn.itunesitem()));
    require(!is_blocked, NoBidReason::Skadn)?;
    require(!skadn.required() || signs && version(imp, &skadn).is_some(), NoBidReason::Skadn)
}

/// The newest version that both sides have; `None` if the impression does not offer the campaign's network.
pub fn version(imp: &Imp<'_>, skadn: &Skadn<'_>) -> Option<&'static str> {
    let offer = imp.skadn.filter(|offer| is_number(offer.sourceapp) && offers_network(offer, skadn))?;
    let is_offered = |version: &str| offer.version == version || offer.versions.contains(&version);
    let has = |version: &str| !(if version == FOUR { skadn.sourceidentifier() } else { skadn.campaign() }).is_empty();
    VERSIONS.into_iter().find(|version| has(version) && is_offered(version))
}

/// Whether the app takes installs of the network: its id is in a list of the request, or its number in the IAB Tech
/// Lab's list is in the request's range and not excluded.
fn offers_network(offer: &request::Skadn<'_>, skadn: &Skadn<'_>) -> bool {
    let mut ids = offer.skadnetids.iter().chain(offer.addl);
    let id = skadn.list_id();
    ids.any(|one| one.eq_ignore_ascii_case(skadn.network())) || (id > 0 && id <= offer.max && !offer.excl.contains(&id))
}

/// Whether this is an id of the App Store, which is signed and repeated in the bid.
fn is_number(text: &str) -> bool {
    const MAX_DIGITS: usize = 20;
    (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
