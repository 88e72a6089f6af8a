//! Reads the exchange rates, and checks prices that probably confuse units and micros: those above the document's ceiling,
//! and those near zero.

use super::worth;
use crate::drafts::Drafts;
use base::money::{Currency, Micros, Rates, Rounding};
use catalog::CampaignDraft;
use document::check::At;
use document::decode::Rule;
use document::scalars::{Amount, MIN_AMOUNT};
use document::{Document, RateEntry};

/// A lower price, in any currency, is unusual.
const MIN_USUAL: Micros = Micros(10_000);

/// A higher price in US dollars, about what the dearest video ads cost, may be in cents. A document with a ceiling of its
/// own means it.
const MAX_USUAL: Micros = Micros(50_000_000);

/// The ceiling of a document that states none, in US dollars.
const DEFAULT_CEILING: Micros = Micros(200_000_000);

/// What a price looks like.
const EXPECTED: &str = "expected a decimal string of units such as \"2.50\", or an integer of micros such as 2500000";

/// The document's `max_cpm_ceiling`, in US dollars.
pub(crate) fn ceiling(document: &Document) -> Micros {
    document.max_cpm_ceiling.map_or(DEFAULT_CEILING, |Amount(ceiling)| ceiling)
}

/// Checks the prices of campaigns and of their deals.
pub(crate) fn check(drafts: &Drafts<'_>) {
    let ceiling = ceiling(drafts.document);
    for (at, entry, CampaignDraft { max_cpm, cur, .. }) in drafts.campaigns() {
        let of_deals = entry.deals.iter().enumerate().map(|(j, deal)| (at.item("deals", j), deal.max_cpm));
        for (at, price) in [(at.clone(), Some(Amount(*max_cpm)))].into_iter().chain(of_deals) {
            let Some(Amount(amount)) = price else { continue };
            let (at, price) = (at.attribute("max_cpm"), format!("{amount} {}", cur.as_str()));
            let dollars = drafts.references.rates.convert(amount, *cur, Currency::USD, Rounding::Up);
            if dollars.unwrap_or_default() > ceiling {
                at.error(format!(
                    "{price} is over the catalog's ceiling of {ceiling} US dollars per thousand impressions; {EXPECTED}, or a higher max_cpm_ceiling beside campaigns"
                ));
            } else if dollars.unwrap_or_default() > MAX_USUAL && drafts.document.max_cpm_ceiling.is_none() {
                at.report(Rule::Ambiguous, format!("{price} for a thousand impressions is more than {MAX_USUAL} US dollars; {EXPECTED}, or a max_cpm_ceiling beside campaigns if it is meant"));
            } else if (MIN_AMOUNT..MIN_USUAL).contains(&amount) {
                at.report(Rule::Ambiguous, format!("{price} is under 0.01 per thousand impressions; {EXPECTED}"));
            }
        }
    }
}

pub(crate) fn rates(entries: &[RateEntry], at: &At<'_>) -> Rates {
    let mut rates = Rates::default();
    rates.set(Currency::USD, "1");
    for (i, entry) in entries.iter().enumerate() {
        let (at, Some(cur), Some(usd)) = (at.item("rates", i), &entry.cur, &entry.usd) else { continue };
        let currency = Currency::parse(cur);
        if currency == Currency::UNKNOWN || (currency == Currency::USD && usd.as_str() != "1") {
            let message = format!("{cur:?}; expected a three-letter code other than USD, whose rate is always 1");
            at.attribute("cur").error(message);
        } else if !rates.set(currency, usd.as_str()) {
            at.attribute("usd").error(format!("{usd:?}; expected a positive decimal such as \"1.0837\""));
        } else {
            worth::check(cur, usd, &at.attribute("usd"));
        }
    }
    rates
}

/// The currency with this name, which must have a rate.
pub(crate) fn currency(name: &str, rates: &Rates, at: &At<'_>) -> Currency {
    let currency = Currency::parse(name);
    if !rates.has(currency) {
        at.error(format!("{name:?} has no entry in rates; expected a currency with a rate"));
    }
    currency
}
