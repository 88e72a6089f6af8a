//! A campaign against a request: seats, targeting and block lists (OpenRTB 2.6 §3.2.1).

use super::{Verdict, domain, require};
use crate::catalog::{Campaign, Target};
use crate::no_bid::NoBidReason;
use crate::request::{Channel, Request};

/// Whether the campaign may bid on this request of the SSP with number `ssp` at all.
pub fn check(request: &Request<'_>, ssp: usize, campaign: &Campaign) -> Verdict {
    require(campaign.ssps.is_empty() || campaign.ssps.contains(&ssp), NoBidReason::Ssp)?;
    require(seat_allowed(request, &campaign.seat), NoBidReason::Seat)?;
    targeted(request, &campaign.target)?;
    require(!blocked_advertiser(request, campaign), NoBidReason::Badv)?;
    require(!blocked_category(request, campaign), NoBidReason::Bcat)?;
    require(allowed_category(request, campaign), NoBidReason::Acat)?;
    require(!blocked_app(request, campaign), NoBidReason::Bapp)
}

/// `wseat` lists the only seats, `bseat` the ones that may not.
fn seat_allowed(request: &Request<'_>, seat: &str) -> bool {
    (request.wseat.is_empty() || request.wseat.contains(&seat)) && !request.bseat.contains(&seat)
}

fn targeted(request: &Request<'_>, target: &Target) -> Verdict {
    let kinds = [
        (request.site.is_some(), target.channel.site),
        (request.app.is_some(), target.channel.app),
        (request.dooh.is_some(), target.channel.dooh),
    ];
    // A request without any of the three fits only a campaign that takes all of them.
    let channel = if kinds.iter().any(|(present, _)| *present) {
        kinds.iter().all(|(present, wanted)| !present || *wanted)
    } else {
        kinds.iter().all(|(_, wanted)| *wanted)
    };
    require(channel, NoBidReason::Channel)?;

    let country = [request.device.geo.country, request.user.geo.country];
    let country = country.into_iter().find(|code| !code.is_empty()).unwrap_or_default();
    require(target.country.allows(|code| code.eq_ignore_ascii_case(country)), NoBidReason::Country)?;
    require(target.devicetype.allows(|kind| *kind == request.device.devicetype), NoBidReason::Devicetype)?;

    let channel = channel_of(request);
    require(target.domain.allows(|listed| domain::is_within(channel.domain, listed)), NoBidReason::Domain)?;
    require(target.bundle.allows(|listed| listed.eq_ignore_ascii_case(channel.bundle)), NoBidReason::Bundle)?;
    require(target.publisher.allows(|listed| listed == channel.publisher_id), NoBidReason::Publisher)
}

/// Site, app and DOOH exclude each other (§3.2.1); where several came, the first of them counts.
fn channel_of<'a>(request: &Request<'a>) -> Channel<'a> {
    request.site.or(request.app).or(request.dooh).unwrap_or_default()
}

fn blocked_advertiser(request: &Request<'_>, campaign: &Campaign) -> bool {
    let blocked = |domain: &String| request.badv.iter().any(|listed| domain::is_within(domain, listed));
    campaign.adomain.iter().any(blocked)
}

/// A blocked category blocks its children. Categories of another taxonomy cannot be compared, so
/// a campaign that has only such ones stays out rather than risk the account.
fn blocked_category(request: &Request<'_>, campaign: &Campaign) -> bool {
    if request.bcat.is_empty() || campaign.cat.is_empty() {
        return false;
    }
    request.cattax != campaign.cattax || campaign.cat.iter().any(|cat| listed_category(request.bcat, cat))
}

fn allowed_category(request: &Request<'_>, campaign: &Campaign) -> bool {
    request.acat.is_empty()
        || (request.cattax == campaign.cattax
            && !campaign.cat.is_empty()
            && campaign.cat.iter().all(|cat| listed_category(request.acat, cat)))
}

/// Whether `cat` or a parent of it is listed. Parents show in the code itself only in Content
/// Taxonomy 1.0, where `IAB7-39` lies under `IAB7`; its codes are compared in any case of letters.
fn listed_category(list: &[&str], cat: &str) -> bool {
    let parent = cat.split('-').next().unwrap_or_default();
    list.iter().any(|listed| listed.eq_ignore_ascii_case(cat) || listed.eq_ignore_ascii_case(parent))
}

fn blocked_app(request: &Request<'_>, campaign: &Campaign) -> bool {
    !campaign.bundle.is_empty() && request.bapp.iter().any(|listed| listed.eq_ignore_ascii_case(&campaign.bundle))
}
