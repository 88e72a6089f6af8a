//! The checks of a campaign, an impression and a deal.

use super::super::clock;
use super::super::rejection::Rejection;
use super::super::words::{include_exclude, join, list, nonzero_or_unknown, number_or_unknown, range, text_or_unknown};
use super::check::Check;
use super::targeting::eids;
use super::{bytes, pace, skadn, supply};
use catalog::DataRule;
use openrtb::request::Node;
use reasons::no_bid::NoBidReason as R;
use rules::targeting::Facts;
use rules::targeting::bounds::fits_data;

const SUPPLY: &[&str] =
    &["channel.publisher.id", "?channel.inventorypartnerdomain", "?source.schain.nodes", "?source.ext.schain.nodes"];
const SCHAIN_NODES: &[&str] = &["source.schain.nodes", "source.ext.schain.nodes"];

const DATA: &[&str] = &["channel.ext.data", "imp.ext.data", "person.ext.data"];

pub(super) const CHECKS: &[Check] = &[
    (R::Paused, &[], |_| ("a campaign that runs".into(), "it is paused".into())),
    (R::Flight, &[], |r| (clock::flights(r.bounds().flights(), r.facts.now_ms), clock::utc(r.facts.now_ms))),
    (R::Ssp, &[], |r| {
        let all = r.catalog.parts().ssps();
        let own = r.campaign.ssps().iter().filter_map(|number| all.get(number as usize));
        (list(own.map(|ssp| ssp.id())), r.facts.ssp.id().into())
    }),
    (R::Seat, &["?wseat", "?bseat"], |r| {
        let listed =
            |what: &str, seats: &[&str], name| (!seats.is_empty()).then(|| format!("{what} {} ({name})", list(seats)));
        let both = [listed("only", r.request().wseat, "wseat"), listed("not", r.request().bseat, "bseat")];
        (r.seat(), join(both.into_iter().flatten(), ", "))
    }),
    (R::Dsa, &["regs.dsa|regs.ext.dsa"], |r| (dsa_wanted(r), dsa_found(r))),
    (R::Mm, &["user.eids", "user.ext.eids"], |r| {
        let bounds = r.bounds();
        let sources = include_exclude(bounds.eids().0.iter(), bounds.eids().1.iter(), bounds.needs_eids());
        let mm = include_exclude(bounds.mm().0.iter(), bounds.mm().1.iter(), false);
        let found = |facts: &Facts<'_>| eids(facts, |eid| format!("{} (mm {})", eid.source, eid.mm));
        (format!("{sources} (mm {mm})"), r.unless_hidden(found))
    }),
    (R::Radius, &["geo.lat", "geo.lon"], |r| {
        let found = |facts: &Facts<'_>| {
            facts.geo.point.map_or("unknown".into(), |point| format!("{}, {} µ°", point.lat, point.lon))
        };
        let needs_place = r.bounds().needs_point() && r.facts.geo.point.is_none();
        let wanted = if needs_place { "a known place" } else { "within the campaign's circles" };
        (wanted.into(), r.unless_hidden(found))
    }),
    (R::Osv, &["device.sua.platform.version|device.ext.sua.platform.version|device.osv"], |r| {
        (range(r.bounds().osv().0, r.bounds().osv().1), text_or_unknown(&join(r.facts.osv(), ".")))
    }),
    (R::Yob, &["person.yob"], |r| {
        let wanted = r.bounds().yob().map(|(first, last)| range(&first.to_string(), &last.to_string()));
        (wanted.unwrap_or_default(), r.unless_hidden(|facts| nonzero_or_unknown(facts.request.user.yob)))
    }),
    (R::SchainIncomplete, &["source.schain.complete|source.ext.schain.complete"], |_| {
        ("a complete chain".into(), "an incomplete one".into())
    }),
    (R::SchainNodes, SCHAIN_NODES, |r| {
        let most = r.bounds().schain().map(|chain| format!("at most {}", chain.max_nodes()));
        (most.unwrap_or_default(), nodes(r).len().to_string())
    }),
    (R::SchainAsi, SCHAIN_NODES, |r| {
        let wanted = r
            .bounds()
            .schain()
            .map(|chain| include_exclude(chain.asi().0.iter(), chain.asi().1.iter(), chain.needs_asi()));
        (wanted.unwrap_or_default(), list(nodes(r).iter().map(|node| node.asi)))
    }),
    (R::SupplyUnauthorised, SUPPLY, |r| ("a seller that the files name".into(), supply::found(r))),
    (R::SupplyUnknown, SUPPLY, |r| ("a seller that the files authorise (supply.authorised)".into(), supply::found(r))),
    (R::SupplyPath, SUPPLY, |r| (supply::wanted(r), supply::found(r))),
    (R::Hours, &["?imp.dt", "?geo.utcoffset"], |r| {
        let (hours, dt) = (r.bounds().hours(), r.imp().dt);
        let at_ms = if dt > 0 { dt } else { r.facts.now_ms };
        (clock::hours(&hours), clock::moment(at_ms, &hours, r.facts.geo.utcoffset))
    }),
    (R::Metric, &["imp.metric"], |r| {
        (
            list(r.bounds().metric().iter().map(|m| format!("{} {} ≥ {}", m.vendor(), m.kind(), m.min()))),
            list(r.imp().metric.iter().map(|m| format!("{} {} {}", m.vendor, m.kind, m.value))),
        )
    }),
    (R::Data, DATA, |r| (data_wanted(r), r.unless_hidden(|facts| data_found(r, facts)))),
    (R::Skadn, &["imp.ext.skadn", "?bapp"], |r| {
        r.bounds().skadn().map_or_else(Default::default, |own| skadn::comparison(&own, r.request(), &r.imp()))
    }),
    (R::Exp, &["imp.exp"], |r| (format!("at most {} s", r.campaign.exp()), format!("{} s", r.imp().exp))),
    (R::Frequency, &[], |_| ("a person under the frequency cap".into(), "the cap is reached".into())),
    (R::Deal, &["imp.pmp.deals", "?imp.pmp.private_auction"], |r| (deals(r), offered(r))),
    (R::DealWseat, &["deal.wseat"], |r| (r.seat(), list(r.deal.map(|deal| deal.wseat).unwrap_or_default()))),
    (R::Pacing, &[], pace::comparison),
    (R::PodDuplicate, &["spot.poddedupe"], |r| {
        let is_set = |kind: &u8| r.imp().linear().any(|offer| offer.poddedupe & 1 << kind > 0);
        let found = format!("a duplicate (poddedupe {})", list((1..=4).filter(is_set)));
        (NO_DUPLICATE.into(), found)
    }),
    (R::ResponseBytes, &[], bytes::comparison),
];

/// What `poddedupe` wants.
pub(crate) const NO_DUPLICATE: &str = "an ad that duplicates none in the pod";

fn nodes<'a>(rejection: &Rejection<'a, '_>) -> &'a [Node<'a>] {
    rejection.request().schain.map(|chain| chain.nodes).unwrap_or_default()
}

/// The rules over first-party data that the request fails, each with its path in front.
fn data<'c>(rejection: &Rejection<'_, 'c>, text: impl Fn(&DataRule<'c>) -> String) -> String {
    let paths = rejection.catalog.parts().paths();
    let failed = rejection.bounds().data().iter().filter(|rule| !fits_data(&rejection.facts, &rejection.imp(), rule));
    join(failed.map(|rule| format!("{} {}", paths.get(rule.path() as usize).unwrap_or_default(), text(&rule))), "; ")
}

fn data_wanted(rejection: &Rejection<'_, '_>) -> String {
    data(rejection, |rule| {
        let (include, exclude) = rule.values();
        include_exclude(include.iter(), exclude.iter(), rule.is_needed())
    })
}

fn data_found(rejection: &Rejection<'_, '_>, facts: &Facts<'_>) -> String {
    data(rejection, |rule| {
        let (values, _) = facts.first_party.values(rule, facts.request, &rejection.imp());
        if values.clone().next().is_none() { "unknown".into() } else { list(values) }
    })
}

/// What a request must ask for under the Digital Services Act so that the campaign may bid.
fn dsa_wanted(rejection: &Rejection<'_, '_>) -> String {
    match rejection.campaign.dsa().map(|dsa| dsa.adrender()) {
        None => "no required dsa: the campaign has no dsa (campaigns[].dsa)".into(),
        Some(adrender) => format!("a pubrender that fits the campaign's adrender {}", i64::from(adrender)),
    }
}

fn dsa_found(rejection: &Rejection<'_, '_>) -> String {
    let asked = &rejection.request().regs.dsa;
    let required = if asked.dsarequired == 3 { "required by a platform" } else { "required" };
    format!("dsarequired {} ({required}), pubrender {}", asked.dsarequired, number_or_unknown(asked.pubrender))
}

fn deals(rejection: &Rejection<'_, '_>) -> String {
    let campaign = rejection.campaign;
    match (campaign.deals().is_empty(), campaign.open()) {
        (true, _) => "the open auction".into(),
        (false, true) => format!("{}, or the open auction", list(campaign.deals().iter())),
        (false, false) => list(campaign.deals().iter()),
    }
}

fn offered(rejection: &Rejection<'_, '_>) -> String {
    let imp = rejection.imp();
    let ids = list(imp.deals.iter().map(|deal| deal.id.value));
    if imp.private_auction { format!("{ids}, private auction") } else { ids }
}
