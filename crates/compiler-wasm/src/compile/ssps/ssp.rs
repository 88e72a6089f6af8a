//! Checks the SSPs of a document and makes them ready to serve.

use std::collections::HashSet;

use bidder_wasm::catalog::{Billing, PRICE_MACRO, SspDraft};
use bidder_wasm::limits::NOTICE_HOURS;
use bidder_wasm::money::{Currency, Rates};

use super::bid_ext;
use crate::compile::check::{out_of_range, unique_ids};
use crate::compile::choices::Uncalled;
use crate::compile::document::{CampaignEntry, Document, SspEntry};
use crate::compile::money::prices;
use crate::decode::Finding;

/// The default: a round trip to an SSP in the same region.
const DEFAULT_LATENCY_MS: i64 = 20;

pub(crate) fn compile(document: &Document, rates: &Rates, findings: &mut Vec<Finding>) -> Vec<SspDraft> {
    let entries = &document.ssps;
    unique_ids("ssps", "id", entries.iter().map(|entry| entry.id.as_deref().unwrap_or_default()), findings);
    let ssp = |(i, entry)| self::ssp(entry, &format!("ssps[{i}]"), &document.campaigns, rates, findings);
    entries.iter().enumerate().map(ssp).collect()
}

fn ssp(
    entry: &SspEntry,
    path: &str,
    campaigns: &[CampaignEntry],
    rates: &Rates,
    findings: &mut Vec<Finding>,
) -> SspDraft {
    let at = |name: &str| format!("{path}.{name}");
    let mut currency = |name: &Option<String>, path: &str| {
        name.as_deref().map_or(Currency::UNKNOWN, |name| prices::currency(name, rates, path, findings))
    };
    let (cur, notice_cur) = (currency(&entry.cur, &at("cur")), currency(&entry.notice_cur, &at("notice_cur")));
    let billing = entry.billing.unwrap_or_default();
    let nurl = entry.uncalled.iter().position(|notice| *notice == Uncalled::Nurl);
    if let Some(i) = nurl.filter(|_| billing == Billing::Win) {
        let message = "\"nurl\"; expected another billing than win, which bills by nurl".to_owned();
        out_of_range(&at(&format!("uncalled[{i}]")), message, findings);
    }
    let seats = seats(entry, path, campaigns, findings);
    let price_macro = entry.price_macro.clone().unwrap_or_default();
    let small = |number: Option<i64>| number.and_then(|number| u32::try_from(number).ok());
    let mut names: Vec<_> = seats.iter().map(|(seat, name)| (name.clone(), seat.clone())).collect();
    names.sort_unstable();
    SspDraft {
        id: entry.id.clone().unwrap_or_default(),
        credentials: entry.credentials.iter().map(|hash| hash.to_ascii_lowercase()).collect(),
        latency_ms: entry.latency_ms.unwrap_or(DEFAULT_LATENCY_MS),
        tmax: entry.tmax.unwrap_or_default(),
        nbr: entry.nbr.unwrap_or(false),
        cur,
        seats,
        names,
        gzip: entry.gzip.unwrap_or(false),
        max_response_bytes: small(entry.max_response_bytes).unwrap_or_default(),
        bid_ext: bid_ext::compile(entry.bid_ext.as_ref(), &at("bid_ext"), findings),
        price_macro: if price_macro == PRICE_MACRO { String::new() } else { price_macro },
        fill_macros: entry.fill_macros.unwrap_or(false),
        one_bid_per_imp: entry.one_bid_per_imp.unwrap_or(false),
        test: entry.test.unwrap_or(false),
        sync_url: entry.sync_url.clone().unwrap_or_default(),
        sync_redirect_hosts: entry.sync_redirect_hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
        auction: entry.auction.unwrap_or_default(),
        floors: entry.floors.unwrap_or_default(),
        no_nurl: nurl.is_some(),
        no_lurl: entry.uncalled.contains(&Uncalled::Lurl),
        billing,
        price: entry.price.unwrap_or_default(),
        price_missing: entry.price_missing.unwrap_or_default(),
        price_codec: entry.price_codec.unwrap_or_default(),
        notice_cur,
        max_multiplier: small(entry.max_multiplier).unwrap_or(1),
        notice_hours: entry.notice_hours.and_then(|hours| u8::try_from(hours).ok()).unwrap_or(NOTICE_HOURS),
        invoice_ratio: entry.invoice_ratio.map_or(1_000_000, |ratio| ratio.0),
        low_prices: entry.low_prices.unwrap_or(false),
    }
}

/// The seats that the SSP knows by another name, as `(seat, name)`. The SSP's attribute `seat` is the name of all seats
/// that `seats` does not list.
fn seats(
    entry: &SspEntry,
    path: &str,
    campaigns: &[CampaignEntry],
    findings: &mut Vec<Finding>,
) -> Vec<(String, String)> {
    let own = |entry: &Option<String>| entry.clone().unwrap_or_default();
    let named = entry.seats.iter().map(|one| one.seat.as_deref().unwrap_or_default());
    unique_ids(&format!("{path}.seats"), "seat", named.clone(), findings);
    let mut seats: Vec<(String, String)> = entry.seats.iter().map(|one| (own(&one.seat), own(&one.name))).collect();
    if let Some(name) = &entry.seat {
        let mut known: HashSet<&str> = named.collect();
        let all = campaigns.iter().map(|campaign| campaign.seat.as_deref().unwrap_or_default());
        seats.extend(all.filter(|seat| known.insert(seat)).map(|seat| (seat.to_owned(), name.clone())));
    }
    seats.retain(|(seat, name)| seat != name);
    seats.sort_unstable();
    seats
}
