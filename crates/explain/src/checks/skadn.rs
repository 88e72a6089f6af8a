//! SKAdNetwork in words: what the campaign needs and what the impression offers.

use catalog::Skadn;
use openrtb::request::{Imp, Request};
use rules::skadn::version;

use super::super::comparison::Comparison;
use super::super::words::list;

pub(super) fn comparison(own: &Skadn<'_>, request: &Request<'_>, imp: &Imp<'_>) -> Comparison {
    let app = own.itunesitem();
    if request.bapp.contains(&app) {
        return (format!("{app} not blocked"), format!("bapp {app}"));
    }
    let wanted = wanted(own);
    let found = match imp.skadn {
        Some(_) if version(imp, own).is_some() => "no key SKADN_KEY to sign with".to_owned(),
        Some(offer) => format!(
            "versions {}, networks {}, sourceapp {:?}",
            list(offer.versions.iter().copied().chain(Some(offer.version).filter(|one| !one.is_empty()))),
            list(offer.skadnetids.iter().chain(offer.addl).copied()),
            offer.sourceapp
        ),
        None => "no imp.ext.skadn".to_owned(),
    };
    (wanted, found)
}

/// What the campaign's bids say, for its description.
pub(crate) fn sentence(own: &Skadn<'_>) -> String {
    let only = if own.required() { ", and there is no bid elsewhere" } else { "" };
    format!("Where the impression offers {}, bids carry the app {}{only}.", wanted(own), own.itunesitem())
}

/// The network and the versions.
fn wanted(own: &Skadn<'_>) -> String {
    let versions = match (own.sourceidentifier(), own.campaign()) {
        ("", _) => "2.0 to 3.0",
        (_, "") => "4.0",
        _ => "2.0 to 4.0",
    };
    format!("{} in SKAdNetwork {versions}", own.network())
}
