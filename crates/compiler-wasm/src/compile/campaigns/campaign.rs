//! Checks one campaign of the document and makes it ready to serve.

use super::showing::{self, Rotation};
use super::{advertiser, deals, skadn};
use crate::compile::check::Names;
use crate::compile::check::out_of_range;
use crate::compile::document::{CampaignEntry, Document};
use crate::compile::macros::plain_http::plain_http;
use crate::compile::targets::hours::Zone;
use crate::compile::{
    money::{flight_budgets, flights, prices, shading},
    targets::target,
};
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{BoundsDraft, CampaignDraft, CapOn, NoticesDraft, PricesDraft, Texts};
use bidder_wasm::money::{Micros, Rates};
use bidder_wasm::write::literal;

/// The parts of a document that a campaign may refer to by name.
pub(crate) struct References<'a> {
    rates: &'a Rates,
    ssps: Names<'a>,
    crids: Names<'a>,
    pub(crate) lists: Names<'a>,
    zones: &'a [Zone],
}

impl<'a> References<'a> {
    pub(crate) fn of(document: &'a Document, rates: &'a Rates, zones: &'a [Zone]) -> References<'a> {
        let ssps = Names::of(document.ssps.iter().map(|entry| entry.id.as_deref()));
        let crids = Names::of(document.creatives.iter().map(|entry| entry.crid.as_deref()));
        let lists = Names::of(document.lists.iter().map(|entry| entry.id.as_deref()));
        References { rates, ssps, crids, lists, zones }
    }

    /// Compiles a campaign, and adds findings with paths under `path`, e.g. `campaigns[3]`.
    pub(crate) fn campaign(
        &self,
        entry: &CampaignEntry,
        has_macros: bool,
        path: &str,
        findings: &mut Vec<Finding>,
    ) -> CampaignDraft {
        let cur = entry.cur.as_deref().unwrap_or("USD");
        let cur = prices::currency(cur, self.rates, &format!("{path}.cur"), findings);
        let mut secure = true;
        for (name, url) in [("nurl", &entry.nurl), ("burl", &entry.burl), ("lurl", &entry.lurl)] {
            if let Some(http) = url.as_deref().and_then(plain_http) {
                secure = false;
                let message = format!(
                    "{http:?} is plain http, so the campaign never bids on impressions with secure 1; expected https://…"
                );
                findings.push(Finding::new(format!("{path}.{name}"), Rule::PlainHttp, message));
            }
        }
        let advertiser = advertiser::of_campaign(entry);
        if entry.open == Some(false) && entry.deals.is_empty() {
            let message = "empty, but open is false, so the campaign can never bid; expected deal ids".to_owned();
            out_of_range(&format!("{path}.deals"), message, findings);
        }
        let ssps = entry.ssps.iter().map(String::as_str);
        let ssps = self.ssps.places(ssps, &format!("{path}.ssps"), "an id in ssps", findings);
        let crids = entry.creatives.iter().map(|shown| shown.crid.as_deref().unwrap_or_default());
        let creatives = self.crids.places(crids, &format!("{path}.creatives"), "a crid in creatives", findings);
        let target = entry.target.as_ref().map_or_else(target::Compiled::default, |entry| {
            target::compile(entry, &self.lists, self.zones, &format!("{path}.target"), findings)
        });
        let cid = entry.cid.clone().unwrap_or_default();
        CampaignDraft {
            notices: notices(entry).into_iter().collect(),
            cid,
            seat: entry.seat.clone().unwrap_or_default(),
            advertiser,
            max_cpm: entry.max_cpm.map_or(Micros::ZERO, |amount| amount.0),
            cur,
            ssps,
            deals: entry.deals.iter().filter_map(|deal| deal.id.clone()).collect(),
            open: entry.open.unwrap_or(true),
            request_rules: target.request_rules,
            imp_rules: target.imp_rules,
            spot_rules: target.spot_rules,
            bounds: bounds(target.bounds, entry, self.zones, path, findings).into_iter().collect(),
            creatives,
            texts: Texts { secure, macros: has_macros },
            shaded_cpm: shaded_cpm(entry),
            exp: entry.exp.map_or(0, |seconds| u32::try_from(seconds).unwrap_or(u32::MAX)),
            dsa: entry.dsa.as_ref().map(advertiser::dsa),
        }
    }
}

/// The target's bounds, with those of the campaign itself.
fn bounds(
    target: Option<BoundsDraft>,
    entry: &CampaignEntry,
    zones: &[Zone],
    path: &str,
    findings: &mut Vec<Finding>,
) -> Option<BoundsDraft> {
    let (paused, flights) = (entry.paused == Some(true), flights::compile(entry, path, findings));
    let zone = entry.target.as_ref().and_then(|target| target.zone.clone()).unwrap_or_default();
    let caps = showing::caps(&entry.caps, &format!("{path}.caps"), findings);
    let cap_on = entry.cap_on.unwrap_or_default();
    let rotation = showing::rotation(entry, path, findings);
    let deals = deals::prices(entry, path, findings);
    let prices: Vec<PricesDraft> =
        (!deals.is_empty()).then_some(PricesDraft { deals, ..PricesDraft::default() }).into_iter().collect();
    let skadn = entry.skadn.as_ref().map(|own| skadn::compile(entry, own, &format!("{path}.skadn"), findings));
    let is_plain = !paused && flights.is_empty() && zone.is_empty() && caps.is_empty() && cap_on == CapOn::default();
    if is_plain && rotation == Rotation::default() && prices.is_empty() && skadn.is_none() {
        return target;
    }
    let Rotation { in_sequence, weights } = rotation;
    let flight_budgets = flight_budgets::compile(entry, zones, path, findings);
    let target = target.unwrap_or_default();
    Some(BoundsDraft {
        zone,
        paused,
        flights,
        flight_budgets,
        caps,
        cap_on,
        in_sequence,
        weights,
        prices,
        skadn,
        ..target
    })
}

/// The campaign's own notice URLs; `None` if it has none.
fn notices(entry: &CampaignEntry) -> Option<NoticesDraft> {
    let own = |url: &Option<String>| literal(url.as_deref().unwrap_or_default());
    let is_some = entry.nurl.is_some() || entry.burl.is_some() || entry.lurl.is_some();
    is_some.then(|| NoticesDraft { nurl: own(&entry.nurl), burl: own(&entry.burl), lurl: own(&entry.lurl) })
}

fn shaded_cpm(entry: &CampaignEntry) -> Micros {
    let most = entry.max_cpm.map_or(Micros::ZERO, |amount| amount.0);
    let Some(shading) = &entry.shading else { return most };
    let steepness = shading.steepness.and_then(|steepness| u32::try_from(steepness).ok());
    let (Some(typical), Some(steepness @ 1..=4)) = (shading.typical, steepness) else { return most };
    shading::best(most, typical.0, steepness)
}
