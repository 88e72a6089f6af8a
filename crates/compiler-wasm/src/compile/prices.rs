//! Checks prices that probably confuse units and micros: those above the document's ceiling, and those near zero.

use super::check::out_of_range;
use super::document::{DealEntry, Document};
use super::scalars::{Amount, MIN_AMOUNT};
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
pub(super) fn ceiling(document: &Document) -> Micros {
    document.max_cpm_ceiling.map_or(DEFAULT_CEILING, |Amount(ceiling)| ceiling)
}

/// `campaigns` are in the order of the document.
pub(super) fn check(document: &Document, campaigns: &[CampaignDraft], rates: &Rates, findings: &mut Vec<Finding>) {
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
