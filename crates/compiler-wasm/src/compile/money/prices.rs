//! Reads the exchange rates, and checks prices that probably confuse units and micros: those above the document's ceiling,
//! and those near zero.

use crate::compile::check::out_of_range;
use crate::compile::document::{DealEntry, Document, RateEntry};
use crate::compile::scalars::{Amount, MIN_AMOUNT};
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::CampaignDraft;
use bidder_wasm::money::{Currency, Micros, Rates, Rounding};

/// A lower price, in any currency, is unusual.
const MIN_USUAL: Micros = Micros(10_000);

/// The ceiling of a document that states none, in US dollars. The dearest video ads cost about a quarter of it.
const DEFAULT_CEILING: Micros = Micros(200_000_000);

/// What a price looks like.
const EXPECTED: &str = "expected a decimal string of units such as \"2.50\", or an integer of micros such as 2500000";

/// The document's `max_cpm_ceiling`, in US dollars.
pub(crate) fn ceiling(document: &Document) -> Micros {
    document.max_cpm_ceiling.map_or(DEFAULT_CEILING, |Amount(ceiling)| ceiling)
}

/// `campaigns` are in the order of the document.
pub(crate) fn check(document: &Document, campaigns: &[CampaignDraft], rates: &Rates, findings: &mut Vec<Finding>) {
    let ceiling = ceiling(document);
    for (i, (entry, CampaignDraft { max_cpm, cur, .. })) in document.campaigns.iter().zip(campaigns).enumerate() {
        let of_deal = |(j, deal): (usize, &DealEntry)| {
            deal.max_cpm.map(|Amount(own)| (format!("campaigns[{i}].deals[{j}].max_cpm"), own))
        };
        let of_deals = entry.deals.iter().enumerate().filter_map(of_deal);
        for (path, amount) in core::iter::once((format!("campaigns[{i}].max_cpm"), *max_cpm)).chain(of_deals) {
            let price = format!("{amount} {}", cur.as_str());
            let dollars = rates.convert(amount, *cur, Currency::USD, Rounding::Up).unwrap_or_default();
            if dollars > ceiling {
                let message = format!(
                    "{price} is over the catalog's ceiling of {ceiling} US dollars per thousand impressions; {EXPECTED}, or a higher max_cpm_ceiling beside campaigns"
                );
                out_of_range(&path, message, findings);
            } else if (MIN_AMOUNT..MIN_USUAL).contains(&amount) {
                let message = format!("{price} is under 0.01 per thousand impressions; {EXPECTED}");
                findings.push(Finding::new(path, Rule::Ambiguous, message));
            }
        }
    }
}

pub(crate) fn rates(entries: &[RateEntry], findings: &mut Vec<Finding>) -> Rates {
    let mut rates = Rates::default();
    rates.set(Currency::USD, "1");
    for (i, entry) in entries.iter().enumerate() {
        let (Some(cur), Some(usd)) = (&entry.cur, &entry.usd) else { continue };
        let currency = Currency::parse(cur);
        if currency == Currency::UNKNOWN || (currency == Currency::USD && usd.as_str() != "1") {
            let message = format!("{cur:?}; expected a three-letter code other than USD, whose rate is always 1");
            out_of_range(&format!("rates[{i}].cur"), message, findings);
        } else if !rates.set(currency, usd.as_str()) {
            let message = format!("{usd:?}; expected a positive decimal such as \"1.0837\"");
            out_of_range(&format!("rates[{i}].usd"), message, findings);
        }
    }
    rates
}

/// The currency with this name, which must have a rate.
pub(crate) fn currency(name: &str, rates: &Rates, path: &str, findings: &mut Vec<Finding>) -> Currency {
    let currency = Currency::parse(name);
    if !rates.has(currency) {
        let message = format!("{name:?} has no entry in rates; expected a currency with a rate");
        out_of_range(path, message, findings);
    }
    currency
}
