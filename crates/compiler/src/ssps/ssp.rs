//! Checks the SSPs of a document and makes them ready to serve.

use std::collections::HashSet;

use base::limits::NOTICE_HOURS;
use base::money::{Currency, Rates};
use catalog::{Billing, PRICE_MACRO, SspDraft};

use super::{approvals, bid_ext};
use crate::money::{budget, prices};
use document::check::At;
use document::choices::Uncalled;
use document::decode::Rule;
use document::{CampaignEntry, Document, SspEntry};

/// The default: a round trip to an SSP in the same region.
const DEFAULT_LATENCY_MS: i64 = 20;

/// Notes that all SSPs are tests, as they are while they connect, although a campaign has a budget.
pub(crate) fn note_tests(document: &Document, at: &At<'_>) {
    let has_budget = document.campaigns.iter().any(|entry| budget::attribute(entry).is_some());
    if has_budget && !document.ssps.is_empty() && document.ssps.iter().all(|entry| entry.test) {
        let message =
            "true for all SSPs, so no impression is billed, and budgets count nothing; expected false after the tests";
        at.item("ssps", 0).attribute("test").report(Rule::Unbilled, message);
    }
}

/// Compiles the SSP at this position.
pub(crate) fn compile(entry: &SspEntry, document: &Document, rates: &Rates, at: &At<'_>) -> SspDraft {
    let currency = |name: &str, code: &Option<String>| {
        code.as_deref().map_or(Currency::UNKNOWN, |code| prices::currency(code, rates, &at.attribute(name)))
    };
    let nurl = entry.uncalled.iter().position(|notice| *notice == Uncalled::Nurl);
    if let Some(i) = nurl.filter(|_| entry.billing == Billing::Win) {
        at.item("uncalled", i).error("\"nurl\"; expected another billing than win, which bills by nurl");
    }
    let seats = seats(entry, &document.campaigns);
    let mut names: Vec<_> = seats.iter().map(|(seat, name)| (name.clone(), seat.clone())).collect();
    names.sort_unstable();
    let is_default_macro = entry.price_macro == PRICE_MACRO;
    SspDraft {
        id: entry.id.clone(),
        domain: entry.domain.as_deref().unwrap_or_default().to_ascii_lowercase(),
        credentials: entry.credentials.iter().map(|hash| hash.to_ascii_lowercase()).collect(),
        latency_ms: entry.latency_ms.unwrap_or(DEFAULT_LATENCY_MS),
        tmax: entry.tmax,
        nbr: entry.nbr,
        cur: currency("cur", &entry.cur),
        seats,
        names,
        gzip: entry.gzip,
        max_response_bytes: u32::try_from(entry.max_response_bytes).unwrap_or_default(),
        bid_ext: bid_ext::compile(entry.bid_ext.as_ref(), &at.attribute("bid_ext")),
        price_macro: if is_default_macro { String::new() } else { entry.price_macro.clone() },
        fill_macros: entry.fill_macros,
        one_bid_per_imp: entry.one_bid_per_imp,
        test: entry.test,
        sync_url: entry.sync_url.clone(),
        sync_redirect_hosts: entry.sync_redirect_hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
        auction: entry.auction,
        floors: entry.floors,
        no_nurl: nurl.is_some(),
        no_lurl: entry.uncalled.contains(&Uncalled::Lurl),
        billing: entry.billing,
        price: entry.price,
        price_missing: entry.price_missing,
        price_codec: entry.price_codec,
        notice_cur: currency("notice_cur", &entry.notice_cur),
        max_multiplier: entry.max_multiplier.and_then(|most| u32::try_from(most).ok()).unwrap_or(1),
        notice_hours: entry.notice_hours.and_then(|hours| u8::try_from(hours).ok()).unwrap_or(NOTICE_HOURS),
        invoice_ratio: entry.invoice_ratio.map_or(1_000_000, |ratio| ratio.0),
        low_prices: entry.low_prices,
        needs_approval: entry.needs_approval,
        approvals: approvals::of(entry, document),
    }
}

/// The seats that the SSP knows by another name, as `(seat, name)`. The SSP's attribute `seat` is the name of all seats
/// that `seats` does not list.
fn seats(entry: &SspEntry, campaigns: &[CampaignEntry]) -> Vec<(String, String)> {
    let mut seats: Vec<(String, String)> = entry.seats.iter().map(|one| (one.seat.clone(), one.name.clone())).collect();
    if !entry.seat.is_empty() {
        let mut known: HashSet<&str> = entry.seats.iter().map(|one| one.seat.as_str()).collect();
        let others = campaigns.iter().map(|campaign| &campaign.seat).filter(|seat| known.insert(seat));
        seats.extend(others.map(|seat| (seat.clone(), entry.seat.clone())));
    }
    seats.retain(|(seat, name)| seat != name);
    seats.sort_unstable();
    seats
}
