//! Both sides of a failed check in words: what the campaign wanted, or is, and what was found in the request.

use super::words::{
    among, api, battr, blocked, blocked_categories, blocked_domains, btype, cats, companion_slots, companions,
    creatives, deals, dsa_asked, dsa_of, durations, eids, few, files, join, known, list, media_name, media_offered,
    mimes, nodes, number, of_linear, offered, point, range, seats, shape, size, sizes,
};
use super::{assets, bytes, clock, floor, gate, privacy, targeting};
use bidder_wasm::catalog::{Campaign, Catalog, Creative, Media};
use bidder_wasm::money::Currency;
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::privacy::Verdict;
use bidder_wasm::request::{Deal, Imp, Size};
use bidder_wasm::targeting::Facts;

/// Where a check failed.
#[derive(Clone, Copy)]
pub(super) struct Place<'a, 'c> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) verdict: Verdict,
    pub(super) cur: Currency,
    pub(super) catalog: &'a Catalog<'a>,
    pub(super) campaign: &'a Campaign<'c>,
    pub(super) imp: Option<&'a Imp<'a>>,
    pub(super) deal: Option<&'a Deal<'a>>,
}

/// What the campaign wanted and what the request has; empty where one side has nothing to show.
// One line for each reason, and no reason without a line.
#[allow(clippy::too_many_lines)]
pub(super) fn of(reason: R, place: &Place<'_, '_>) -> (String, String) {
    let Place { facts, campaign, deal, .. } = *place;
    let (request, bounds) = (facts.request, campaign.bounds().get());
    let creatives = |text: &dyn Fn(&Creative<'_>) -> String| creatives(place, text);
    let imp = place.imp.copied().unwrap_or_default();
    let linear = imp.video.or(imp.audio).copied().unwrap_or_default();
    match reason {
        R::NoImp
        | R::IdBytes
        | R::ListLength
        | R::DuplicateImp
        | R::Tmax
        | R::Crawler
        | R::Privacy
        | R::Currency
        | R::NoCampaign => gate::sides(reason, request, facts.ssp, place.catalog),
        R::Ssp => (ssps(place), facts.ssp.id().into()),
        R::Seat => (facts.ssp.name_of(campaign.seat()).into(), seats(request.wseat, request.bseat)),
        R::Radius => ("within the campaign's circles".into(), precise(place, facts.geo.point.is_some(), point(facts))),
        R::Osv => (range(bounds.osv.0, bounds.osv.1), join(facts.osv(), ".")),
        R::Mm => (
            format!("{} (mm {})", among(&bounds.eids), among(&bounds.mm)),
            of_person(place, eids(facts, |eid| format!("{} (mm {})", eid.source, eid.mm))),
        ),
        R::Yob => (
            bounds.yob.map_or_else(String::new, |(a, b)| range(&a.to_string(), &b.to_string())),
            of_person(place, number(request.user.yob)),
        ),
        R::SchainIncomplete => ("a complete chain".into(), "an incomplete one".into()),
        R::SchainNodes => (
            bounds.schain.map_or_else(String::new, |chain| format!("at most {}", chain.max_nodes())),
            nodes(request).len().to_string(),
        ),
        R::SchainAsi => (
            bounds.schain.map_or_else(String::new, |chain| among(&chain.asi())),
            list(nodes(request).iter().map(|node| node.asi)),
        ),
        R::Badv => (not_blocked(&list(campaign.adomain().iter())), blocked_domains(request.badv, campaign)),
        R::Bcat => (not_blocked(&cats(campaign)), blocked_categories(request, campaign)),
        R::Acat => (cats(campaign), format!("acat {} (cattax {})", list(request.acat), request.cattax)),
        R::Dsa => (dsa_of(campaign), dsa_asked(&request.regs.dsa)),
        R::Bapp => (not_blocked(campaign.bundle()), format!("bapp {}", campaign.bundle())),
        R::Hours => {
            let at_ms = if imp.dt > 0 { imp.dt } else { facts.now_ms };
            (clock::hours(&bounds.hours), clock::moment(at_ms, &bounds.hours, facts.geo.utcoffset))
        }
        R::Metric => (
            list(bounds.metric.iter().map(|m| format!("{} {} ≥ {}", m.vendor(), m.kind(), m.min()))),
            list(imp.metric.iter().map(|m| format!("{} {} {}", m.vendor, m.kind, m.value))),
        ),
        R::Exp => (format!("at most {} s", campaign.exp()), format!("{} s", imp.exp)),
        R::Frequency => ("seen less often".into(), "seen often enough".into()),
        R::Deal => (deals(campaign), offered(&imp)),
        R::DealWseat => {
            (facts.ssp.name_of(campaign.seat()).into(), list(deal.map(|deal| deal.wseat).unwrap_or_default()))
        }
        R::DealWadomain => (list(campaign.adomain().iter()), list(deal.map(|deal| deal.wadomain).unwrap_or_default())),
        R::MediaType => (creatives(&|creative| media_name(&creative.media()).into()), media_offered(&imp)),
        R::Size => (creatives(&|creative| shape(&creative.media())), sizes(imp.banner.as_ref())),
        R::Btype => {
            let blocks: Vec<&i64> = imp.banner.unwrap_or_default().btype.iter().collect();
            let own = creatives(&|creative| join(btype(creative), ", "));
            (format!("btype {own}"), format!("btype {}", blocked(place, &blocks, &btype)))
        }
        R::Expdir => (
            creatives(&|creative| {
                if let Media::Banner(ad) = &creative.media() { list(ad.expdir().iter()) } else { String::new() }
            }),
            list(imp.banner.unwrap_or_default().expdir),
        ),
        R::Mimes => (
            creatives(&mimes),
            list(if linear.mimes.is_empty() { imp.banner.unwrap_or_default().mimes } else { linear.mimes }),
        ),
        R::Bitrate => (
            creatives(&|creative| files(creative, |file| file.bitrate())),
            range(&linear.minbitrate.to_string(), &number(linear.maxbitrate)),
        ),
        R::Delivery => (creatives(&|creative| files(creative, |file| file.delivery())), list(linear.delivery)),
        R::Protocols => {
            (creatives(&|creative| of_linear(creative, |ad| ad.protocol().to_string())), list(linear.protocols))
        }
        R::Linearity => {
            (creatives(&|creative| of_linear(creative, |ad| ad.linearity().to_string())), number(linear.linearity))
        }
        R::Duration => (creatives(&|creative| of_linear(creative, |ad| format!("{} s", ad.dur()))), durations(&linear)),
        R::Skip => ("a skip button of its own (attr 16)".into(), "a player with one (skip 1)".into()),
        R::Boxing => {
            (creatives(&|creative| of_linear(creative, |ad| size(Size { w: ad.w(), h: ad.h() }))), size(linear.size))
        }
        R::Companion => (creatives(&|creative| of_linear(creative, companions)), companion_slots(&linear)),
        R::Asset => assets::sides(place),
        R::Api => (creatives(&|creative| list(creative.api().iter())), list(api(&imp))),
        R::Battr => {
            let attr = |creative: &Creative<'_>| creative.attr().iter().collect();
            let own = creatives(&|creative| join(creative.attr().iter(), ", "));
            (format!("attr {own}"), format!("battr {}", blocked(place, &battr(&imp), &attr)))
        }
        R::Secure => (insecure(place), "https only (secure 1)".into()),
        R::Ssai => ("clientside".into(), "nothing on the device (ssai 3)".into()),
        R::Wlang => (creatives(&|creative| known(creative.language())), list([request.wlang, request.wlangb].concat())),
        R::FloorUnreadable => floor::unreadable(place),
        R::Rate => floor::rates(place),
        R::Floor => floor::sides(place),
        R::Pacing => ("a request in its share".into(), "another".into()),
        R::PodDuplicate => (campaign.cid().into(), format!("no duplicate by {}", list(linear.poddedupe))),
        R::ResponseBytes => bytes::sides(place),
        _ => targeting::sides(reason, place),
    }
}

/// What the request tells of the person, where a bid may know it.
pub(super) fn of_person(place: &Place<'_, '_>, text: String) -> String {
    if place.verdict.allows_personal() { text } else { privacy::hidden(place.verdict) }
}

/// A precise place, where a bid may know it; that of a screen is known under any verdict.
pub(super) fn precise(place: &Place<'_, '_>, is_known: bool, text: String) -> String {
    if is_known || place.verdict.allows_precise_geo() { text } else { privacy::hidden(place.verdict) }
}

fn not_blocked(what: &str) -> String {
    format!("{what} not blocked")
}

/// The SSPs that the campaign buys from.
fn ssps(place: &Place<'_, '_>) -> String {
    let all = place.catalog.parts().ssps();
    list(place.campaign.ssps().iter().filter_map(|number| all.get(number as usize)).map(|ssp| ssp.id()))
}

/// Where the campaign has plain-HTTP URLs.
fn insecure(place: &Place<'_, '_>) -> String {
    let notices = crate::compile::plain_http(place.campaign.notices()).map(|url| format!("the notice {url}"));
    let creatives = place.catalog.parts().creatives_of(place.campaign).filter(|creative| !creative.secure());
    few(notices.into_iter().chain(creatives.map(|creative| format!("plain http in {}", creative.crid()))))
}

#[cfg(test)]
mod tests;
