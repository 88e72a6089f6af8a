//! Checks the document's parts against each other and builds the catalog from them.

use super::creative::{self, check_url, mentions_http};
use super::document::{CampaignEntry, Document, RateEntry, SspEntry};
use super::target::{self, Target};
use super::time::Zone;
use super::{Campaign, Catalog, Creative, FORMAT, Ssp, finding};
use super::{settings, shading};
use crate::decode::{Finding, Rule};
use crate::money::{Currency, Micros, Rates, Rounding};

/// What an exchange in the same region takes for the way there and back.
const DEFAULT_LATENCY_MS: i64 = 20;

/// The catalog; only to be used when `findings` is still empty afterwards.
pub(super) fn compile(document: &Document, zones: &[Zone], findings: &mut Vec<Finding>) -> Catalog {
    if let Some(format) = document.format.filter(|format| *format != FORMAT) {
        out_of_range(
            "format",
            format!("{format} is a version that this bidder does not read; expected {FORMAT}"),
            findings,
        );
    }
    let rates = rates(&document.rates, findings);
    let ssps = ssps(&document.ssps, findings);

    let creative_ids = document.creatives.iter().map(|entry| entry.crid.as_deref().unwrap_or_default());
    unique("creatives", "crid", creative_ids, findings);
    let creatives: Vec<Option<Creative>> = document
        .creatives
        .iter()
        .enumerate()
        .map(|(i, entry)| creative::compile(entry, &format!("creatives[{i}]"), findings))
        .collect();

    let campaign_ids = document.campaigns.iter().map(|entry| entry.cid.as_deref().unwrap_or_default());
    unique("campaigns", "cid", campaign_ids, findings);
    let parts = Parts { rates: &rates, ssps: &ssps, document, creatives: &creatives, zones };
    let mut campaigns: Vec<Campaign> = document
        .campaigns
        .iter()
        .enumerate()
        .map(|(i, entry)| parts.campaign(entry, &format!("campaigns[{i}]"), findings))
        .collect();
    let worth = |campaign: &Campaign| rates.convert(campaign.max_cpm, campaign.cur, Currency::USD, Rounding::Down);
    campaigns.sort_by_key(|campaign| core::cmp::Reverse(worth(campaign)));
    Catalog {
        rates,
        prebid_code: settings::prebid_code(document.prebid_code.as_deref(), findings),
        privacy: settings::privacy(document.privacy.as_ref(), findings),
        ssps,
        campaigns,
    }
}

/// What a campaign may refer to.
struct Parts<'a> {
    rates: &'a Rates,
    ssps: &'a [Ssp],
    document: &'a Document,
    creatives: &'a [Option<Creative>],
    zones: &'a [Zone],
}

impl Parts<'_> {
    fn campaign(&self, entry: &CampaignEntry, path: &str, findings: &mut Vec<Finding>) -> Campaign {
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
        for (name, url) in [("nurl", &entry.nurl), ("burl", &entry.burl), ("lurl", &entry.lurl)] {
            check_url(url.as_deref(), &format!("{path}.{name}"), findings);
        }
        let adomain = entry
            .adomain
            .iter()
            .enumerate()
            .map(|(i, domain)| bare_domain(domain, &format!("{path}.adomain[{i}]"), findings));
        let adomain = adomain.collect();
        if entry.open == Some(false) && entry.deals.is_empty() {
            out_of_range(
                &format!("{path}.deals"),
                "empty although open is false, so it can never bid; expected deal ids".to_owned(),
                findings,
            );
        }
        let notices = [&entry.nurl, &entry.burl, &entry.lurl];
        let insecure = notices.into_iter().flatten().any(|url| mentions_http(url));
        let ssps = entry.ssps.iter().enumerate().filter_map(|(i, id)| {
            find(
                self.ssps.iter().map(|ssp| ssp.id.as_str()),
                id,
                &format!("{path}.ssps[{i}]"),
                "an id in ssps",
                findings,
            )
        });
        let ssps = ssps.collect();
        let creatives = entry.creatives.iter().enumerate().filter_map(|(i, crid)| {
            let crids = self.document.creatives.iter().map(|known| known.crid.as_deref().unwrap_or_default());
            let place = find(crids, crid, &format!("{path}.creatives[{i}]"), "a crid in creatives", findings)?;
            let mut creative = self.creatives.get(place)?.clone()?;
            // The notices go out with every bid, so they count against each creative.
            creative.secure &= !insecure;
            Some(creative)
        });
        let creatives = creatives.collect();
        let target = entry.target.as_ref().map_or_else(Target::default, |entry| {
            target::compile(entry, self.zones, &format!("{path}.target"), findings)
        });
        Campaign {
            cid: entry.cid.clone().unwrap_or_default(),
            seat: entry.seat.clone().unwrap_or_default(),
            adomain,
            bundle: entry.bundle.clone().unwrap_or_default(),
            cat: entry.cat.clone(),
            cattax: entry.cattax.unwrap_or(1),
            max_cpm: entry.max_cpm.map_or(Micros::ZERO, |amount| amount.0),
            cur,
            ssps,
            deals: entry.deals.clone(),
            open: entry.open.unwrap_or(true),
            target,
            creatives,
            shaded_cpm: shaded_cpm(entry, &format!("{path}.shading"), findings),
            exp: exp(entry.exp, &format!("{path}.exp"), findings),
            nurl: entry.nurl.clone().unwrap_or_default(),
            burl: entry.burl.clone().unwrap_or_default(),
            lurl: entry.lurl.clone().unwrap_or_default(),
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

fn ssps(entries: &[SspEntry], findings: &mut Vec<Finding>) -> Vec<Ssp> {
    unique("ssps", "id", entries.iter().map(|entry| entry.id.as_deref().unwrap_or_default()), findings);
    let ssp = |(i, entry): (usize, &SspEntry)| {
        let id = entry.id.clone().unwrap_or_default();
        if !id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) {
            out_of_range(
                &format!("ssps[{i}].id"),
                format!("{id:?} cannot stand in a URL as it is; expected letters, digits, - _ ."),
                findings,
            );
        }
        for (j, hash) in entry.credentials.iter().enumerate() {
            if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
                out_of_range(
                    &format!("ssps[{i}].credentials[{j}]"),
                    "is no SHA-256; expected 64 hex digits".to_owned(),
                    findings,
                );
            }
        }
        Ssp {
            id,
            credentials: entry.credentials.iter().map(|hash| hash.to_ascii_lowercase()).collect(),
            latency_ms: entry.latency_ms.unwrap_or(DEFAULT_LATENCY_MS),
            nbr: entry.nbr.unwrap_or(false),
        }
    };
    entries.iter().enumerate().map(ssp).collect()
}

fn bare_domain(domain: &str, path: &str, findings: &mut Vec<Finding>) -> String {
    let labels = domain.split('.');
    let plausible = domain.contains('.')
        && labels.into_iter().all(|label| !label.is_empty() && !label.contains(['/', ':', ' ', '@']));
    if !plausible {
        out_of_range(path, format!("{domain:?} is no bare domain; expected one such as ford.com"), findings);
    }
    domain.to_ascii_lowercase()
}

fn find<'a>(
    mut known: impl Iterator<Item = &'a str>,
    wanted: &str,
    path: &str,
    expected: &str,
    findings: &mut Vec<Finding>,
) -> Option<usize> {
    let place = known.position(|name| name == wanted);
    if place.is_none() {
        findings.push(finding(
            path.to_owned(),
            Rule::OutOfRange,
            format!("{wanted:?} does not exist; expected {expected}"),
        ));
    }
    place
}

fn unique<'a>(list: &str, key: &str, ids: impl Iterator<Item = &'a str>, findings: &mut Vec<Finding>) {
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

fn out_of_range(path: &str, message: String, findings: &mut Vec<Finding>) {
    findings.push(finding(path.to_owned(), Rule::OutOfRange, message));
}
