//! Checks one campaign of the document and makes it ready to serve.

use super::showing::{self, Rotation};
use super::{advertiser, deals, skadn};
use crate::macros::plain_http::plain_http;
use crate::references::References;
use crate::targets::hours::Zone;
use crate::{
    money::{flights, prices, shading},
    targets::target,
};
use base::json::literal;
use base::money::Micros;
use catalog::{BoundsDraft, CampaignDraft, ConditionDraft, NoticesDraft, PricesDraft, Texts};
use document::CampaignEntry;
use document::check::At;
use document::decode::Rule;

/// Compiles the campaign at this position.
pub(crate) fn compile(
    entry: &CampaignEntry,
    references: &References<'_>,
    has_macros: bool,
    at: &At<'_>,
) -> CampaignDraft {
    let cur = prices::currency(entry.cur.as_deref().unwrap_or("USD"), references.rates, &at.attribute("cur"));
    let urls = [("nurl", &entry.nurl), ("burl", &entry.burl), ("lurl", &entry.lurl)];
    let plain = urls.map(|(name, url)| Some((at.attribute(name), plain_http(url)?)));
    for (at, http) in plain.iter().flatten() {
        let message = format!(
            "{http:?} is plain http, so the campaign never bids on impressions with secure 1; expected https://…"
        );
        at.report(Rule::PlainHttp, message);
    }
    if entry.open == Some(false) && entry.deals.is_empty() {
        at.attribute("deals").error("empty, but open is false, so the campaign can never bid; expected deal ids");
    }
    let ssps = entry.ssps.iter().map(String::as_str);
    let ssps = references.ssps.positions(ssps, &at.attribute("ssps"));
    let crids = entry.creatives.iter().map(|shown| shown.crid.as_str());
    let creatives = references.crids.positions(crids, &at.attribute("creatives"));
    let target = entry.target.as_ref().map(|entry| target::compile(entry, references, &at.attribute("target")));
    let ConditionDraft { request_rules, imp_rules, spot_rules, mut bounds } = target.unwrap_or_default();
    CampaignDraft {
        notices: notices(entry).into_iter().collect(),
        cid: entry.cid.clone(),
        seat: entry.seat.clone(),
        advertiser: advertiser::of_campaign(entry),
        max_cpm: entry.max_cpm.0,
        cur,
        ssps,
        deals: entry.deals.iter().map(|deal| deal.id.clone()).collect(),
        open: entry.open.unwrap_or(true),
        request_rules,
        imp_rules,
        spot_rules,
        creatives,
        bounds: with_own(bounds.pop(), entry, references.zones, at).into_iter().collect(),
        texts: Texts { secure: plain.iter().all(Option::is_none), macros: has_macros },
        shaded_cpm: shaded_cpm(entry),
        exp: u32::try_from(entry.exp).unwrap_or(u32::MAX),
        dsa: entry.dsa.as_ref().map(advertiser::dsa),
    }
}

/// The target's bounds, with those of the campaign itself; `None` if there are none.
fn with_own(target: Option<BoundsDraft>, entry: &CampaignEntry, zones: &[Zone], at: &At<'_>) -> Option<BoundsDraft> {
    let Rotation { in_sequence, weights } = showing::rotation(entry, at);
    let deals = deals::prices(entry, at);
    let agreed = entry.deals.iter().filter(|deal| deal.guaranteed);
    let guaranteed: Vec<String> = agreed.map(|deal| deal.id.clone()).collect();
    let learned = entry.learn_shading;
    let has_prices = !deals.is_empty() || !guaranteed.is_empty() || learned;
    let prices = has_prices.then(|| PricesDraft { deals, guaranteed, learned, ..PricesDraft::default() });
    target::given(BoundsDraft {
        zone: entry.target.as_ref().and_then(|target| target.zone.clone()).unwrap_or_default(),
        paused: entry.paused,
        flights: flights::compile(entry, at),
        flight_budgets: flights::budgets(entry, zones, at),
        caps: showing::caps(&entry.caps, at),
        cap_on: entry.cap_on,
        in_sequence,
        weights,
        prices: prices.into_iter().collect(),
        skadn: entry.skadn.as_ref().map(|own| skadn::compile(entry, own, &at.attribute("skadn"))),
        ..target.unwrap_or_default()
    })
}

/// The campaign's own notice URLs; `None` if it has none.
fn notices(entry: &CampaignEntry) -> Option<NoticesDraft> {
    let [nurl, burl, lurl] = [&entry.nurl, &entry.burl, &entry.lurl].map(|url| literal(url));
    let is_some = [&nurl, &burl, &lurl].iter().any(|url| !url.is_empty());
    is_some.then_some(NoticesDraft { nurl, burl, lurl })
}

fn shaded_cpm(entry: &CampaignEntry) -> Micros {
    let most = entry.max_cpm.0;
    let Some(shading) = &entry.shading else { return most };
    match u32::try_from(shading.steepness) {
        Ok(steepness @ 1..=4) => shading::best(most, shading.typical.0, steepness),
        _ => most,
    }
}
