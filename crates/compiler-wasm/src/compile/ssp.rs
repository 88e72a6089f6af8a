//! Checks the SSPs of a document and makes them ready to serve.

use std::collections::HashSet;

use bidder_wasm::address;
use bidder_wasm::catalog::{Auction, Billing, Codec, Costs, Floors, PRICE_MACRO, PriceMissing, SspDraft};
use bidder_wasm::money::{Currency, Rates};

use super::billing::{self, choice};
use super::check::{out_of_range, unique_ids};
use super::document::{CampaignEntry, Document, SspEntry};
use super::{bid_ext, rates, sync_url};
use crate::decode::Finding;

/// The default: a round trip to an SSP in the same region.
const DEFAULT_LATENCY_MS: i64 = 20;

/// The notices that `uncalled` may name.
pub(super) const UNCALLED: [&str; 2] = ["nurl", "lurl"];

pub(super) fn compile(document: &Document, rates: &Rates, findings: &mut Vec<Finding>) -> Vec<SspDraft> {
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
    let id = entry.id.clone().unwrap_or_default();
    if !id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) {
        let message = format!("{id:?} has characters that are not allowed; expected only letters, digits, - _ .");
        out_of_range(&format!("{path}.id"), message, findings);
    }
    for (i, hash) in entry.credentials.iter().enumerate() {
        if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            let message = "not a SHA-256 hash; expected 64 hex digits".to_owned();
            out_of_range(&format!("{path}.credentials[{i}]"), message, findings);
        }
    }
    if let Some(latency) = entry.latency_ms.filter(|latency| !(0..=1000).contains(latency)) {
        out_of_range(&format!("{path}.latency_ms"), format!("{latency}; expected 0 to 1000 milliseconds"), findings);
    }
    if let Some(tmax) = entry.tmax.filter(|tmax| !(1..=10_000).contains(tmax)) {
        out_of_range(&format!("{path}.tmax"), format!("{tmax}; expected 1 to 10000 milliseconds"), findings);
    }
    let at = |name: &str| format!("{path}.{name}");
    let mut currency = |name: &Option<String>, path: &str| {
        name.as_deref().map_or(Currency::UNKNOWN, |name| rates::currency(name, rates, path, findings))
    };
    let (cur, notice_cur) = (currency(&entry.cur, &at("cur")), currency(&entry.notice_cur, &at("notice_cur")));
    let max_response_bytes = entry.max_response_bytes.unwrap_or_default();
    let limit = u32::try_from(max_response_bytes).unwrap_or_default();
    if entry.max_response_bytes.is_some() && limit == 0 {
        let message = format!("{max_response_bytes}; expected a positive number of bytes");
        out_of_range(&format!("{path}.max_response_bytes"), message, findings);
    }
    let billing = choice(entry.billing.as_deref(), Billing::parse, Billing::NAMES, &at("billing"), findings);
    check_uncalled(&entry.uncalled, billing, &at("uncalled"), findings);
    let is_uncalled = |name: &str| entry.uncalled.iter().any(|one| one == name);
    let seats = seats(entry, path, campaigns, findings);
    let mut names: Vec<_> = seats.iter().map(|(seat, name)| (name.clone(), seat.clone())).collect();
    names.sort_unstable();
    SspDraft {
        id,
        credentials: entry.credentials.iter().map(|hash| hash.to_ascii_lowercase()).collect(),
        latency_ms: entry.latency_ms.unwrap_or(DEFAULT_LATENCY_MS),
        tmax: entry.tmax.unwrap_or_default(),
        nbr: entry.nbr.unwrap_or(false),
        cur,
        seats,
        names,
        gzip: entry.gzip.unwrap_or(false),
        max_response_bytes: limit,
        bid_ext: bid_ext::compile(entry.bid_ext.as_ref(), &at("bid_ext"), findings),
        price_macro: price_macro(entry.price_macro.as_deref(), &format!("{path}.price_macro"), findings),
        fill_macros: entry.fill_macros.unwrap_or(false),
        one_bid_per_imp: entry.one_bid_per_imp.unwrap_or(false),
        test: entry.test.unwrap_or(false),
        sync_url: sync_url::compile(entry.sync_url.as_deref(), &format!("{path}.sync_url"), findings),
        sync_redirect_hosts: hosts(&entry.sync_redirect_hosts, &format!("{path}.sync_redirect_hosts"), findings),
        auction: choice(entry.auction.as_deref(), Auction::parse, Auction::NAMES, &at("auction"), findings),
        floors: choice(entry.floors.as_deref(), Floors::parse, Floors::NAMES, &at("floors"), findings),
        no_nurl: is_uncalled("nurl"),
        no_lurl: is_uncalled("lurl"),
        billing,
        price: choice(entry.price.as_deref(), Costs::parse, Costs::NAMES, &at("price"), findings),
        price_missing: choice(
            entry.price_missing.as_deref(),
            PriceMissing::parse,
            PriceMissing::NAMES,
            &at("price_missing"),
            findings,
        ),
        price_codec: choice(entry.price_codec.as_deref(), Codec::parse, Codec::NAMES, &at("price_codec"), findings),
        notice_cur,
        max_multiplier: billing::multiplier(entry.max_multiplier, &at("max_multiplier"), findings),
        notice_hours: billing::hours(entry.notice_hours, &at("notice_hours"), findings),
        invoice_ratio: billing::ratio(entry.invoice_ratio.as_deref(), &at("invoice_ratio"), findings),
        low_prices: entry.low_prices.unwrap_or(false),
    }
}

fn check_uncalled(entries: &[String], billing: Billing, path: &str, findings: &mut Vec<Finding>) {
    for (i, name) in entries.iter().enumerate() {
        let message = match name.as_str() {
            "nurl" if billing == Billing::Win => {
                "\"nurl\"; expected another billing than win, which bills by nurl".into()
            }
            known if UNCALLED.contains(&known) => continue,
            _ => format!("{name:?}; expected {}", UNCALLED.join(" or ")),
        };
        out_of_range(&format!("{path}[{i}]"), message, findings);
    }
}

fn hosts(entries: &[String], path: &str, findings: &mut Vec<Finding>) -> Vec<String> {
    for (i, host) in entries.iter().enumerate() {
        if !address::is_host(host) {
            let message =
                format!("{host:?} is not a host; expected a host such as prebid.example or prebid.example:8443");
            out_of_range(&format!("{path}[{i}]"), message, findings);
        }
    }
    entries.iter().map(|host| host.to_ascii_lowercase()).collect()
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
    for (i, one) in entry.seats.iter().enumerate() {
        if one.name.as_deref() == Some("") {
            out_of_range(&format!("{path}.seats[{i}].name"), "empty; expected a name".to_owned(), findings);
        }
    }
    if entry.seat.as_deref() == Some("") {
        out_of_range(
            &format!("{path}.seat"),
            "empty; expected a name, or leave the attribute out".to_owned(),
            findings,
        );
    }
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

/// The macro is written unescaped into URLs, XML, JSON and JSON inside JSON, so it must need no escape in any of them.
fn price_macro(spelling: Option<&str>, path: &str, findings: &mut Vec<Finding>) -> String {
    let spelling = spelling.unwrap_or_default();
    if !spelling.bytes().all(|b| b.is_ascii_graphic() && !b"\"'\\<>&".contains(&b)) {
        let message = format!("{spelling:?}; expected printable ASCII without spaces, quotes, \\ < > &");
        out_of_range(path, message, findings);
    }
    if spelling == PRICE_MACRO { String::new() } else { spelling.to_owned() }
}
