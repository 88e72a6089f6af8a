//! Checks the document's parts against each other and builds the catalog from them.

use std::collections::HashMap;

use super::amount;
use super::contradiction;
use super::creative::{self, check_url};
use super::document::{CampaignEntry, Document, RateEntry};
use super::dsa;
use super::hours::Zone;
use super::index;
use super::iso;
use super::plain_http::plain_http;
use super::reach;
use super::ssp;
use super::target;
use super::{FORMAT, finding};
use super::{needs, settings, shading};
use crate::decode::{Finding, Rule, nearest};
use bidder_wasm::catalog::{CampaignDraft, CreativeDraft, MediaDraft, PartsDraft};
use bidder_wasm::domain::MAX_DOMAIN_BYTES;
use bidder_wasm::flat::Wide;
use bidder_wasm::limits::MAX_FINDINGS;
use bidder_wasm::money::{Currency, Micros, Rates, Rounding};
use bidder_wasm::write::Object;

/// The catalog; only to be used when `findings` is still empty afterwards.
pub(super) fn compile(document: &Document, zones: &[Zone], findings: &mut Vec<Finding>) -> PartsDraft {
    if let Some(format) = document.format.filter(|format| *format != FORMAT) {
        out_of_range(
            "format",
            format!("{format} is a version that this bidder does not read; expected {FORMAT}"),
            findings,
        );
    }
    let rates = rates(&document.rates, findings);
    let ssps = ssp::compile(document, &rates, findings);

    let creative_ids = document.creatives.iter().map(|entry| entry.crid.as_deref().unwrap_or_default());
    unique("creatives", "crid", creative_ids, findings);
    // A creative that is refused keeps its place; its findings refuse the catalog.
    let creatives: Vec<Option<CreativeDraft>> = document
        .creatives
        .iter()
        .enumerate()
        .map(|(i, entry)| creative::compile(entry, &format!("creatives[{i}]"), findings))
        .collect();

    let campaign_ids = document.campaigns.iter().map(|entry| entry.cid.as_deref().unwrap_or_default());
    unique("campaigns", "cid", campaign_ids, findings);
    let crids = Names::of(document.creatives.iter().map(|entry| entry.crid.as_deref()));
    let ids = Names::of(document.ssps.iter().map(|entry| entry.id.as_deref()));
    let parts = Parts { rates: &rates, ssps: ids, crids, zones };
    let mut campaigns: Vec<CampaignDraft> = document
        .campaigns
        .iter()
        .enumerate()
        .map(|(i, entry)| parts.campaign(entry, &format!("campaigns[{i}]"), findings))
        .collect();
    settings::note_unregistered(document, findings);
    amount::note_unusual(&campaigns, &rates, findings);
    reach::check(document, &ssps, &creatives, &campaigns, findings);
    iso::check(document, findings);
    contradiction::check(document, findings);
    let worth = |campaign: &CampaignDraft| {
        rates.convert(campaign.max_cpm, campaign.cur, Currency::USD, Rounding::Down).unwrap_or_default().0
    };
    campaigns.sort_by_key(|campaign| core::cmp::Reverse(worth(campaign)));
    let creatives: Vec<CreativeDraft> = creatives.into_iter().flatten().collect();
    let index = index::build(&campaigns, &creatives, campaigns.iter().map(worth).collect());
    let durations = creatives.iter().filter_map(|creative| match &creative.media {
        MediaDraft::Video(ad) | MediaDraft::Audio(ad) => Some(ad.dur),
        MediaDraft::Banner(_) | MediaDraft::Native(_) => None,
    });
    PartsDraft {
        shortest: durations.min().unwrap_or_default(),
        rates: rates.iter().collect(),
        prebid_code: settings::prebid_code(document.prebid_code.as_deref(), findings),
        version_in_bids: document.version_in_bids.unwrap_or(false),
        privacy: settings::privacy(document.privacy.as_ref(), findings),
        ssps,
        needs: needs::of(&campaigns, &creatives),
        creatives: Wide(creatives),
        campaigns: Wide(campaigns),
        index,
    }
}

/// What can be referred to by name.
struct Names<'a> {
    places: HashMap<&'a str, u32>,
    /// In the document's order.
    names: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(names: impl Iterator<Item = Option<&'a str>> + Clone) -> Names<'a> {
        let places = names.clone().zip(0..).filter_map(|(name, place)| Some((name?, place))).collect();
        Names { places, names: names.flatten().collect() }
    }
}

/// Which of the names was meant, or what is expected. Nobody looks where there are more findings than anybody reads: large
/// catalogs have many names.
pub(super) fn meant<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str>,
    expected: &str,
    findings: &[Finding],
) -> String {
    let nearest = if findings.len() < MAX_FINDINGS { nearest(name, names) } else { None };
    nearest.map_or_else(|| format!("expected {expected}"), |nearest| format!("did you mean {nearest:?}?"))
}

/// What a campaign may refer to.
struct Parts<'a> {
    rates: &'a Rates,
    ssps: Names<'a>,
    crids: Names<'a>,
    zones: &'a [Zone],
}

impl Parts<'_> {
    fn campaign(&self, entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> CampaignDraft {
        let cur = entry.cur.as_deref().map_or(Currency::USD, Currency::parse);
        if !self.rates.has(cur) {
            let name = entry.cur.as_deref().unwrap_or_default();
            out_of_range(
                &format!("{path}.cur"),
                format!("{name:?} has no entry in rates; expected a currency with a rate"),
                findings,
            );
        }
        for (name, empty) in [("adomain", entry.adomain.is_empty()), ("creatives", entry.creatives.is_empty())] {
            if empty {
                out_of_range(&format!("{path}.{name}"), "empty; expected at least one entry".to_owned(), findings);
            }
        }
        let mut secure = true;
        for (name, url) in [("nurl", &entry.nurl), ("burl", &entry.burl), ("lurl", &entry.lurl)] {
            let path = format!("{path}.{name}");
            check_url(url.as_deref(), &path, findings);
            if let Some(http) = url.as_deref().and_then(plain_http) {
                secure = false;
                let message =
                    format!("{http:?} is plain http, so there is no bid where secure is 1; expected https://…");
                findings.push(finding(path, Rule::PlainHttp, message));
            }
        }
        let adomain = entry
            .adomain
            .iter()
            .enumerate()
            .map(|(i, domain)| bare_domain(domain, &format!("{path}.adomain[{i}]"), findings));
        let adomain: Vec<String> = adomain.collect();
        if entry.open == Some(false) && entry.deals.is_empty() {
            out_of_range(
                &format!("{path}.deals"),
                "empty although open is false, so it can never bid; expected deal ids".to_owned(),
                findings,
            );
        }
        let mut places = |known: &Names<'_>, names: &[String], list: &str, expected: &str| -> Vec<u32> {
            let place = |(i, name): (usize, &String)| {
                let place = known.places.get(name.as_str()).copied();
                if place.is_none() {
                    let meant = meant(name, known.names.iter().copied(), expected, findings);
                    let message = format!("{name:?} does not exist; {meant}");
                    findings.push(finding(format!("{path}.{list}[{i}]"), Rule::Unknown, message));
                }
                place
            };
            names.iter().enumerate().filter_map(place).collect()
        };
        let ssps = places(&self.ssps, &entry.ssps, "ssps", "an id in ssps");
        let creatives = places(&self.crids, &entry.creatives, "creatives", "a crid in creatives");
        let target = entry.target.as_ref().map_or_else(target::Compiled::default, |entry| {
            target::compile(entry, self.zones, &format!("{path}.target"), findings)
        });
        let cid = entry.cid.clone().unwrap_or_default();
        let cattax = entry.cattax.unwrap_or(1);
        let (mut notices, mut advertised, mut categories) = (String::new(), String::new(), String::new());
        let mut members = Object::more(&mut notices);
        for (name, url) in [("nurl", &entry.nurl), ("burl", &entry.burl), ("lurl", &entry.lurl)] {
            members.text(name, url.as_deref().unwrap_or_default());
        }
        let mut members = Object::more(&mut advertised);
        members.texts("adomain", &adomain);
        members.text("bundle", entry.bundle.as_deref().unwrap_or_default());
        let mut members = Object::more(&mut categories);
        members.texts("cat", &entry.cat);
        if !entry.cat.is_empty() {
            members.number("cattax", cattax);
        }
        CampaignDraft {
            notices,
            advertised,
            categories,
            cid,
            seat: entry.seat.clone().unwrap_or_default(),
            adomain,
            bundle: entry.bundle.clone().unwrap_or_default(),
            cat: entry.cat.clone(),
            cattax,
            max_cpm: entry.max_cpm.map_or(Micros::ZERO, |amount| amount.0),
            cur,
            ssps,
            deals: entry.deals.clone(),
            open: entry.open.unwrap_or(true),
            request_rules: target.request_rules,
            imp_rules: target.imp_rules,
            spot_rules: target.spot_rules,
            bounds: target.bounds,
            creatives,
            secure,
            shaded_cpm: shaded_cpm(entry, &format!("{path}.shading"), findings),
            exp: exp(entry.exp, &format!("{path}.exp"), findings),
            dsa: entry.dsa.as_ref().map(|entry| dsa::compile(entry, &format!("{path}.dsa"), findings)),
        }
    }
}

fn shaded_cpm(entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Micros {
    let most = entry.max_cpm.map_or(Micros::ZERO, |amount| amount.0);
    let Some(shading) = &entry.shading else { return most };
    let (Some(typical), Some(steepness)) = (shading.typical, shading.steepness) else { return most };
    let Some(steepness) = u32::try_from(steepness).ok().filter(|steepness| (1..=4).contains(steepness)) else {
        out_of_range(&format!("{path}.steepness"), format!("{steepness}; expected 1 to 4"), findings);
        return most;
    };
    shading::best(most, typical.0, steepness)
}

fn exp(seconds: Option<i64>, path: &str, findings: &mut Vec<Finding>) -> i64 {
    if let Some(seconds) = seconds.filter(|seconds| *seconds < 1) {
        out_of_range(path, format!("{seconds}; expected at least 1 second"), findings);
    }
    seconds.unwrap_or_default()
}

fn rates(entries: &[RateEntry], findings: &mut Vec<Finding>) -> Rates {
    let mut rates = Rates::default();
    rates.set(Currency::USD, "1");
    for (i, entry) in entries.iter().enumerate() {
        let (Some(cur), Some(usd)) = (&entry.cur, &entry.usd) else { continue };
        let currency = Currency::parse(cur);
        if currency == Currency::UNKNOWN || (currency == Currency::USD && usd.as_str() != "1") {
            out_of_range(
                &format!("rates[{i}].cur"),
                format!("{cur:?}; expected a three-letter code other than USD, which is the base"),
                findings,
            );
        } else if !rates.set(currency, usd.as_str()) {
            out_of_range(
                &format!("rates[{i}].usd"),
                format!("{:?}; expected a positive decimal such as \"1.0837\"", usd.as_str()),
                findings,
            );
        }
    }
    rates
}

pub(super) fn bare_domain(domain: &str, path: &str, findings: &mut Vec<Finding>) -> String {
    let labels = domain.split('.');
    let plausible = domain.contains('.')
        && domain.len() <= MAX_DOMAIN_BYTES
        && labels.into_iter().all(|label| !label.is_empty() && !label.contains(['/', ':', ' ', '@']));
    if !plausible {
        out_of_range(path, format!("{domain:?} is no bare domain; expected one such as ford.com"), findings);
    }
    domain.to_ascii_lowercase()
}

pub(super) fn unique<'a>(list: &str, key: &str, ids: impl Iterator<Item = &'a str>, findings: &mut Vec<Finding>) {
    let mut seen: Vec<(&str, usize)> = ids.enumerate().map(|(i, id)| (id, i)).collect();
    seen.sort_unstable();
    for pair in seen.windows(2) {
        if let [(a, first), (b, second)] = pair
            && a == b
            && !a.is_empty()
        {
            out_of_range(
                &format!("{list}[{second}].{key}"),
                format!("{a:?} is taken by {list}[{first}]; expected an id of its own"),
                findings,
            );
        } else if let [_, ("", i)] = pair {
            out_of_range(&format!("{list}[{i}].{key}"), "empty; expected an id".to_owned(), findings);
        }
    }
}

pub(super) fn out_of_range(path: &str, message: String, findings: &mut Vec<Finding>) {
    findings.push(finding(path.to_owned(), Rule::OutOfRange, message));
}
