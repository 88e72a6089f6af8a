//! Notes prices that probably confuse units and micros.

use super::scalars::MIN_AMOUNT;
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::CampaignDraft;
use bidder_wasm::money::{Currency, Micros, Rates, Rounding};

/// A lower price, in any currency, is unusual.
const MIN_USUAL: Micros = Micros(10_000);

/// A higher price in US dollars is unusual.
const MAX_USUAL: Micros = Micros(1_000_000_000);

/// `campaigns` are in the order of the document.
pub(super) fn note_unusual(campaigns: &[CampaignDraft], rates: &Rates, findings: &mut Vec<Finding>) {
    for (i, CampaignDraft { max_cpm, cur, .. }) in campaigns.iter().enumerate() {
        let dollars = rates.convert(*max_cpm, *cur, Currency::USD, Rounding::Down).unwrap_or_default();
        let what = if (MIN_AMOUNT..MIN_USUAL).contains(max_cpm) {
            "is under 0.01"
        } else if dollars > MAX_USUAL {
            "is over 1,000 US dollars"
        } else {
            continue;
        };
        let message = format!(
            "{max_cpm} {} {what} per thousand impressions; expected a decimal string of units such as \"2.50\", or an integer of micros such as 2500000",
            cur.as_str()
        );
        findings.push(Finding::new(format!("campaigns[{i}].max_cpm"), Rule::Ambiguous, message));
    }
}
