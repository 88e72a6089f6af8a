//! Both sides of a failed check in words: the campaign's value and the request's. Longer texts have files of their own.

use super::words::{include_exclude, join, list, nonzero_or_unknown, number_or_unknown, range, text_or_unknown};
use super::{advertisers, bytes, clock, creatives, gate, pace, privacy, skadn, targeting};
use bidder_wasm::catalog::{Advertiser, BoundsDraft, Campaign, Catalog, Creative};
use bidder_wasm::flat::{Flat, Source};
use bidder_wasm::money::Currency;
use bidder_wasm::no_bid::NoBidReason as R;
use bidder_wasm::pace::Pacing;
use bidder_wasm::privacy::Verdict;
use bidder_wasm::request::{self, Deal, Imp};
use bidder_wasm::rules;
use bidder_wasm::targeting::Facts;

/// A campaign that failed a check, with what the check compared.
#[derive(Clone, Copy)]
pub(super) struct Rejection<'a, 'c> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) verdict: Verdict,
    pub(super) cur: Currency,
    pub(super) catalog: &'a Catalog<'a>,
    pub(super) pacing: Option<&'a Pacing>,
    pub(super) campaign: &'a Campaign<'c>,
    pub(super) imp: Option<&'a Imp<'a>>,
    pub(super) deal: Option<&'a Deal<'a>>,
    pub(super) reason: R,
}

impl<'a, 'c> Rejection<'a, 'c> {
    /// The campaign's creatives that no earlier check keeps out.
    pub(super) fn creatives(&self) -> impl Iterator<Item = Creative<'a>> + use<'a, 'c> {
        let Rejection { facts, campaign, imp, deal, reason, .. } = *self;
        self.catalog.parts().creatives_of(campaign).filter(move |creative| {
            let checked = imp.map_or(Ok(()), |imp| rules::creative::check(facts.request, imp, campaign, creative));
            let own = || rules::advertiser::check_own(facts.request, deal, &Advertiser::of(campaign, creative));
            let checked = checked.and_then(|()| if campaign.has_advertisers() { own() } else { Ok(()) });
            checked.map_or_else(|earlier| earlier >= reason, |()| true)
        })
    }
}

/// The campaign's value and the request's; a side with nothing to show is empty.
// One arm for each reason.
#[allow(clippy::too_many_lines)]
pub(super) fn sides(rejection: &Rejection<'_, '_>) -> (String, String) {
    let Rejection { facts, campaign, deal, reason, .. } = *rejection;
    let request = facts.request;
    let bounds = campaign.bounds().get(0).unwrap_or_else(|| BoundsDraft::view(Source::default(), 0));
    let imp = rejection.imp.copied().unwrap_or_default();
    match reason {
        R::NoImp
        | R::IdBytes
        | R::ListLength
        | R::DuplicateImp
        | R::Tmax
        | R::Crawler
        | R::Privacy
        | R::Currency
        | R::NoCampaign
        | R::Stopped => gate::sides(reason, request, facts.ssp, rejection.catalog),
        R::Ssp => (ssps(rejection), facts.ssp.id().into()),
        R::Seat => (facts.ssp.name_of(campaign.seat()).into(), seats(request.wseat, request.bseat)),
        R::Radius => {
            let is_known = facts.geo.point.is_some();
            let wanted =
                if bounds.needs_point() && !is_known { "a known place" } else { "within the campaign's circles" };
            (wanted.into(), precise(rejection, is_known, point(facts)))
        }
        R::Osv => (range(bounds.osv().0, bounds.osv().1), text_or_unknown(&join(facts.osv(), "."))),
        R::Mm => (
            format!(
                "{} (mm {})",
                include_exclude(bounds.eids().0.iter(), bounds.eids().1.iter(), bounds.needs_eids()),
                include_exclude(bounds.mm().0.iter(), bounds.mm().1.iter(), false)
            ),
            of_person(rejection, eids(facts, |eid| format!("{} (mm {})", eid.source, eid.mm))),
        ),
        R::Yob => (
            bounds.yob().map_or_else(String::new, |(a, b)| range(&a.to_string(), &b.to_string())),
            of_person(rejection, nonzero_or_unknown(request.user.yob)),
        ),
        R::SchainIncomplete => ("a complete chain".into(), "an incomplete one".into()),
        R::SchainNodes => (
            bounds.schain().map_or_else(String::new, |chain| format!("at most {}", chain.max_nodes())),
            nodes(request).len().to_string(),
        ),
        R::SchainAsi => (
            bounds.schain().map_or_else(String::new, |chain| {
                include_exclude(chain.asi().0.iter(), chain.asi().1.iter(), chain.needs_asi())
            }),
            list(nodes(request).iter().map(|node| node.asi)),
        ),
        R::Badv | R::Bcat | R::Bapp | R::Acat | R::DealWadomain | R::Advertiser => {
            advertisers::sides(reason, rejection)
        }
        R::Dsa => (dsa_wanted(campaign), dsa_found(&request.regs.dsa)),
        R::Paused => ("a campaign that runs".into(), "it is paused".into()),
        R::Skadn => bounds.skadn().map_or_else(Default::default, |own| skadn::sides(&own, &imp)),
        R::Flight => (clock::flights(bounds.flights(), facts.now_ms), clock::utc(facts.now_ms)),
        R::Hours => {
            let at_ms = if imp.dt > 0 { imp.dt } else { facts.now_ms };
            (clock::hours(&bounds.hours()), clock::moment(at_ms, &bounds.hours(), facts.geo.utcoffset))
        }
        R::Metric => (
            list(bounds.metric().iter().map(|m| format!("{} {} ≥ {}", m.vendor(), m.kind(), m.min()))),
            list(imp.metric.iter().map(|m| format!("{} {} {}", m.vendor, m.kind, m.value))),
        ),
        R::Exp => (format!("at most {} s", campaign.exp()), format!("{} s", imp.exp)),
        R::Frequency => ("a person under the frequency cap".into(), "the cap is reached".into()),
        R::Deal => (deals(campaign), offered(&imp)),
        R::DealWseat => {
            (facts.ssp.name_of(campaign.seat()).into(), list(deal.map(|deal| deal.wseat).unwrap_or_default()))
        }
        R::MediaType
        | R::Size
        | R::Btype
        | R::Expdir
        | R::Mimes
        | R::Bitrate
        | R::Delivery
        | R::Protocols
        | R::Linearity
        | R::Duration
        | R::Skip
        | R::Boxing
        | R::Companion
        | R::Asset
        | R::Api
        | R::Battr
        | R::Secure
        | R::Ssai
        | R::Wlang
        | R::FloorUnreadable
        | R::Rate
        | R::Floor => creatives::sides(reason, rejection),
        R::Pacing => pace::sides(rejection),
        R::PodDuplicate => (
            "an ad that duplicates none in the pod".into(),
            format!(
                "a duplicate (poddedupe {})",
                list((1..=4).filter(|kind| imp.linear().any(|offer| offer.poddedupe & 1 << kind > 0)))
            ),
        ),
        R::ResponseBytes => bytes::sides(rejection),
        _ => targeting::sides(reason, rejection),
    }
}

/// `text`, a value of the person, or a note if the verdict hides it.
pub(super) fn of_person(rejection: &Rejection<'_, '_>, text: String) -> String {
    if rejection.verdict.allows_personal() { text } else { privacy::hidden(rejection.verdict) }
}

/// `text`, a precise location, or a note if the verdict hides it. The location of a screen is known under any verdict.
pub(super) fn precise(rejection: &Rejection<'_, '_>, is_known: bool, text: String) -> String {
    if is_known || rejection.verdict.allows_precise_geo() { text } else { privacy::hidden(rejection.verdict) }
}

fn ssps(rejection: &Rejection<'_, '_>) -> String {
    let all = rejection.catalog.parts().ssps();
    list(rejection.campaign.ssps().iter().filter_map(|number| all.get(number as usize)).map(|ssp| ssp.id()))
}

fn seats(wseat: &[&str], bseat: &[&str]) -> String {
    let only = (!wseat.is_empty()).then(|| format!("only {} (wseat)", list(wseat)));
    let not = (!bseat.is_empty()).then(|| format!("not {} (bseat)", list(bseat)));
    join(only.into_iter().chain(not), ", ")
}

fn point(facts: &Facts<'_>) -> String {
    facts.geo.point.map_or("unknown".into(), |point| format!("{}, {} µ°", point.lat, point.lon))
}

fn nodes<'a>(request: &request::Request<'a>) -> &'a [request::Node<'a>] {
    request.schain.map(|chain| chain.nodes).unwrap_or_default()
}

/// What a request must ask for under the Digital Services Act so that the campaign may bid.
fn dsa_wanted(campaign: &Campaign<'_>) -> String {
    match campaign.dsa().map(|dsa| dsa.adrender()) {
        None => "no required dsa: the campaign has no dsa (campaigns[].dsa)".into(),
        Some(adrender) => format!("a pubrender that fits the campaign's adrender {}", i64::from(adrender)),
    }
}

fn dsa_found(asked: &request::Dsa) -> String {
    let required = if asked.dsarequired == 3 { "required by a platform" } else { "required" };
    format!("dsarequired {} ({required}), pubrender {}", asked.dsarequired, number_or_unknown(asked.pubrender))
}

fn deals(campaign: &Campaign<'_>) -> String {
    match (campaign.deals().is_empty(), campaign.open()) {
        (true, _) => "the open auction".into(),
        (false, true) => format!("{}, or the open auction", list(campaign.deals().iter())),
        (false, false) => list(campaign.deals().iter()),
    }
}

fn offered(imp: &Imp<'_>) -> String {
    let ids = list(imp.deals.iter().map(|deal| deal.id.value));
    if imp.private_auction { format!("{ids}, private auction") } else { ids }
}

pub(super) fn segments(facts: &Facts<'_>) -> String {
    list(
        facts
            .request
            .user
            .data
            .iter()
            .flat_map(|data| data.segment.iter().map(|id| format!("{}/{id}", first_given(data.id, data.name)))),
    )
}

pub(super) fn eids(facts: &Facts<'_>, text: impl Fn(&request::Eid<'_>) -> String) -> String {
    let eid_text = |eid: &request::Eid<'_>| {
        let text = text(eid);
        if eid.is_usable() { text } else { format!("{text} (without an id)") }
    };
    list(facts.request.user.eids.iter().map(eid_text))
}

fn first_given<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.is_empty() { b } else { a }
}
